#include "kustomize/merge/merge.h"

#include <gtest/gtest.h>

#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/node_value.h"

namespace strake::kustomize {
namespace {

struct MergeCase {
  std::string name;
  std::string base;
  std::string patch;
  std::string want;
};

// Lists that merge by k, by k and p, and as scalars.
constexpr std::string_view kSchema =
    R"({"definitions":{"t":{"x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"T"}],
    "properties":{
    "one":{"type":"array","x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"k"},
    "two":{"type":"array","x-kubernetes-patch-strategy":"merge","x-kubernetes-list-map-keys":["k","p"]},
    "set":{"type":"array","x-kubernetes-patch-strategy":"merge"}}}}})";

std::string merged(const std::string& base, const std::string& patch,
                   const MergeOptions& options = {}) {
  NodeArena arena;
  BuildSchemas schemas;
  EXPECT_TRUE(schemas.set(std::nullopt, std::string(kSchema), true));
  const std::string head = "apiVersion: v1\nkind: T\n";
  const std::string base_text = head + base;
  const std::string patch_text = head + patch;
  const auto bases = read_nodes(base_text, arena);
  const auto patches = read_nodes(patch_text, arena);
  EXPECT_TRUE(bases && patches);
  const auto result = strategic_merge(bases->front(), patches->front(),
                                      MergeSchemas(schemas, nullptr), options, arena);
  if (!result) return "error: " + result.error().message();
  if (*result == nullptr) return "gone";
  NodeArena::remove(**result, "apiVersion");
  NodeArena::remove(**result, "kind");
  return to_text(**result);
}

class StrategicMerge : public ::testing::TestWithParam<MergeCase> {};

TEST_P(StrategicMerge, GivesWhatTheReferenceGives) {
  const MergeCase& one = GetParam();
  EXPECT_EQ(merged(one.base, one.patch), one.want);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, StrategicMerge,
    ::testing::Values(
        MergeCase{"ItemsOfThePatchFirst", "one: [{k: a}, {k: b}, {k: c}]",
                  "one: [{k: c, x: 1}, {k: n}]",
                  "one:\n- k: c\n  x: 1\n- k: \"n\"\n- k: a\n- k: b\n"},
        MergeCase{"ItemsRemoved", "one: [{k: a}, {k: b}]", "one: [{k: b, $patch: delete}]",
                  "one:\n- k: a\n"},
        MergeCase{"DuplicatesFolded", "one: [{k: a, v: 1}, {k: b}, {k: a, v: 2}]", "x: 1",
                  "one:\n- k: a\n  v: 2\n- k: b\nx: 1\n"},
        MergeCase{"TwoKeys", "two: [{k: 80, p: TCP}, {k: 80, p: UDP}]",
                  "two: [{k: 80, p: UDP, x: 1}, {k: 90, p: TCP}]",
                  "two:\n- k: 90\n  p: TCP\n- k: 80\n  p: TCP\n- k: 80\n  p: UDP\n  x: 1\n"},
        MergeCase{"TwoKeysOneAbsentEverywhere", "two: [{k: 80}, {k: 81}]",
                  "two: [{k: 81, x: 1}, {k: 82}]", "two:\n- k: 81\n  x: 1\n- k: 82\n- k: 80\n"},
        MergeCase{"PatchItemLostWhenAKeyIsMissing", "two: [{k: 80, p: TCP}]",
                  "two: [{k: 80, x: 1}]", "two:\n- k: 80\n  p: TCP\n"},
        MergeCase{"Scalars", "set: [x, y]", "set: [z, x]", "set:\n- z\n- x\n- \"y\"\n"},
        MergeCase{"ListsWithoutSchemaReplaced", "other: [{k: a}, {k: b}]", "other: [{k: c}]",
                  "other:\n- k: c\n"},
        MergeCase{"NullRemoves", "a: 1\nb: {c: 1, d: 2}", "a: null\nb: {c: ~}", "b:\n  d: 2\n"},
        MergeCase{"BlankVanishes", "a:\nb: null\nc: 1", "c: 2", "b: null\nc: 2\n"},
        MergeCase{"StyleStays", "a: '1'\nb: 1", "a: 2\nb: '2'", "a: \"2\"\nb: \"2\"\n"},
        MergeCase{"MapReplaced", "m: {a: 1, b: 2}", "m: {$patch: replace, c: 3}", "m:\n  c: 3\n"},
        MergeCase{"MapDeleted", "m: {a: 1}\nn: 1", "m: {$patch: delete}", "\"n\": 1\n"},
        MergeCase{"DirectivesInNewParts", "a: 1", "m: {x: {$patch: delete}, y: {z: null}, w: 1}",
                  "a: 1\nm:\n  w: 1\n  \"y\": {}\n"},
        MergeCase{"ListDirective", "one: [{k: a}]", "one: [{$patch: replace}, {k: b}]",
                  "one:\n- k: b\n"},
        MergeCase{"ListDeleted", "one: [{k: a}]\nx: 1", "one: [{$patch: delete}]", "x: 1\n"},
        MergeCase{"ResourceDeleted", "a: 1", "$patch: delete", "gone"},
        MergeCase{"UnknownDirective", "m: {a: 1}", "m: {$patch: zap}",
                  "error: unknown patch strategy 'zap'"},
        MergeCase{"WrongKind", "m: {a: 1}", "m: [1]",
                  "error: wrong node kind: expected MappingNode but got SequenceNode: node "
                  "contents:\n- 1\n"}),
    [](const auto& info) { return info.param.name; });

TEST(StrategicMergeOptions, KeepOrderLeavesItemsInTheirPlaces) {
  EXPECT_EQ(merged("one: [{k: a}, {k: b}]", "one: [{k: c}, {k: b, x: 1}]", {.keep_order = true}),
            "one:\n- k: a\n- k: b\n  x: 1\n- k: c\n");
}

TEST(StrategicMergeOptions, ReplaceItemsMakesTheDirectiveWork) {
  const std::string patch = "one: [{k: a, $patch: replace, x: 1}]";
  EXPECT_EQ(merged("one: [{k: a, v: 1}]", patch), "one:\n- k: a\n  v: 1\n");
  EXPECT_EQ(merged("one: [{k: a, v: 1}]", patch, {.replace_items = true}),
            "one:\n- k: a\n  x: 1\n");
}

}  // namespace
}  // namespace strake::kustomize
