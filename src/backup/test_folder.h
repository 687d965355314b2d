#pragma once
// A folder for one test, which goes away with it.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace strake::backup {

class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "strake-backup-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }
  std::string read(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(*this / name, std::ios::binary).rdbuf();
    return std::move(out).str();
  }
  std::vector<std::string> names(const std::string& below = "") const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(*this / below))
      out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }
  // Whether the process ends. One that was killed may be there for a moment, and as long as nobody
  // asks for its exit code.
  static bool is_gone(int process) {
    for (int i = 0; i < 2000; ++i) {
      std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
      std::string id;
      std::string name;
      std::string state;
      if (!(stat >> id >> name >> state) || state == "Z" || state == "X") return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

 private:
  std::string path_;
};

}  // namespace strake::backup
