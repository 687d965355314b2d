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

TEST(SplitYaml, FindsAMarkerWhereverItStands) {
  for (std::size_t before = 1; before < 70; ++before) {
    for (std::size_t after = 0; after < 40; ++after) {
      const std::string first = std::string(before, 'a') + "\n";
      const std::string second = "---" + (after == 0 ? "" : "\n" + std::string(after, 'b'));
      const auto parts = split_yaml(first + second);
      ASSERT_TRUE(parts);
      ASSERT_EQ(parts->size(), 2u) << before << " " << after;
      EXPECT_EQ(parts->front().size(), first.size());
      EXPECT_FALSE(split_yaml(first + "..." + second));
      EXPECT_FALSE(split_yaml(first + "%" + second));
      EXPECT_EQ(split_yaml(first + "- " + second)->size(), 1u);
      EXPECT_EQ(split_yaml(first + ".. " + second)->size(), 1u);
    }
  }
}

TEST(ScanText, SaysOfEachDocumentWhatItIs) {
  const std::string text = crd("  group: a.example\n  names:\n    kind: Thing\n") +
                           "---\nkind: Other\n---\nkind: List\n";
  const std::vector<ScannedPart> parts = scan_text(text);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].scan, Scan::kDefinition);
  EXPECT_EQ(parts[0].definition.group, "a.example");
  EXPECT_EQ(parts[0].definition.kind, "Thing");
  EXPECT_EQ(parts[1].scan, Scan::kOther);
  EXPECT_EQ(parts[2].scan, Scan::kUnclear);
  EXPECT_EQ(parts[2].text, "---\nkind: List\n");
}

TEST(ScanText, LeavesATextThatItCannotDivideAsOneUnclearPart) {
  const std::vector<ScannedPart> parts = scan_text("%YAML 1.1\n---\na: 1\n---\nb: 2\n");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].scan, Scan::kUnclear);
  EXPECT_EQ(parts[0].text, "%YAML 1.1\n---\na: 1\n---\nb: 2\n");
}

}  // namespace
}  // namespace strake::validate
