// Builds as data: testdata/<case>/ has `input/`, the folder in it that is built in `target` when it
// is not the top, and what kustomize v5.5.0 prints for it in `want.yaml`, or the lines that its
// message must have in `want.error`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "kustomize/build.h"
#include "kustomize/file/test_disk.h"
#include "kustomize/read_back.h"

namespace strake::kustomize {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_in(const fs::path& file) {
  std::vector<std::string> out;
  std::istringstream in(fs::exists(file) ? testing::read_file(file) : std::string());
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out.push_back(line);
  }
  return out;
}

void check_golden(const fs::path& folder) {
  SCOPED_TRACE(folder.filename().string());
  const TestDisk files;
  const std::vector<std::string> target = lines_in(folder / "target");
  BuildOptions options;
  options.files = &files;
  options.target = (folder / "input" / (target.empty() ? "" : target.front())).string();
  options.working_folder = "/";
  std::vector<std::string> warnings;
  const auto result = build(options, warnings);
  if (fs::exists(folder / "want.yaml")) {
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_EQ(result->yaml(), testing::read_file(folder / "want.yaml"));
    expect_objects_as_printed(*result);
    return;
  }
  ASSERT_FALSE(result.has_value()) << result->yaml();
  const std::vector<std::string> wanted = lines_in(folder / "want.error");
  ASSERT_FALSE(wanted.empty());
  for (const std::string& line : wanted)
    EXPECT_NE(result.error().message().find(line), std::string::npos) << result.error().message();
}

TEST(Golden, BuildsAsTheReferenceDoes) {
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(STRAKE_TESTDATA_DIR)) {
    if (!fs::exists(entry.path() / "input")) continue;
    ++cases;
    check_golden(entry.path());
  }
  EXPECT_GT(cases, 0U);
}

}  // namespace
}  // namespace strake::kustomize
