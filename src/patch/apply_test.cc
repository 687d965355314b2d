#include "patch/apply.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "patch/typed_merge.h"
#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::read_json;
using value::to_json;
using value::Value;

schema::NodePtr compile(const char* text) {
  return schema::compile(read_json(text)->root()).value();
}

constexpr const char* kSchema = R"({
  "type": "object",
  "properties": {
    "spec": {"type": "object", "properties": {
      "a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"},
      "map": {"type": "object", "additionalProperties": {"type": "string"}},
      "whole": {"type": "object", "x-kubernetes-map-type": "atomic",
                "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}},
      "list": {"type": "array", "items": {"type": "string"}},
      "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
      "items": {"type": "array", "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {"type": "object", "properties": {
                  "name": {"type": "string"}, "v": {"type": "integer"}, "w": {"type": "integer"},
                  "nested": {"type": "array", "items": {"type": "string"},
                             "x-kubernetes-list-type": "set"}}}},
      "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
    "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}}
  }
})";

class ApplyTest : public ::testing::Test {
 protected:
  ApplyTest() : schema_(compile(kSchema)) {}

  // Applies a spec, and gives back the spec that comes of it, or the message of the refusal.
  std::string apply_spec(const std::string& spec, const std::string& manager, bool force = false) {
    return apply_body(fmt::format(R"("metadata":{{"name":"n"}},"spec":{})", spec), manager, force);
  }
  std::string apply_body(const std::string& rest, const std::string& manager, bool force = false) {
    documents_.push_back(
        read_json(fmt::format(R"({{"apiVersion":"{}","kind":"K",{}}})", version_, rest)).value());
    ApplyContext context{.write = write(manager), .kind = "K", .force = force};
    const std::string before = stored_ ? to_json(*stored_) : "";
    const auto applied = apply(stored_ ? &*stored_ : nullptr, documents_.back().root(),
                               schema_.get(), context, arena_);
    EXPECT_EQ(stored_ ? to_json(*stored_) : "", before) << "the live object changed";
    if (!applied) {
      refusal_ = applied.error();
      return refusal_.message;
    }
    changed_ = applied->changed;
    store(applied->object);
    return spec();
  }
  // Replaces the spec without applying.
  std::string update_spec(const std::string& spec_text, const std::string& manager) {
    Value object = value::deep_copy(*stored_, arena_);
    documents_.push_back(read_json(spec_text).value());
    object.set("spec", documents_.back().root(), arena_);
    update_managed_fields(object, &*stored_, schema_.get(), write(manager), arena_);
    store(object);
    return entries();
  }
  WriteContext write(const std::string& manager) {
    names_.push_back(manager);
    return {.manager = names_.back(),
            .api_version = version_,
            .time = time_,
            .reset = {"status"},
            .others = others_};
  }
  void store(const Value& object) {
    stored_ = value::deep_copy(object, arena_);
    stored_->find("metadata")->set("uid", Value::string("u"), arena_);
  }
  std::string spec() const {
    return stored_->find("spec") != nullptr ? to_json(*stored_->find("spec")) : "none";
  }
  std::string entries() const {
    const Value* found = stored_->find("metadata")->find("managedFields");
    if (found == nullptr) return "none";
    std::string out;
    for (const Value& entry : found->items()) {
      const Value* time = entry.find("time");
      out += fmt::format("{}{} {}{} {}", out.empty() ? "" : "\n",
                         entry.find("manager")->as_string(), entry.find("operation")->as_string(),
                         time != nullptr ? std::string(time->as_string().substr(16, 3)) : "",
                         to_json(*entry.find("fieldsV1")->find("f:spec")));
    }
    return out;
  }
  void at(const char* seconds) { time_ = fmt::format("2024-01-01T00:00:{}Z", seconds); }

  Arena arena_;
  schema::NodePtr schema_;
  std::string version_ = "example.com/v1";
  std::string time_ = "2024-01-01T00:00:01Z";
  const OtherVersions* others_ = nullptr;
  std::optional<Value> stored_;
  bool changed_ = false;
  meta::Status refusal_;
  std::deque<std::string> names_;
  std::deque<Document> documents_;
};

TEST_F(ApplyTest, CreatesWhatIsNotThere) {
  EXPECT_EQ(apply_spec(R"({"a":1,"set":["x"]})", "one"), R"({"a":1,"set":["x"]})");
  EXPECT_TRUE(changed_);
  EXPECT_EQ(entries(), R"(one Apply:01 {"f:a":{},"f:set":{"v:\"x\"":{}}})");
}

