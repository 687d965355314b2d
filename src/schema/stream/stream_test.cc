#include "schema/stream/stream.h"

#include <gtest/gtest.h>

#include <random>

#include "schema/compile.h"
#include "schema/defaults.h"
#include "schema/prune.h"
#include "schema/validate.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::schema {
namespace {

using value::Document;
using value::FieldErrors;
using value::Value;

NodePtr compiled(std::string_view schema) {
  return compile(value::read_json(schema).value().root()).value();
}

struct Told {
  std::vector<std::string> errors;
  std::vector<std::string> unknown;
};

std::vector<std::string> texts(const FieldErrors& errors) {
  std::vector<std::string> out;
  for (const auto& error : errors) out.push_back(error.to_string());
  return out;
}

Told in_memory(std::string_view text, const Node& schema) {
  Document document = value::read_json(text).value();
  Told told;
  prune(document.root(), schema, {}, &told.unknown);
  prune_nulls(document.root(), schema);
  apply_defaults(document.root(), schema, document.arena());
  FieldErrors errors = validate(document.root(), schema);
  for (auto& error : validate_list_types(document.root(), schema))
    errors.push_back(std::move(error));
  told.errors = texts(errors);
  return told;
}

StreamVerdict streamed(std::string_view text, const Node& schema,
                       const StreamOptions& options = {}) {
  StreamValidator validator(schema, options);
  value::JsonPushParser parser(validator, {});
  Result<> fed;
  for (std::size_t i = 0; i < text.size() && fed; i += 7) fed = parser.feed(text.substr(i, 7));
  if (fed) fed = parser.finish();
  return validator.take();
}

Told in_stream(std::string_view text, const Node& schema) {
  StreamVerdict verdict = streamed(text, schema);
  Told told{.errors = texts(verdict.errors), .unknown = {}};
  for (const UnknownField& field : verdict.unknown) told.unknown.push_back(field.text);
  return told;
}

constexpr std::string_view kSchema = R"({
  "type": "object", "required": ["spec"],
  "properties": {
    "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3},
                 "list": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "integer"}}}}}},
    "spec": {
      "type": "object", "required": ["name", "mode", "gone"], "maxProperties": 13,
      "properties": {
        "name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"},
        "mode": {"type": "string", "default": "fast", "enum": ["fast", "slow"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 9, "nullable": true},
        "gone": {"type": "string"},
        "list": {"type": "array", "maxItems": 3, "items": {"type": "object", "required": ["k"],
                 "properties": {"k": {"type": "integer"}, "d": {"type": "integer", "default": 3}}}},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "map": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id", "zone"],
                "items": {"type": "object", "required": ["id"],
                          "properties": {"id": {"type": "string"}, "zone": {"type": "string", "default": "a"}}}},
        "any": {"type": "object", "additionalProperties": {"type": "integer"}},
        "open": {"type": "object", "additionalProperties": true},
        "keep": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                 "properties": {"known": {"type": "object", "properties": {"x": {"type": "integer"}}}}},
        "keeps": {"type": "array", "x-kubernetes-preserve-unknown-fields": true,
                  "items": {"type": "object", "properties": {"x": {"type": "integer"}}}},
        "union": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                  "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        "inner": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {
                  "metadata": {"type": "object", "properties": {"name": {"type": "string", "default": "toolong", "maxLength": 3}}},
                  "a": {"type": "object", "properties": {"b": {"type": "integer"}}}}},
        "port": {"x-kubernetes-int-or-string": true},
        "when": {"type": "string", "format": "date-time"},
        "filled": {"type": "object", "default": {}, "minProperties": 1,
                   "properties": {"y": {"type": "integer", "default": 7}}}
      }
    }
  }
})";

TEST(StreamValidator, SaysWhatTheInMemoryChecksSay) {
  const NodePtr schema = compiled(kSchema);
  const char* cases[] = {
      R"({"spec":{"name":"ok","gone":"x"}})",
      R"({"spec":{"name":"x","gone":null,"mode":"odd","count":10}})",
      R"({"kind":"K","metadata":{"deep":{"er":1}},"spec":{"name":"ok","gone":"","list":[{"k":1},{"d":"x"},{"k":"s"},{"k":4}]}})",
      R"({"metadata":{"name":"toolong","other":{"x":1},"list":[{"k":"s","u":1}]},"spec":{"name":"ok","gone":""}})",
      R"({"metadata":3,"spec":{"name":"ok","gone":"","inner":{"metadata":{"labels":{}},"kind":1,"a":{"c":1}}}})",
      R"({"spec":{"name":"ok","gone":"","set":["a","b","a","a","b"]}})",
      R"({"spec":{"name":"ok","gone":"","map":[{"id":"1"},{"id":"1","zone":"a"},{"zone":"b"},{"id":"1","zone":"b"}]}})",
      R"({"spec":{"name":"ok","gone":"","map":[{"id":"1"},{"id":"1"},7,{"id":"1"}]}})",
      R"({"spec":{"name":"ok","gone":"","any":{"z":"x","a":1,"b":null},"open":{"p":{"q":1},"l":[[{"r":1}],2]}}})",
      R"({"spec":{"name":"ok","gone":"","keep":{"u":{"v":1},"known":{"x":"s","w":1}},"keeps":[{"x":"s","y":{"z":1}}]}})",
      R"({"spec":{"name":"ok","gone":"","union":{"a":1,"b":2,"c":3},"port":true,"when":"now"}})",
      R"({"spec":[1,{"a":2}]})",
      R"({"spec":"text","extra":{"a":1}})",
      R"({"spec":{"name":["x"],"gone":{"a":1},"filled":{"y":null,"n":2},"list":[null,5]}})",
      R"({"spec":null})",
      R"([])",
      R"("scalar")",
  };
  for (const char* text : cases) {
    const Told want = in_memory(text, *schema);
    const Told got = in_stream(text, *schema);
    EXPECT_EQ(got.errors, want.errors) << text;
    EXPECT_EQ(got.unknown, want.unknown) << text;
  }
}

