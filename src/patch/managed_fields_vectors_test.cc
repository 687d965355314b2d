// Drives update_managed_fields() with the objects of recorded conversations: from what was stored
// before and what was stored after follows who owns what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "patch/managed_fields.h"
#include "recorded_writes.h"
#include "support/vectors.h"
#include "value/fields.h"

namespace strake::patch {
namespace {

using ::testing::UnorderedElementsAreArray;
using value::Document;
using value::Value;

// The entries a client sent along, which may be a way to edit them.
const Value* sent_entries(const Value& step) {
  const Value* body = step.find("body");
  return body != nullptr && body->is_object() ? entries_of(*body) : nullptr;
}

bool is_write(const Value& step) {
  const std::string_view method = text_of(step, "method");
  return (method == "POST" || method == "PUT" || method == "PATCH") && !is_apply(step);
}

void check_write(const Value& step, const Value& after, const RecordedTarget& target,
                 const RecordedVersion& version, const Conversation& told, const std::string& key) {
  const auto before = told.stored.find(key);
  const Value* old = before != told.stored.end() ? &before->second.root() : nullptr;
  Document object = copy_of(after);
  Value& metadata = *object.root().find("metadata");
  metadata.remove("managedFields");
  const Value* sent = sent_entries(step);
  if (sent == nullptr && old != nullptr) sent = entries_of(*old);
  // Metadata of a custom resource in its canonical form has no empty list.
  if (sent != nullptr && sent->size() != 0) {
    metadata.set("managedFields", value::deep_copy(*sent, object.arena()), object.arena());
  } else if (old != nullptr && entries_of(*old) != nullptr) {
    metadata.set("managedFields", value::deep_copy(*entries_of(*old), object.arena()),
                 object.arena());
  }
  const std::string manager = manager_of(target);
  WriteContext context{.manager = manager,
                       .api_version = target.api_version,
                       .subresource = target.subresource,
                       .time = kRecordedTime};
  if (target.subresource == "status") {
    context.reset = {"metadata", "spec"};
  } else if (version.status) {
    context.reset = {"status"};
  }
  Arena arena;
  update_managed_fields(object.root(), old, version.schema.get(), context, arena);
  // Which second a write fell into is not in a recording, and so neither is the order.
  EXPECT_THAT(entries_as_text(object.root()), UnorderedElementsAreArray(entries_as_text(after)));
}

// How many writes were checked.
int play(const std::filesystem::path& file) {
  const Document recording = read_recording(file);
  const Value* steps = recording.root().find("steps");
  if (steps == nullptr) return 0;
  Conversation told;
  int checked = 0;
  for (const Value& step : steps->items()) {
    SCOPED_TRACE(file.filename().string() + " " + std::string(text_of(step, "id")));
    follow_crds(step, told);
    const Value* expect = step.find("expect");
    const Value* after = expect != nullptr ? expect->find("body") : nullptr;
    if (after == nullptr || !after->is_object()) continue;
    const RecordedTarget target = target_of(step);
    // What is deleted at once is answered with a Status.
    if (text_of(step, "method") == "DELETE" && text_of(*after, "status") == "Success")
      told.stored.erase(target.collection + "/" + target.name);
    const auto version = told.versions.find(target.version_key);
    const Value* metadata = after->find("metadata");
    if (version == told.versions.end() || metadata == nullptr ||
        text_of(*after, "apiVersion") != target.api_version) {
      continue;
    }
    const std::string key = target.collection + "/" + std::string(text_of(*metadata, "name"));
    if (text_of(*metadata, "name").empty()) continue;
    if (is_write(step)) {
      check_write(step, *after, target, version->second, told, key);
      ++checked;
    }
    if (target.query.find("dryRun") == std::string::npos)
      told.stored.insert_or_assign(key, copy_of(*after));
  }
  return checked;
}

TEST(ManagedFieldsRecordings, AreReproduced) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  int checked = 0;
  for (const auto& file : recordings_in(folder)) checked += play(file);
  RecordProperty("writes", checked);
  EXPECT_GT(checked, strake::testing::count_in(folder, 200, 20));
}

}  // namespace
}  // namespace strake::patch
