// The recorded builds of kustomize v5.5.0: output byte for byte, failures by their essential lines.
#include "support/vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "kustomize/build.h"
#include "kustomize/file/paths.h"
#include "kustomize/file/test_disk.h"
#include "kustomize/read_back.h"

namespace strake::kustomize {
namespace {

namespace fs = std::filesystem;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out.push_back(line);
  }
  return out;
}

std::string first_line(const fs::path& file) {
  if (!fs::exists(file)) return {};
  const auto lines = lines_of(testing::read_file(file));
  return lines.empty() ? std::string() : lines.front();
}

void check_in_order(const std::vector<std::string>& wanted, const std::string& text) {
  std::size_t from = 0;
  for (const std::string& line : wanted) {
    const std::size_t at = text.find(line, from);
    EXPECT_NE(at, std::string::npos) << "missing: " << line << "\nin: " << text;
    if (at != std::string::npos) from = at + line.size();
  }
}

void check_case(const fs::path& folder) {
  SCOPED_TRACE(folder.filename().string());
  const TestDisk files;
  const fs::path input = fs::canonical(folder / "input");
  BuildOptions options;
  options.files = &files;
  options.target = (input / first_line(folder / "target")).string();
  options.working_folder = "/";
  options.root_only =
      first_line(folder / "flags").find("LoadRestrictionsNone") == std::string::npos;
  std::vector<std::string> warnings;
  const auto result = build(options, warnings);
  if (fs::exists(folder / "expected.warn")) {
    std::string all;
    for (const std::string& warning : warnings) all += warning + "\n";
    check_in_order(lines_of(testing::read_file(folder / "expected.warn")), all);
  }
  if (fs::exists(folder / "expected.yaml")) {
    ASSERT_TRUE(result.has_value()) << result.error().message();
    EXPECT_EQ(result->yaml(), testing::read_file(folder / "expected.yaml"));
    expect_objects_as_printed(*result);
    return;
  }
  ASSERT_FALSE(result.has_value()) << result->yaml();
  std::string wanted = testing::read_file(folder / "expected.err");
  check_in_order(lines_of(replaced(wanted, "${ROOT}", input.string())), result.error().message());
}

TEST(Vectors, BuildAsRecorded) {
  STRAKE_REQUIRE_VECTORS(vectors, "kustomize");
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(vectors)) {
    if (fs::exists(entry.path() / "input")) cases.push_back(entry.path());
  }
  std::ranges::sort(cases);
  ASSERT_GE(cases.size(), testing::count_in(vectors, 158U, 6U));
  std::size_t passed = 0;
  for (const fs::path& folder : cases) {
    const auto* result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
    const int before = result->total_part_count();
    check_case(folder);
    if (result->total_part_count() == before) ++passed;
  }
  RecordProperty("passed", static_cast<int>(passed));
  std::printf("%zu of %zu recorded builds\n", passed, cases.size());
}

}  // namespace
}  // namespace strake::kustomize
