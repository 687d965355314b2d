#include "patch/scale_fields.h"

#include <gtest/gtest.h>

#include "patch/apply.h"
#include "patch/managed_fields.h"
#include "recorded_writes.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::read_json;
using value::to_json;
using value::Value;

constexpr std::string_view kVersion = "status-scale.http.example.com/v1";
const std::vector<ReplicasPath> kPaths{{kVersion, ".spec.replicas"}};

// The Scale of an object, with the owners of its replicas.
Value scale_of(const Value& object, int replicas, Arena& arena) {
  const std::string text = fmt::format(
      R"({{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{{"name":"a","uid":"u"}},)"
      R"("spec":{{"replicas":{}}}}})",
      replicas);
  Value scale = value::deep_copy(read_json(text)->root(), arena);
  const Value entries = entries_for_scale(object, kPaths, arena).value();
  if (entries.size() != 0) scale.find("metadata")->set("managedFields", entries, arena);
  return scale;
}

WriteContext context_of(std::string_view manager) {
  return {.manager = manager,
          .api_version = kScaleVersion,
          .subresource = "scale",
          .time = kRecordedTime};
}

// Writes other replicas through /scale.
void write_scale(Value& object, int before, int after, Arena& arena) {
  const Value old = scale_of(object, before, arena);
  Value scale = scale_of(object, after, arena);
  update_managed_fields(scale, &old, scale_schema(), context_of("Python-urllib"), arena);
  const Value entries = entries_from_scale(object, scale, kVersion, kPaths, arena).value();
  object.find("metadata")->set("managedFields", entries, arena);
  object.find("spec")->set("replicas", Value::integer(after), arena);
}

TEST(ScaleFields, FollowTheRecording) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  const Document recording = read_recording(folder / "http_status_scale.json");
  const auto recorded = [&](std::string_view id) -> const Value& {
    for (const Value& step : recording.root().find("steps")->items()) {
      if (text_of(step, "id") == id) return *step.find("expect")->find("body");
    }
    ADD_FAILURE() << id;
    return recording.root();
  };
  Document object = copy_of(recorded("put-main-status"));
  write_scale(object.root(), 2, 5, object.arena());
  write_scale(object.root(), 5, 7, object.arena());
  EXPECT_EQ(entries_as_text(object.root()), entries_as_text(recorded("after")));

  const Value live = scale_of(object.root(), 7, object.arena());
  const Document config =
      read_json(R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},)"
                R"("spec":{"replicas":3}})")
          .value();
  const ApplyContext how{.write = context_of("hpa"), .kind = "Scale"};
  const auto applied = apply(&live, config.root(), scale_schema(), how, object.arena());
  ASSERT_FALSE(applied);
  EXPECT_EQ(to_json(applied.error().to_document().root()), to_json(recorded("apply-scale")));
}

TEST(ScaleFields, KeepWhatTheWriterOwnedElsewhere) {
  Arena arena;
  Value object = value::deep_copy(read_json(
                                      R"({"metadata":{"managedFields":[
            {"manager":"one","operation":"Apply","apiVersion":"status-scale.http.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:size":{}}}},
            {"manager":"old","operation":"Update","apiVersion":"gone/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:x":{}}}}
          ]},"spec":{"replicas":1,"size":1}})")
                                      ->root(),
                                  arena);
  EXPECT_EQ(
      to_json(entries_for_scale(object, kPaths, arena).value()),
      R"([{"apiVersion":"autoscaling/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}},"manager":"one","operation":"Apply"}])");
  write_scale(object, 1, 1, arena);
  EXPECT_EQ(
      to_json(*entries_of(object)),
      R"([{"apiVersion":"status-scale.http.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:size":{}}},"manager":"one","operation":"Apply"}])");
  write_scale(object, 1, 2, arena);
  EXPECT_EQ(
      to_json(*entries_of(object)),
      R"([{"apiVersion":"status-scale.http.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:size":{}}},"manager":"one","operation":"Apply"},)"
      R"({"apiVersion":"status-scale.http.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}},"manager":"Python-urllib","operation":"Update","subresource":"scale"}])");
}

}  // namespace
}  // namespace strake::patch
