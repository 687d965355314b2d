// What an update is asked, and what it is forgiven.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crd/check.h"
#include "value/json_reader.h"

namespace strake::crd {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Draft {
  std::string_view schema = R"({"type":"object"})";
  std::string_view in_version = "";
  std::string_view in_spec = "";
  std::string_view kind = "Thing";
  std::string_view scope = "Namespaced";
  std::string_view plural = "things";
  std::string_view annotations = "{}";
  std::string_view group = "example.com";
  bool established = false;
};

Crd make_crd(const Draft& draft) {
  const std::string json = fmt::format(
      R"({{"metadata":{{"name":"things.example.com","resourceVersion":"1","annotations":{}}},"spec":{{"group":"{}","scope":"{}","names":{{"plural":"{}","kind":"{}"}},)"
      R"("versions":[{{"name":"v1","served":true,"storage":true{}{}}}]{}}},"status":{{"storedVersions":["v1"],"conditions":[{{"type":"Established","status":"{}"}}]}}}})",
      draft.annotations, draft.group, draft.scope, draft.plural, draft.kind,
      draft.schema.empty() ? ""
                           : fmt::format(R"(,"schema":{{"openAPIV3Schema":{}}})", draft.schema),
      draft.in_version, draft.in_spec, draft.established ? "True" : "False");
  auto crd = Crd::read(std::move(*value::read_json(json)));
  EXPECT_TRUE(crd) << crd.error().message();
  return std::move(*crd);
}

std::vector<std::string> update(const Draft& now, const Draft& before) {
  Crd crd = make_crd(now);
  const Crd old = make_crd(before);
  crd.prepare_for_update(old);
  std::vector<std::string> out;
  for (const value::FieldError& error : check_update(crd, old)) out.push_back(error.to_string());
  return out;
}

TEST(CrdUpdate, KeepsGroupAndPlural) {
  EXPECT_THAT(update({.plural = "others", .group = "other.com"}, {}),
              ElementsAre(R"(spec.group: Invalid value: "other.com": field is immutable)",
                          R"(spec.names.plural: Invalid value: "others": field is immutable)"));
}

TEST(CrdUpdate, KeepsScopeAndKindOnceEstablished) {
  EXPECT_THAT(update({.kind = "Other", .scope = "Cluster"}, {}), IsEmpty());
  EXPECT_THAT(update({.kind = "Other", .scope = "Cluster"}, {.established = true}),
              ElementsAre(R"(spec.scope: Invalid value: "Cluster": field is immutable)",
                          R"(spec.names.kind: Invalid value: "Other": field is immutable)"));
}

TEST(CrdUpdate, ForgivesWhatTheOldOneBroke) {
  struct Case {
    std::string_view broken;
    std::string_view what;
  };
  for (
      const Case& c : {
          Case{
              R"({"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object"}}}})",
              "a set of maps that are not atomic"},
          Case{
              R"({"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string"}}}}}})",
              "a key that may be absent"},
          Case{R"({"type":"object","properties":{"a":{"type":"object","default":{"x":1}}}})",
               "a default with unknown fields"},
          Case{R"({"type":"object","properties":{"a":{"type":"strin"}}})", "an unknown type"},
      }) {
    EXPECT_THAT(update({.schema = c.broken}, {.schema = c.broken}), IsEmpty()) << c.what;
    EXPECT_THAT(update({.schema = c.broken}, {}), ::testing::SizeIs(1)) << c.what;
  }
}

TEST(CrdUpdate, AsksForSchemasOnlyWhereThereWereSome) {
  EXPECT_THAT(update({.schema = ""}, {}),
              ElementsAre("spec.versions[0].schema.openAPIV3Schema: Required value"));
  EXPECT_THAT(update({.schema = ""}, {.schema = ""}),
              ElementsAre("spec.versions[0].schema.openAPIV3Schema: Required value: because "
                          "otherwise all fields are "
                          "pruned"));
}

TEST(CrdUpdate, ForgivesPreservingUnknownFieldsAndOldStructures) {
  const Draft loose{.schema = R"({"properties":{"a":{}}})",
                    .in_spec = R"(,"preserveUnknownFields":true)"};
  EXPECT_THAT(update(loose, loose), IsEmpty());
  EXPECT_THAT(update(loose, {}), ::testing::SizeIs(3));
}

TEST(CrdUpdate, ForgivesTooManySelectableFieldsThatStay) {
  std::string schema = R"({"type":"object","properties":{)";
  std::string fields = R"(,"selectableFields":[)";
  for (char c = 'a'; c < 'a' + 9; ++c) {
    schema += fmt::format(R"({}"{}":{{"type":"string"}})", c == 'a' ? "" : ",", c);
    fields += fmt::format(R"({}{{"jsonPath":".{}"}})", c == 'a' ? "" : ",", c);
  }
  schema += "}}";
  fields += "]";
  EXPECT_THAT(
      update({.schema = schema, .in_version = fields}, {.schema = schema, .in_version = fields}),
      IsEmpty());
  EXPECT_THAT(update({.schema = schema, .in_version = fields}, {.schema = schema}),
              ElementsAre("spec.selectableFields: Too many: 9: must have at most 8 items"));
}

TEST(CrdUpdate, LeavesTheApprovalAlone) {
  const Draft missing{.group = "x.k8s.io"};
  EXPECT_THAT(update(missing, missing), IsEmpty());
  EXPECT_THAT(
      update({.annotations = R"({"api-approved.kubernetes.io":"bogus"})", .group = "x.k8s.io"},
             missing),
      ElementsAre(
          ::testing::StartsWith("metadata.annotations[api-approved.kubernetes.io]: Invalid value: "
                                "\"bogus\": protected groups must have")));
  EXPECT_THAT(update({.annotations = R"({"api-approved.kubernetes.io":"https://a.b/c"})",
                      .group = "x.k8s.io"},
                     missing),
              IsEmpty());
}

TEST(CrdUpdate, ReadsCaBundlesOnceEstablished) {
  constexpr std::string_view kBad =
      R"(,"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://a","caBundle":"QUJD"},"conversionReviewVersions":["v1"]}})";
  EXPECT_THAT(update({.in_spec = kBad}, {}), IsEmpty());
  EXPECT_THAT(update({.in_spec = kBad}, {.in_spec = kBad, .established = true}), IsEmpty());
  EXPECT_THAT(
      update({.in_spec = kBad}, {.established = true}),
      ElementsAre(
          R"(spec.conversion.webhookClientConfig.caBundle: Invalid value: "QUJD": unable to load root certificates: unable to parse bytes as PEM block)"));
}

TEST(CrdUpdate, WantsStoredVersionsToStay) {
  Crd crd = make_crd({});
  auto document = value::read_json(
      R"({"metadata":{"name":"things.example.com","resourceVersion":"1"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})");
  auto next = Crd::read(std::move(*document));
  ASSERT_TRUE(next);
  next->prepare_for_update(crd);
  const auto errors = check_update(*next, crd);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].to_string(),
            "status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was "
            "previously a storage "
            "version, and must remain in spec.versions until a storage migration ensures no data "
            "remains persisted in v1 "
            "and removes v1 from status.storedVersions");
}

TEST(CrdUpdate, OfStatusJudgesTheAcceptedNames) {
  auto document = value::read_json(
      R"({"metadata":{"name":"things.example.com","resourceVersion":"1"},"spec":{},"status":{"acceptedNames":{"plural":"Bad","kind":"K"}}})");
  const auto crd = Crd::read(std::move(*document));
  ASSERT_TRUE(crd);
  const auto errors = check_status_update(*crd, make_crd({}));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field(), "status.acceptedNames.plural");
}

}  // namespace
}  // namespace strake::crd
