// Plays the recorded applies against apply() itself.
#include <gtest/gtest.h>

#include "patch/apply.h"
#include "patch/merge_patch.h"
#include "recorded_writes.h"
#include "schema/defaults.h"
#include "schema/prune.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::Value;

// What the server checks itself, before or after.
bool is_of_the_server(std::string_view id) {
  return id == "no-manager" || id == "uid-mismatch" || id == "name-mismatch";
}

class Player {
 public:
  // How many answers were compared.
  int play(const std::filesystem::path& file) {
    const Document recording = read_recording(file);
    int compared = 0;
    for (const Value& step : recording.root().find("steps")->items()) {
      SCOPED_TRACE(file.filename().string() + " " + std::string(text_of(step, "id")));
      follow_crds(step, told_);
      const Value* expect = step.find("expect");
      if (expect == nullptr || step.find("body") == nullptr ||
          is_of_the_server(text_of(step, "id"))) {
        continue;
      }
      const RecordedTarget target = target_of(step);
      const auto version = told_.versions.find(target.version_key);
      if (version == told_.versions.end() || !target.subresource.empty()) continue;
      if (is_apply(step)) {
        apply_step(step, *expect, target, version->second);
        ++compared;
      } else if (text_of(step, "method") == "PATCH") {
        update_step(step, *expect, target, version->second);
        ++compared;
      }
    }
    return compared;
  }

 private:
  WriteContext context(const RecordedTarget& target) {
    manager_ = manager_of(target);
    return {.manager = manager_, .api_version = target.api_version, .time = kRecordedTime};
  }
  const Value* live(const std::string& key) const {
    const auto found = told_.stored.find(key);
    return found != told_.stored.end() ? &found->second.root() : nullptr;
  }

  void apply_step(const Value& step, const Value& expect, const RecordedTarget& target,
                  const RecordedVersion& version) {
    const Value& body = *step.find("body");
    const std::string key = target.collection + "/" + target.name;
    ApplyContext how{.write = context(target),
                     .kind = text_of(body, "kind"),
                     .force = target.query.find("force=true") != std::string::npos};
    Arena arena;
    const auto applied = apply(live(key), body, version.schema.get(), how, arena);
    const Value& want = *expect.find("body");
    if (!applied) {
      EXPECT_EQ(applied.error().code, expect.find("code")->as_int());
      EXPECT_EQ(value::to_json(applied.error().to_document().root()), value::to_json(want));
      return;
    }
    EXPECT_EQ(text_of(want, "kind"), how.kind) << value::to_json(want);
    if (live(key) != nullptr) {
      const auto generation = [](const Value& v) {
        return v.find("metadata")->find("generation")->as_int();
      };
      EXPECT_EQ(applied->changed, generation(want) != generation(*live(key)));
    }
    compare(applied->object, want, version);
    told_.stored.insert_or_assign(key, copy_of(want));
  }

  void update_step(const Value& step, const Value& expect, const RecordedTarget& target,
                   const RecordedVersion& version) {
    const std::string key = target.collection + "/" + target.name;
    if (live(key) == nullptr) return;
    Arena arena;
    Value object = apply_merge_patch(*live(key), *step.find("body"), arena);
    Value& metadata = *object.find("metadata");
    if (metadata.find("managedFields") != nullptr && metadata.find("managedFields")->size() == 0)
      metadata.remove("managedFields");  // as canonical metadata has it
    update_managed_fields(object, live(key), version.schema.get(), context(target), arena);
    const Value& want = *expect.find("body");
    compare(object, want, version);
    told_.stored.insert_or_assign(key, copy_of(want));
  }

  static void compare(const Value& got, const Value& want, const RecordedVersion& version) {
    Document settled;
    settled.root() = value::deep_copy(got, settled.arena());
    schema::prune_nulls(settled.root(), *version.schema);
    schema::apply_defaults(settled.root(), *version.schema, settled.arena());
    const auto spec = [](const Value& v) {
      return v.find("spec") != nullptr ? value::to_json(*v.find("spec")) : "none";
    };
    EXPECT_EQ(spec(settled.root()), spec(want));
    EXPECT_EQ(entries_as_text(settled.root()), entries_as_text(want));
  }

  Conversation told_;
  std::string manager_;
};

TEST(ApplyRecordings, AreReproduced) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  EXPECT_EQ(Player().play(folder / "http_server_side_apply.json"),
            testing::count_in(folder, 19, 8));
  EXPECT_GE(Player().play(folder / "http_field_validation.json"), 1);
}

}  // namespace
}  // namespace strake::patch