TEST_F(ApplyTest, RemovesWhatIsNoLongerApplied) {
  apply_spec(R"({"a":1,"map":{"x":"1","y":"2"},"items":[{"name":"p","v":1},{"name":"q"}]})", "one");
  EXPECT_EQ(apply_spec(R"({"map":{"y":"2"},"items":[{"name":"p"}]})", "one"),
            R"({"items":[{"name":"p"}],"map":{"y":"2"}})");
  EXPECT_EQ(apply_spec(R"({"map":{"y":"2"}})", "one"), R"({"map":{"y":"2"}})");
}

TEST_F(ApplyTest, LeavesWhatOthersOwnOrNobodyDoes) {
  apply_spec(R"({"a":1,"b":1,"items":[{"name":"p","v":1}]})", "one");
  apply_spec(R"({"b":1})", "two");
  EXPECT_EQ(entries(),
            "two Apply {\"f:b\":{}}\none Apply:01 {\"f:a\":{},\"f:b\":{},\"f:items\":{"
            "\"k:{\\\"name\\\":\\\"p\\\"}\":{\".\":{},\"f:name\":{},\"f:v\":{}}}}")
      << "who applies what is there owns it too, but no time is noted";
  update_spec(R"({"a":1,"b":1,"c":1,"items":[{"name":"p","v":1,"w":2},{"name":"q"}]})", "three");
  EXPECT_EQ(apply_spec(R"({})", "one"), R"({"b":1,"c":1,"items":[{"name":"q"}]})")
      << "an item goes with who owns it, whoever set something in it";
}

TEST_F(ApplyTest, KeepsTimesWhenNothingChanged) {
  apply_spec(R"({"a":1})", "one");
  at("05");
  apply_spec(R"({"a":1})", "one");
  EXPECT_FALSE(changed_);
  EXPECT_EQ(entries(), R"(one Apply:01 {"f:a":{}})");
  apply_spec(R"({"a":2})", "one");
  EXPECT_TRUE(changed_);
  EXPECT_EQ(entries(), R"(one Apply:05 {"f:a":{}})");
}

TEST_F(ApplyTest, RefusesToChangeWhatOthersOwn) {
  apply_spec(R"({"a":1,"b":1})", "one");
  update_spec(R"({"a":1,"b":1,"c":1})", "upd");
  EXPECT_EQ(apply_spec(R"({"a":2})", "two"),
            R"(Apply failed with 1 conflict: conflict with "one": .spec.a)");
  EXPECT_EQ(refusal_.code, 409);
  EXPECT_EQ(apply_spec(R"({"a":2,"b":2,"c":2})", "two"),
            "Apply failed with 3 conflicts: conflicts with \"one\":\n- .spec.a\n- .spec.b\n"
            "conflicts with \"upd\" using example.com/v1:\n- .spec.c");
  ASSERT_EQ(refusal_.details.causes.size(), 3u);
  EXPECT_EQ(refusal_.details.causes[2],
            (meta::StatusCause{.reason = "FieldManagerConflict",
                               .message = "conflict with \"upd\" using example.com/v1",
                               .field = ".spec.c"}));
  EXPECT_EQ(apply_spec(R"({"a":2})", "two", true), R"({"a":2,"b":1,"c":1})");
  EXPECT_EQ(entries(),
            "one Apply:01 {\"f:b\":{}}\ntwo Apply:01 {\"f:a\":{}}\nupd Update:01 {\"f:c\":{}}");
}

TEST_F(ApplyTest, TakesAtomicPartsAsAWhole) {
  apply_spec(R"({"whole":{"x":1},"list":["a"]})", "one");
  EXPECT_EQ(apply_spec(R"({"whole":{"y":1}})", "two"),
            R"(Apply failed with 1 conflict: conflict with "one": .spec.whole)");
  EXPECT_EQ(apply_spec(R"({"whole":{"y":1},"list":["b"]})", "two", true),
            R"({"list":["b"],"whole":{"y":1}})");
  EXPECT_EQ(entries(), R"(two Apply:01 {"f:list":{},"f:whole":{}})");
}

TEST_F(ApplyTest, GivesWhatWasThereBeforeToSomeone) {
  documents_.push_back(
      read_json(R"({"apiVersion":"example.com/v1","kind":"K","metadata":{"name":"n","uid":"u",)"
                R"("labels":{"l":"1"}},"spec":{"a":1,"b":1},"status":{"ready":true}})")
          .value());
  stored_ = documents_.back().root();
  EXPECT_EQ(apply_spec(R"({"a":2})", "one"),
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using "
            "example.com/v1: .spec.a");
  EXPECT_EQ(apply_spec(R"({"a":1,"c":1})", "one"), R"({"a":1,"b":1,"c":1})");
  EXPECT_EQ(entries(),
            "one Apply:01 {\"f:a\":{},\"f:c\":{}}\n"
            "before-first-apply Update:01 {\".\":{},\"f:a\":{},\"f:b\":{}}");
}

