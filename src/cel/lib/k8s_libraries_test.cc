// What the functions of Kubernetes give, from testdata/kubernetes.txt, and which versions have
// them.
#include "cel/lib/k8s_libraries.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cel/compile.h"
#include "cel/lib/k8s_environment.h"
#include "cel/lib/k8s_format.h"
#include "cel/value/format_value.h"
#include "support/vectors.h"

namespace strake::cel {
namespace {

constexpr NamedFormat kFormats[] = {{"even", "Even", 10, [](std::string_view text) {
                                       if (text.size() % 2 == 0) return std::vector<std::string>{};
                                       return std::vector<std::string>{
                                           "is odd", fmt::format("has {}", text.size())};
                                     }}};

const Library& formats() { return k8s_format_library<kFormats>(); }

std::string outcome(const std::string& expression) {
  static const Environment environment = [] {
    std::vector<const Library*> libraries = libraries_of(kThisKubernetes, formats());
    libraries.push_back(&k8s_jsonpatch_library());
    return Environment(libraries, kubernetes_options());
  }();
  const auto compiled = compile(expression, {.environment = &environment});
  if (!compiled) return compiled.error().to_string();
  Arena arena;
  return to_literal(compiled->program.evaluate({}, arena), arena);
}

TEST(KubernetesLibraries, GiveWhatTheFileSays) {
  std::istringstream file(
      testing::read_file(std::filesystem::path(STRAKE_TESTDATA_DIR) / "kubernetes.txt"));
  std::string expression;
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    if (!line.starts_with("  = ")) {
      expression = line;
      continue;
    }
    EXPECT_EQ(outcome(expression), line.substr(4)) << expression;
    ++cases;
  }
  EXPECT_GT(cases, 80u);
}

TEST(KubernetesLibraries, RefuseAuthorizationWithoutAnAuthorizer) {
  EXPECT_THAT(outcome("authorizer.group('').resource('pods').check('get').allowed()"),
              ::testing::HasSubstr("undeclared reference to 'authorizer'"));
}

TEST(KubernetesVersions, AddTheirLibrariesInOrder) {
  auto has = [](std::uint32_t minor, std::string_view function) {
    const Environment environment(libraries_of(KubernetesMinor{minor}, formats()),
                                  kubernetes_options());
    return environment.find_function(function) != nullptr;
  };
  EXPECT_TRUE(has(25, "isSorted"));
  EXPECT_FALSE(has(27, "quantity"));
  EXPECT_TRUE(has(28, "quantity"));
  EXPECT_FALSE(has(29, "isIP"));
  EXPECT_TRUE(has(30, "isIP"));
  EXPECT_FALSE(has(30, "format.named"));
  EXPECT_TRUE(has(31, "format.named"));
  EXPECT_FALSE(has(32, "semver"));
  EXPECT_TRUE(has(33, "semver"));
  EXPECT_FALSE(has(33, "lists.range"));
  EXPECT_TRUE(has(34, "lists.range"));
}

TEST(KubernetesVersions, BothHaveTheSameLibrariesNow) {
  EXPECT_EQ(libraries_of(kThisKubernetes, formats()),
            libraries_of(kCompatibleKubernetes, formats()));
}

}  // namespace
}  // namespace strake::cel
