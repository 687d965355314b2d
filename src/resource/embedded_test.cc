#include "resource/embedded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::resource {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const schema::Node& node() {
  static const schema::NodePtr kNode = *schema::compile(
      value::read_json(
          R"({"type":"object","properties":{"one":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},"many":{"type":"object","additionalProperties":{"type":"array","items":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}}}})")
          ->root());
  return *kNode;
}

std::string coerced(std::string_view json, EmbeddedOptions options = {}) {
  value::Document document = std::move(*value::read_json(json));
  const auto fault = coerce_embedded(document.root(), node(), document.arena(), {}, options);
  return fault ? fault->to_string() : value::to_json(document.root());
}

std::vector<std::string> faults(std::string_view json) {
  const value::Document document = std::move(*value::read_json(json));
  std::vector<std::string> out;
  for (const auto& error : validate_embedded(document.root(), node(), false, {}))
    out.push_back(error.to_string());
  return out;
}

TEST(EmbeddedResources, HaveCanonicalMetadata) {
  std::vector<std::string> unknown;
  EXPECT_EQ(
      coerced(
          R"({"one":{"kind":"K","metadata":{"name":"a","creationTimestamp":null,"x":1}},"many":{"k":[{"metadata":{"labels":{},"y":1}}]}})",
          {.unknown = &unknown}),
      R"({"many":{"k":[{"metadata":{}}]},"one":{"kind":"K","metadata":{"name":"a"}}})");
  EXPECT_THAT(unknown, ElementsAre("many[k][0].metadata.y", "one.metadata.x"));
}

TEST(EmbeddedResources, FailWithTheirPlaceAndValue) {
  EXPECT_EQ(coerced(R"({"one":{"apiVersion":1}})"),
            "one.apiVersion: Invalid value: 1: must be a string");
  EXPECT_EQ(
      coerced(R"({"many":{"k":[{"metadata":{"name":1}}]}})"),
      R"(many[k][0].metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string)");
}

TEST(EmbeddedResources, LoseWhatIsMalformedWhenReadFromTheStore) {
  EXPECT_EQ(coerced(R"({"one":{"apiVersion":1,"kind":"K","metadata":{"name":1,"uid":"u"}}})",
                    {.drop_malformed = true}),
            R"({"one":{"kind":"K","metadata":{"uid":"u"}}})");
}

TEST(EmbeddedResources, MustSayWhatTheyAre) {
  EXPECT_THAT(faults(R"({"one":{"apiVersion":"v1","kind":"Pod","metadata":{}}})"), IsEmpty());
  EXPECT_THAT(faults(R"({"one":{}})"),
              ElementsAre("one.apiVersion: Required value", "one.kind: Required value"));
  EXPECT_THAT(
      faults(R"({"one":{"apiVersion":"a/b/c","kind":""}})"),
      ElementsAre("one.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c",
                  "one.kind: Invalid value: \"\": must not be empty"));
  EXPECT_THAT(
      faults(
          R"({"many":{"k":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a/b","namespace":"n"}}]}})"),
      ElementsAre("many[k][0].metadata.name: Invalid value: \"a/b\": may not contain '/'"));
  EXPECT_THAT(faults(R"({"one":{"apiVersion":"v1","kind":"a b"}})"),
              ElementsAre(::testing::StartsWith(
                  "one.kind: Invalid value: \"a b\": may have mixed case, but should "
                  "otherwise match: a DNS-1035 label")));
}

}  // namespace
}  // namespace strake::resource