TEST_F(ApplyTest, ChecksTypesAndShapes) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("metadata":{"name":"n"},"spec":{"x":1})",
       "failed to create typed patch object (/n; example.com/v1, Kind=K): .spec.x: field not "
       "declared in schema"},
      {R"("metadata":{"name":"n","namespace":"ns"},"spec":{"a":"x"})",
       "failed to create typed patch object (ns/n; example.com/v1, Kind=K): .spec.a: expected "
       "numeric (int or float), got string"},
      {R"("metadata":{"name":true})",
       "failed to create typed patch object (/; example.com/v1, Kind=K): .metadata.name: expected "
       "string, got &value.valueUnstructured{Value:true}"},
  };
  for (const auto& [body, want] : cases) {
    EXPECT_EQ(apply_body(body, "one"), want);
    EXPECT_EQ(refusal_.code, 500);
    EXPECT_EQ(refusal_.reason, "");
  }
  EXPECT_EQ(apply_body(R"("metadata":{"name":"n","managedFields":[]})", "one"),
            "metadata.managedFields must be nil");
  EXPECT_EQ(refusal_.code, 400);
  const ApplyContext other{.write = write("one"), .kind = "Other"};
  const auto wrong = apply(nullptr, read_json(R"({"apiVersion":"v1","kind":"K"})")->root(),
                           schema_.get(), other, arena_);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "invalid object type: /v1, Kind=K");
}

TEST_F(ApplyTest, NeverOwnsWhatTheEndpointResets) {
  apply_body(R"("metadata":{"name":"n"},"spec":{"a":1},"status":{"ready":true})", "one");
  EXPECT_EQ(entries(), R"(one Apply:01 {"f:a":{}})");
}

TEST_F(ApplyTest, TracksUnknownFieldsByTheirShape) {
  apply_spec(R"({"free":{"m":{"x":1,"y":1},"l":[1]}})", "one");
  EXPECT_EQ(apply_spec(R"({"free":{"m":{"x":2}}})", "two", true),
            R"({"free":{"l":[1],"m":{"x":2,"y":1}}})");
  EXPECT_EQ(apply_spec(R"({"free":{"m":{"y":1}}})", "one"), R"({"free":{"m":{"x":2,"y":1}}})");
}

TEST_F(ApplyTest, LetsKubectlTakeOverWhatItAppliedItself) {
  const char* live =
      R"({{"apiVersion":"example.com/v1","kind":"K","metadata":{{"name":"n","uid":"u","annotations":)"
      R"({{"kubectl.kubernetes.io/last-applied-configuration":"{}"}},"managedFields":[)"
      R"({{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"example.com/v1",)"
      R"("fieldsType":"FieldsV1","fieldsV1":{{"f:spec":{{"f:a":{{}},"f:b":{{}}}}}}}}]}},"spec":{{"a":1,"b":1}}}})";
  const char* last_applied =
      R"({\"apiVersion\":\"example.com/v1\",\"kind\":\"K\",\"metadata\":{\"name\":\"n\"},\"spec\":{\"a\":1}})";
  documents_.push_back(read_json(fmt::format(fmt::runtime(live), last_applied)).value());
  stored_ = documents_.back().root();
  EXPECT_EQ(apply_spec(R"({"a":2})", "other").substr(0, 31), "Apply failed with 1 conflict: c");
  EXPECT_EQ(apply_spec(R"({"a":2,"b":2})", "kubectl"),
            "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using "
            "example.com/v1: .spec.b");
  EXPECT_EQ(apply_spec(R"({"a":2})", "kubectl"), R"({"a":2,"b":1})");
  EXPECT_EQ(stored_->find("metadata")
                ->find("annotations")
                ->find("kubectl.kubernetes.io/last-applied-configuration")
                ->as_string(),
            R"({"apiVersion":"example.com/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":2}})"
            "\n");
}

