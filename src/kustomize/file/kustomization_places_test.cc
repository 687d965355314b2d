#include "kustomize/file/kustomization_places.h"

#include <gtest/gtest.h>

#include "kustomize/config/kustomization.h"

namespace strake::kustomize {
namespace {

KustomizationPlaces places_in(const std::string& text) {
  auto document = read_kustomization_yaml(text);
  EXPECT_TRUE(document.has_value()) << document.error().to_string();
  return {text, *std::move(document)};
}

std::uint32_t error_line(const std::string& text) {
  const auto document = read_kustomization_yaml(text);
  EXPECT_TRUE(document.has_value()) << document.error().to_string();
  const auto decoded = decode_kustomization(document->root(), ".");
  EXPECT_FALSE(decoded.has_value());
  return decoded ? 0 : line_of_decode_error(document->root(), decoded.error().message());
}

TEST(KustomizationPlaces, NameTheLineOfAFieldWhateverItsCase) {
  const KustomizationPlaces places = places_in("namePrefix: a-\nResources:\n- a.yaml\n- b.yaml\n");
  EXPECT_EQ(places.line_of_field("resources"), 2U);
  EXPECT_EQ(places.line_of_field("nameprefix"), 1U);
  EXPECT_EQ(places.line_of_field("patches"), 0U);
}

TEST(KustomizationPlaces, NameTheLineOfAnEntryByItsTextOrByAFieldOfIt) {
  const KustomizationPlaces places = places_in(
      "resources:\n- a.yaml\n- b.yaml\npatches:\n- target: {kind: Pod}\n  path: one.yaml\n"
      "- path: two.yaml\n");
  EXPECT_EQ(places.line_of_field("resources", "b.yaml"), 3U);
  EXPECT_EQ(places.line_of_field("patches", "one.yaml"), 5U);
  EXPECT_EQ(places.line_of_field("patches", "two.yaml"), 7U);
  EXPECT_EQ(places.line_of_field("patches", "three.yaml"), 4U) << "the field";
}

TEST(KustomizationPlaces, CountLinesWithinLiteralTextsOnly) {
  const KustomizationPlaces places = places_in(
      "patches:\n"
      "- patch: |\n"
      "    a: 1\n"
      "    b: 2\n"
      "- patch: >-\n"
      "    {a: 1,\n"
      "    b: 2}\n"
      "- patch: \"{a: 1,\n"
      "    b: 2}\"\n"
      "- patch: &kept !!str |-\n"
      "    a: 1\n"
      "    b: 2\n"
      "- patch: *kept\n"
      "- path: a.yaml\n");
  EXPECT_EQ(places.line_of_text("patches", 0, 2), 4U);
  EXPECT_EQ(places.line_of_text("patches", 1, 2), 5U);
  EXPECT_EQ(places.line_of_text("patches", 2, 2), 8U);
  EXPECT_EQ(places.line_of_text("patches", 3, 2), 12U);
  EXPECT_EQ(places.line_of_text("patches", 4, 2), 0U) << "it stands elsewhere";
  EXPECT_EQ(places.line_of_text("patches", 5, 2), 0U) << "it is in another file";
  EXPECT_EQ(places.line_of_text("patches", 9, 1), 0U);
}

TEST(KustomizationPlaces, CountLinesOfEntriesThatAreTextsThemselves) {
  const KustomizationPlaces places =
      places_in("patchesStrategicMerge:\n- a.yaml\n- |-\n  kind: A\n  b: 1\n");
  EXPECT_EQ(places.line_of_text("patchesStrategicMerge", 1, 2), 5U);
}

TEST(KustomizationPlaces, NameTheLineOfWhatCannotBeDecoded) {
  EXPECT_EQ(error_line("resources: []\nzzz: 1\nlabels:\n- pears: {}\n"), 4U)
      << "fields are decoded in the order of their names";
  EXPECT_EQ(error_line("labels:\n- pairs: {a: b}\n- pairs:\n    c: d\n    e: 1\n"), 5U);
  EXPECT_EQ(error_line("resources: a.yaml\n"), 1U);
  EXPECT_EQ(error_line("kind: Pod\n"), 0U) << "a message about no field";
}

// A field of the same name may stand further down, under a name that sorts first.
TEST(KustomizationPlaces, NameTheFirstOfEqualKeysInTheText) {
  EXPECT_EQ(error_line("resources:\n- a.yaml\npatches:\n- wrong: 1\nimages:\n- wrong: 1\n"), 4U);
}

}  // namespace
}  // namespace strake::kustomize