// Documents that hit the schema's names often, with values of any kind behind them.
class RandomObject {
 public:
  explicit RandomObject(std::uint64_t seed) : random_(seed) {}
  std::string object(int depth) {
    static constexpr const char* kKeys[] = {
        "spec", "name",  "mode",  "count", "gone", "list",   "set",  "map",     "any",   "open",
        "keep", "keeps", "union", "port",  "when", "filled", "k",    "d",       "inner", "id",
        "zone", "known", "x",     "a",     "b",    "y",      "kind", "metadata"};
    std::string out = "{";
    std::vector<std::size_t> used;
    for (std::uint64_t i = pick(depth == 0 ? 4 : 7); i-- > 0;) {
      const std::size_t k = depth == 0 && pick(3) != 0 ? 0 : pick(std::size(kKeys));
      if (std::find(used.begin(), used.end(), k) != used.end()) continue;
      used.push_back(k);
      out += fmt::format("{}\"{}\":{}", out.size() > 1 ? "," : "", kKeys[k], any(depth + 1));
    }
    return out + "}";
  }

 private:
  std::string any(int depth) {
    switch (pick(depth > 5 ? 6 : 10)) {
      case 0: return "null";
      case 1: return pick(2) == 0 ? "true" : "false";
      case 2: return std::to_string(pick(12));
      case 3: return "1.5";
      case 4: return fmt::format("\"{}\"", static_cast<char>('a' + pick(3)));
      case 5: return "\"fast\"";
      case 6:
      case 7: {
        std::string out = "[";
        for (std::uint64_t i = pick(5); i-- > 0;) out += any(depth + 1) + (i != 0 ? "," : "");
        return out + "]";
      }
      default: return object(depth);
    }
  }
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  std::mt19937_64 random_;
};

TEST(StreamValidator, AgreesWithTheInMemoryChecksOnRandomDocuments) {
  const NodePtr schema = compiled(kSchema);
  const std::uint64_t start = std::random_device()();
  for (std::uint64_t seed = start; seed < start + 2000; ++seed) {
    const std::string text = RandomObject(seed).object(0);
    const Told want = in_memory(text, *schema);
    const Told got = in_stream(text, *schema);
    ASSERT_EQ(got.errors, want.errors) << "seed " << seed << ": " << text;
    ASSERT_EQ(got.unknown, want.unknown) << "seed " << seed << ": " << text;
  }
}

TEST(StreamValidator, GivesUpOnAPartThatOutgrowsItsThresholdAndSaysSo) {
  const NodePtr schema = compiled(R"({"type":"object","properties":{
      "u":{"type":"object","additionalProperties":{"type":"string"},"oneOf":[{"required":["a"]},{"required":["b"]}]},
      "n":{"type":"integer"}}})");
  std::string text = R"({"u":{)";
  for (int i = 0; i < 100; ++i) text += fmt::format("\"k{}\":\"0123456789\",", i);
  text += R"("z":""},"n":"x"})";
  StreamOptions options;
  options.max_buffer = 500;
  const StreamVerdict effort = streamed(text, *schema, options);
  EXPECT_EQ(effort.not_judged, std::vector{FieldPath() / "u"});
  EXPECT_FALSE(effort.certain());
  ASSERT_EQ(effort.errors.size(), 1u) << "the rest is judged";
  options.strategy = StreamOptions::Strategy::kFullBuffer;
  const StreamVerdict full = streamed(text, *schema, options);
  EXPECT_TRUE(full.certain());
  EXPECT_EQ(texts(full.errors), in_memory(text, *schema).errors);
}

