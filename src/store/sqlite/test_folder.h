#pragma once
// A folder for one test, which goes away with it. In memory where there is such a place: these
// tests flush thousands of times, and none of them can pull the plug.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace strake::store::sqlite {

class TestFolder {
 public:
  TestFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path above = ::access(memory.c_str(), W_OK | X_OK) == 0
                                            ? memory
                                            : std::filesystem::temp_directory_path();
    std::string name = (above / "strake-store-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace strake::store::sqlite
