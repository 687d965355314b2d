#include "validate/stream_projector.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "validate/checker.h"
#include "validate/schema_set.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using value::Value;

class Whole final : public ByteSource {
 public:
  explicit Whole(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = text_.substr(at_).copy(into.data(), into.size());
    at_ += count;
    return count;
  }
  bool seek(std::uint64_t offset) override {
    at_ = static_cast<std::size_t>(offset);
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr std::string_view kCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status: {type: object, default: {a: 1}, x-kubernetes-preserve-unknown-fields: true}
          a: &a
            type: object
            properties:
              b: {type: integer, default: 7}
              c: {type: string, nullable: true}
              d: {type: string, nullable: true, default: x}
              e: {type: array, items: {type: object, properties: {b: {type: integer, default: 3}, c: {type: boolean}}}}
              f: {type: object, additionalProperties: {type: integer, nullable: true}}
              a: {type: object, default: {c: {}}, properties: {c: {type: object, properties: {b: {type: integer, default: 1}}}}}
          b: {type: object, additionalProperties: *a}
          c: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: *a}}
          d:
            type: object
            x-kubernetes-embedded-resource: true
            x-kubernetes-preserve-unknown-fields: true
            properties: {a: *a}
          e: {type: array, items: {type: array, items: *a}}
          f: {type: array, items: {type: integer, nullable: true}}
          # Anything, and nothing is said of what is in it.
          metadata: {type: object}
)";

constexpr std::string_view kLoose = R"({
  "type": "object",
  "properties": {
    "a": {"type": "object", "properties": {"b": {"default": 5}, "c": true, "e": {"items": {"properties": {"b": {"default": 1}}}}}},
    "b": {"additionalProperties": {"properties": {"d": {"default": {"x": 1}}}}},
    "c": true, "d": true, "f": {"default": [1]}
  },
  "additionalProperties": false
})";

// Values whose members have the names that schemas know, and some that none does.
class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {}

  std::string object(int depth) {
    std::string out = "{";
    for (const char* name : {"a", "b", "c", "d", "e", "f", "z"}) {
      if (below(3) > 0) continue;
      out += fmt::format("{}\"{}\":{}", out == "{" ? "" : ",", name, any(depth - 1, name));
    }
    return out + "}";
  }
  std::string any(int depth, std::string_view name) {
    if (below(8) == 0) return "null";
    const bool list = name == "e" || (name == "f" && below(2) == 0);
    if (depth <= 0) {
      if (name == "c" && below(2) == 0) return "true";
      return below(3) == 0 ? R"("t<x")" : fmt::format("{}", below(9));
    }
    if (list || below(9) == 0) {
      std::string out = "[";
      for (std::size_t i = 0, n = below(4); i < n; ++i)
        out += (i > 0 ? "," : "") + (below(2) == 0 ? object(depth - 1) : any(depth - 1, name));
      return out + "]";
    }
    return below(3) == 0 ? any(0, name) : object(depth);
  }
  std::string thing() {
    std::string spec = object(4);
    std::string meta = R"({"name":"x")";
    if (below(3) == 0) meta += R"(,"creationTimestamp":null,"labels":{"a":"b"},"odd":1)";
    if (below(4) == 0) meta += R"(,"generation":4,"annotations":null)";
    std::string head = R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":)" + meta + "}";
    if (below(3) == 0) head += R"(,"status":{"a":2})";
    if (below(9) == 0) head += R"(,"status":null)";
    return head + (spec == "{}" ? "}" : "," + spec.substr(1));
  }
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

 private:
  std::mt19937 random_;
};

struct Outcome {
  bool fine = false;
  std::string output;  // with sorted keys; empty when there is none
};

struct Arrangement {
  Arrangement(std::string_view schema, const JudgeOptions& judge, Output output)
      : schemas(judge), check{.max_bytes = UINT64_MAX, .output = output} {
    const auto added = schemas.add("s.yaml", std::make_shared<const std::string>(schema));
    EXPECT_TRUE(added) << added.error().to_string();
    check.any = schemas.any();
    check.duplicates = DuplicateKeys::kError;
  }

  Outcome whole(std::string_view text) const {
    const FileResult got = Checker(schemas.catalog(), nullptr, check).check("a.json", text);
    const DocumentResult& document = got.documents.at(0);
    Outcome out{.fine = document.status == Status::kValid};
    if (document.output) out.output = value::to_json(document.output->root());
    return out;
  }