TEST(StreamValidator, TellsWhatMayHaveBeenMeant) {
  const NodePtr schema = compiled(kSchema);
  const auto nearest = [&](std::string_view text) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const UnknownField& field : streamed(text, *schema).unknown)
      out.emplace_back(field.path.to_pointer(), field.nearest);
    return out;
  };
  using Fields = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(nearest(R"({"spec":{"nmae":1,"mod":null,"mode":"fast","a.b/c":{"x":1}}})"),
            (Fields{{"/spec/a.b~1c", ""}, {"/spec/mod", ""}, {"/spec/nmae", "name"}}));
  // In a part that is held.
  EXPECT_EQ(nearest(R"({"spec":{"map":[{"zon":1},{"zone":"a","zon":1,"di":2}]}})"),
            (Fields{{"/spec/map/0/zon", "zone"}, {"/spec/map/1/di", ""}, {"/spec/map/1/zon", ""}}));
}

TEST(StreamValidator, TellsWhichElementIsRepeated) {
  const NodePtr schema = compiled(kSchema);
  const StreamVerdict verdict = streamed(
      R"({"spec":{"name":"ok","gone":"","set":["a","b","b","a"],"map":[{"id":"1"},{"id":"2"},{"id":"2"}]}})",
      *schema);
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const auto& error : verdict.errors)
    found.emplace_back(error.path.to_pointer(), error.first.value_or(99));
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::size_t>>{
                       {"/spec/map/2", 1}, {"/spec/set/2", 1}, {"/spec/set/3", 0}}));
}

// Writes down what it gets to see.
class Recorder final : public StreamParts {
 public:
  Need need(const Node& schema) const override {
    return !schema.rules.empty()      ? Need::kWhole
           : schema.embedded_resource ? Need::kMeta
                                      : Need::kNothing;
  }
  void decode(Value&, const Part&, Arena&) override {}
  bool judge(const Value& v, const Part& part) override {
    told.push_back(fmt::format("{}{} {}", part.at.to_k8s(), part.below ? " and below" : "",
                               value::to_json(v)));
    return true;
  }
  void left_out(const Part& part) override { told.push_back(part.at.to_k8s() + " left out"); }
  void found(const FieldErrors& errors) override { faults += errors.size(); }

  std::vector<std::string> told;
  std::size_t faults = 0;
};

TEST(StreamValidator, HandsOverThePartsThatOthersNeedWhole) {
  const NodePtr schema = compiled(R"({"type":"object","x-kubernetes-validations":[{"rule":"true"}],
      "properties":{"a":{"type":"object","x-kubernetes-validations":[{"rule":"true"}],
        "properties":{"n":{"type":"integer","default":3,"x-kubernetes-validations":[{"rule":"true"}]},
                      "s":{"type":"string"}}},
      "e":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
      "m":{"type":"object","additionalProperties":{"type":"string","x-kubernetes-validations":[{"rule":"true"}]}},
      "status":{"type":"object","x-kubernetes-validations":[{"rule":"true"}]}}})");
  const std::string text =
      R"({"a":{"s":"x","junk":1},"e":{"kind":"K","big":"0123456789012345678901234567890123456789"},)"
      R"("m":{"k":"v"},"status":{}})";
  const auto told = [&](std::size_t most) {
    Recorder recorder;
    StreamOptions options;
    options.max_buffer = most;
    options.dropped_member = "status";
    options.parts = &recorder;
    streamed(text, *schema, options);
    return recorder.told;
  };
  using Texts = std::vector<std::string>;
  const Texts parts{"a.n and below 3", R"(a {"n":3,"s":"x"})", R"(e {"kind":"K"})",
                    R"(m[k] and below "v")"};
  Texts all = parts;
  all.push_back(
      R"( {"a":{"n":3,"s":"x"},"e":{"big":"0123456789012345678901234567890123456789","kind":"K"},"m":{"k":"v"}})");
  EXPECT_EQ(told(1000), all);
  Texts without_root = parts;
  without_root.push_back(" left out");
  EXPECT_EQ(told(150), without_root);
}

TEST(StreamValidator, StopsAtTheFirstFaultWhenAsked) {
  const NodePtr schema = compiled(
      R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}}})");
  StreamOptions options;
  options.strategy = StreamOptions::Strategy::kFailFast;
  const StreamVerdict verdict = streamed(R"({"l":[1,"a","b","c"]})", *schema, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_EQ(verdict.errors[0].to_string(),
            "l[1]: Invalid value: \"string\": l[1] in body must be of type integer: \"string\"");
}

TEST(StreamValidator, CountsWhatItDoesNotKeep) {
  const NodePtr schema = compiled(
      R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}}})");
  std::string text = R"({"l":[0)";
  for (int i = 0; i < 50; ++i) text += ",\"x\"";
  StreamOptions options;
  options.max_errors = 10;
  const StreamVerdict verdict = streamed(text + "]}", *schema, options);
  EXPECT_EQ(verdict.errors.size(), 10u);
  EXPECT_EQ(verdict.total_errors, 50u);
}

}  // namespace
}  // namespace strake::schema
