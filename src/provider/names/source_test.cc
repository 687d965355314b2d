#include "provider/names/source.h"

#include <gtest/gtest.h>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

const NativeIds kArm = {.beginnings = {"/subscriptions/"}, .prefixes = {"arm:", "resourceId:"}};

std::string_view kind_of(const Source& source, bool for_disk) {
  switch (source.kind) {
    case SourceKind::kNone: return for_disk ? "empty-disk" : "assigned-disk";
    case SourceKind::kDisk: return "disk";
    case SourceKind::kSnapshot: return "snapshot";
    case SourceKind::kNative: break;
  }
  return "native";
}

TEST(Sources, AreReadAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "source.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    const bool for_disk = text_of(one, "operation") == "disk";
    const auto parse = for_disk ? parse_disk_source : parse_snapshot_source;
    const auto source = parse(text_of(one, "source"), kArm);
    const Value& want = one.get("expect");
    ++cases;
    if (!text_of(want, "error").empty()) {
      ASSERT_FALSE(source) << text_of(one, "source");
      EXPECT_EQ(source.error().message(), text_of(want, "error"));
      EXPECT_EQ(source.error().error_class(), FailureClass::kValidation);
      continue;
    }
    ASSERT_TRUE(source) << source.error().message();
    EXPECT_EQ(kind_of(*source, for_disk), text_of(want, "kind")) << text_of(one, "source");
    const bool native = source->kind == SourceKind::kNative;
    EXPECT_EQ(source->text, text_of(want, native ? "id" : "name"));
    EXPECT_EQ(parse(to_string(*source, kArm), kArm).value(), *source);
  }
  EXPECT_GE(cases, testing::count_in(folder, 28U, 10U));
}

TEST(Sources, OfAProviderWithoutIdsAreAllNames) {
  EXPECT_EQ(parse_disk_source("arm:x").value(), (Source{SourceKind::kSnapshot, "arm:x"}));
  EXPECT_EQ(parse_snapshot_source("/subscriptions/x").value(),
            (Source{SourceKind::kDisk, "/subscriptions/x"}));
}

TEST(Sources, AreRefusedWhenAPrefixHasNoIdBehindIt) {
  const auto source = parse_disk_source("ARM:", kArm);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message(), "source id cannot be empty");
}

TEST(Sources, KeepTheirTypeWhenTheyAreWritten) {
  const Source cases[] = {{},
                          {SourceKind::kDisk, "/subscriptions/x"},
                          {SourceKind::kSnapshot, "disk:x"},
                          {SourceKind::kNative, "/Subscriptions/x"},
                          {SourceKind::kNative, "other"}};
  for (const Source& source : cases) {
    EXPECT_EQ(parse_disk_source(to_string(source, kArm), kArm).value(), source);
    EXPECT_EQ(parse_snapshot_source(to_string(source, kArm), kArm).value(), source);
  }
}

}  // namespace
}  // namespace strake::provider