  // Judged as it passes, in pieces.
  Outcome passed(std::string_view text) const {
    std::string pieces;
    const Projection projection{.preserving = check.output == Output::kPreserving,
                                .write = [&](std::string_view piece) { pieces += piece; }};
    StreamLimits limits{.hold = 1};
    limits.projection = &projection;
    Outcome out;
    Whole source(text);
    const auto tell = [&](const DocumentResult& document) {
      out.fine = document.status == Status::kValid;
      if (document.output_passed) out.output = "passed";
      if (document.output) pieces = value::to_json(document.output->root());  // it was held
      if (document.output) out.output = "held";
      return true;
    };
    static_cast<void>(
        Checker(schemas.catalog(), nullptr, check).check_stream("a.json", source, limits, tell));
    if (out.output.empty()) return out;
    const auto read = value::read_json(pieces);
    EXPECT_TRUE(read) << pieces;
    if (read) out.output = value::to_json(read->root());
    return out;
  }

  SchemaSet schemas;
  CheckOptions check;
};

TEST(StreamProjector, WritesWhatSettlingTheWholeObjectLeaves) {
  std::size_t written = 0;
  for (const DefaultMode defaults : {DefaultMode::kApply, DefaultMode::kIgnore}) {
    for (const Output output : {Output::kStored, Output::kPreserving}) {
      const Arrangement arrangement(kCrd, {.unknown = UnknownFields::kPrune, .defaults = defaults},
                                    output);
      for (unsigned seed = 0; seed < 300; ++seed) {
        const std::string text = Values(seed).thing();
        const Outcome whole = arrangement.whole(text);
        const Outcome passed = arrangement.passed(text);
        ASSERT_EQ(passed.fine, whole.fine) << text;
        ASSERT_EQ(passed.output, whole.output) << text;
        written += whole.output.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(written, 100u);
}

TEST(StreamProjector, WritesDocumentsOfAnyShapeThatASchemaWithoutAKindJudges) {
  constexpr std::string_view kSchema =
      R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer","default":1},
          "c":{"type":"boolean"}}},"f":{"type":"array","items":{"type":"integer","nullable":true}},
          "c":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}})";
  for (const DefaultMode defaults : {DefaultMode::kApply, DefaultMode::kIgnore}) {
    const Arrangement arrangement(kSchema, {.unknown = UnknownFields::kWarn, .defaults = defaults},
                                  Output::kStored);
    for (unsigned seed = 0; seed < 200; ++seed) {
      const std::string text = Values(seed).object(3);
      const Outcome whole = arrangement.whole(text);
      const Outcome passed = arrangement.passed(text);
      ASSERT_EQ(passed.fine, whole.fine) << text;
      ASSERT_EQ(passed.output, whole.output) << text;
    }
  }
}

TEST(StreamProjector, WritesLooselyJudgedDocumentsUnlessSomethingOfThemWouldGo) {
  std::size_t written = 0;
  for (const UnknownFields unknown :
       {UnknownFields::kPrune, UnknownFields::kWarn, UnknownFields::kPreserve}) {
    for (const Output output : {Output::kStored, Output::kPreserving}) {
      JudgeOptions judge{.unknown = unknown, .profile = Profile::kLoose};
      judge.defaults = DefaultMode::kApply;
      const Arrangement arrangement(kLoose, judge, output);
      for (unsigned seed = 0; seed < 200; ++seed) {
        const std::string text = Values(seed).object(3);
        const Outcome whole = arrangement.whole(text);
        const Outcome passed = arrangement.passed(text);
        ASSERT_EQ(passed.fine, whole.fine) << text;
        if (passed.output.empty()) continue;
        ASSERT_EQ(passed.output, whole.output) << text;
        ++written;
      }
    }
  }
  EXPECT_GT(written, 100u);
}

TEST(StreamProjector, HoldsNoMoreMetadataOfAnEmbeddedResourceThanItMay) {
  const Arrangement arrangement(kCrd, {.unknown = UnknownFields::kPrune}, Output::kStored);
  const std::string text =
      R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"x"},"d":{"apiVersion":"v1",)"
      R"("kind":"A","metadata":{"annotations":{"a":")" +
      std::string(3 << 20, 'x') + R"("}}}})";
  const Outcome passed = arrangement.passed(text);
  EXPECT_TRUE(passed.output.empty());
}

}  // namespace
}  // namespace strake::validate
