#include "validate/scan.h"

#include <gtest/gtest.h>

#include <string>

namespace strake::validate {
namespace {

std::string scan(std::string_view text) {
  ScannedDefinition found;
  switch (scan_definition(text, found)) {
    case Scan::kDefinition: return std::string(found.group) + "/" + std::string(found.kind);
    case Scan::kOther: return "other";
    case Scan::kUnclear: return "unclear";
  }
  return "";
}

constexpr std::string_view kHead =
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";

std::string crd(std::string_view spec) {
  return std::string(kHead) + "spec:\n" + std::string(spec);
}

TEST(ScanDefinition, FindsGroupAndKind) {
  EXPECT_EQ(scan(crd("  group: a.example\n  names:\n    kind: Thing\n    plural: things\n")),
            "a.example/Thing");
  EXPECT_EQ(scan(crd("    names:\n        plural: things\n        kind: \"Thing\"  # so\n    "
                     "group: 'a.example'\n")),
            "a.example/Thing");
}

TEST(ScanDefinition, DoesNotMistakeOtherKindsForTheDefinedOne) {
  EXPECT_EQ(scan("---\n# the kind: Wrong\n" +
                 crd("  conversion:\n    kind: Wrong\n    group: wrong\n  group: g\n"
                     "  names:\n    categories:\n    - kind: Wrong\n    kind: Right\n")),
            "g/Right");
  EXPECT_EQ(scan("metadata:\n  kind: Wrong\n  names:\n    kind: Wrong\n" +
                 crd("  group: g\n  names:\n    kind: Right\n")),
            "g/Right");
}

TEST(ScanDefinition, KnowsWhatIsNone) {
  EXPECT_EQ(scan("apiVersion: apps/v1\nkind: Deployment\n"), "other");
  EXPECT_EQ(scan("kind: ConfigMap\napiVersion: v1\n"), "other");
  EXPECT_EQ(scan("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"),
            "other");
}

TEST(ScanDefinition, LeavesToTheReaderWhatItCannotSee) {
  EXPECT_EQ(scan("{\"kind\": \"CustomResourceDefinition\"}"), "unclear");
  EXPECT_EQ(scan("\"kind\": CustomResourceDefinition\n"), "unclear");
  EXPECT_EQ(scan("apiVersion: v1\nkind: List\nitems: []\n"), "unclear");
  EXPECT_EQ(scan(crd("  group: *g\n")), "unclear");
  EXPECT_EQ(scan(crd("  group: g\n  names: {kind: Thing}\n")), "unclear");
  EXPECT_EQ(scan(std::string(kHead) + "spec: {group: g}\n"), "unclear");
  EXPECT_EQ(scan("--- {kind: CustomResourceDefinition}\n"), "unclear");
  EXPECT_EQ(scan(""), "unclear");
}

TEST(SplitYaml, DividesAtMarkersOnly) {
  const auto parts = split_yaml("a: 1\n---\nb: |\n  ---\n  x\n--- # c\n---d: 3\n");
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 3u);
  EXPECT_EQ((*parts)[0], "a: 1\n");
  EXPECT_EQ((*parts)[1], "---\nb: |\n  ---\n  x\n");
  EXPECT_EQ((*parts)[2], "--- # c\n---d: 3\n");
}

TEST(SplitYaml, LeavesDirectivesAndEndMarkersToTheReader) {
  EXPECT_FALSE(split_yaml("%YAML 1.1\n---\na: 1\n"));
  EXPECT_FALSE(split_yaml("a: 1\n...\nb: 2\n"));
  EXPECT_TRUE(split_yaml("a: one...\n"));
}

}  // namespace
}  // namespace strake::validate