TEST_F(ApplyTest, PrunesInTheVersionThatWasAppliedLast) {
  const schema::NodePtr v2 = compile(kSchema);
  const SameShapeVersions versions({{"example.com/v1", schema_}, {"example.com/v2", v2}});
  others_ = &versions;
  apply_spec(R"({"a":1,"b":1})", "one");
  version_ = "example.com/v2";
  stored_->set("apiVersion", Value::string(version_), arena_);
  EXPECT_EQ(apply_spec(R"({"a":1})", "one"), R"({"a":1})");
  EXPECT_EQ(to_json(*stored_->find("apiVersion")), R"("example.com/v2")");
  EXPECT_EQ(apply_spec(R"({"a":2})", "two"),
            R"(Apply failed with 1 conflict: conflict with "one": .spec.a)");
}

TEST_F(ApplyTest, TakesObjectsAsDeepAsFieldsAreTracked) {
  const auto nested = [](std::size_t depth, int leaf) {
    std::string open;
    for (std::size_t i = 0; i < depth; ++i) open += R"({"a":)";
    return R"({"free":)" + open + std::to_string(leaf) + std::string(depth, '}') + "}";
  };
  const std::size_t depth = kMaxFieldDepth - 3;
  EXPECT_EQ(apply_spec(nested(depth, 1), "one"), nested(depth, 1));
  EXPECT_NE(update_spec(nested(depth, 2), "two"), "none");
  EXPECT_EQ(apply_spec(nested(depth, 3), "one", true), nested(depth, 3));
  EXPECT_NE(apply_spec(nested(depth + 1, 1), "one").find("nested deeper than 500"),
            std::string::npos);
}

// Each: what is there, what is applied, what comes of it.
TEST_F(ApplyTest, KeepsTheOrderOfTheListUnlessTheConfigHasAnother) {
  const char* cases[][3] = {
      {"abc", "ab", "abc"},
      {"ab", "abc", "abc"},
      {"ab", "ba", "ba"},
      {"abc", "def", "abcdef"},
      {"abc", "cdef", "abcdef"},
      {"abcgf", "cdef", "abcgdef"},
      {"cdef", "ace", "acdef"},
      {"abcxyz", "defxyz", "abcdefxyz"},
      {"cagf", "cfag", "cfag"},
      {"abcd", "defa", "bcdefa"},
      {"cdefghij", "2h3e4kl", "cdfg2hij3e4kl"},
      {"abb", "c", "abbc"},
      {"abb", "b", "ab"},
      {"abcdec", "1b2ed", "a1bc2ecd"},
  };
  const auto list = [](std::string_view letters) {
    std::string out;
    for (const char c : letters) out += fmt::format(R"({}"{}")", out.empty() ? "" : ",", c);
    return fmt::format(R"({{"spec":{{"set":[{}]}}}})", out);
  };
  const FieldType type = FieldType::of_resource(schema_.get());
  for (const auto& [live, config, want] : cases) {
    const Document a = read_json(list(live)).value();
    const Document b = read_json(list(config)).value();
    EXPECT_EQ(to_json(merge_typed(a.root(), b.root(), type, arena_)), list(want))
        << live << " and " << config;
  }
}

// Whatever is applied in whatever order: what an applier says is so, and applying again is nothing.
TEST_F(ApplyTest, GivesEachApplierWhatItForces) {
  std::mt19937 random(11);
  const auto make = [&] {
    std::string out;
    const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ",") + text; };
    if (random() % 2) add(fmt::format(R"("a":{})", random() % 3));
    if (random() % 2) add(fmt::format(R"("map":{{"k{}":"{}"}})", random() % 3, random() % 3));
    if (random() % 2) add(fmt::format(R"("set":["s{}"])", random() % 3));
    if (random() % 2) {
      add(fmt::format(R"("items":[{{"name":"i{}","v":{},"nested":["n{}"]}}])", random() % 3,
                      random() % 3, random() % 3));
    }
    if (random() % 2) add(fmt::format(R"("whole":{{"x":{}}})", random() % 3));
    return "{" + out + "}";
  };
  const FieldType type = FieldType::of_resource(schema_.get());
  for (int round = 0; round < 150; ++round) {
    const std::string config = make();
    const std::string manager = fmt::format("m{}", random() % 3);
    apply_spec(config, manager, true);
    const std::string after = spec();
    const Document wanted = read_json(R"({"spec":)" + config + "}").value();
    const Value merged = merge_typed(*stored_, wanted.root(), type, arena_);
    ASSERT_EQ(to_json(*merged.find("spec")), after) << round << ": not all of " << config;
    apply_spec(config, manager);
    ASSERT_FALSE(changed_) << round << ": applied twice " << config << " to " << after;
    ASSERT_EQ(spec(), after);
  }
}

}  // namespace
}  // namespace strake::patch
