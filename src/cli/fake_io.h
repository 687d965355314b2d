#pragma once
// A world for tests: streams in memory, an environment and a clock that the test sets, and a folder
// that goes away.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/io/io.h"

namespace strake::cli {

struct FakeWorld {
  explicit FakeWorld(std::string input = "") : in(std::move(input)) {
    io.env = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = environment.find(name);
      return found == environment.end() ? std::nullopt : std::optional(found->second);
    };
    io.environment = [this] { return environment; };
    io.now = [this] { return now; };
  }

  ExitCode run(const std::vector<std::string>& args, std::string_view program = "strake") {
    return cli::run(program, args, io);
  }

  StringInput in;
  StringOutput out;
  StringOutput err;
  std::map<std::string, std::string, std::less<>> environment;
  std::chrono::steady_clock::time_point now{};
  Io io{.in = in, .out = out, .err = err};
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "strake-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

  // Makes the file, and the folders on the way; returns its full name.
  std::string write(std::string_view name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }
  std::string read(std::string_view name) const {
    std::ostringstream out;
    out << std::ifstream(path_ / name, std::ios::binary).rdbuf();
    return std::move(out).str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace strake::cli
