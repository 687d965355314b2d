#include "meta/object_meta.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::meta {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

value::Document json(std::string_view text) {
  auto out = value::read_json(text);
  EXPECT_TRUE(out) << text;
  return std::move(*out);
}

std::string coerced(std::string_view text, CoerceOptions options = {}) {
  value::Document document = json(text);
  const auto done = coerce_object_meta(document.root(), document.arena(), options);
  return done ? value::to_json(document.root()) : done.error().message();
}

TEST(ObjectMetaCoercion, DropsWhatIsEmptyOrUnknown) {
  EXPECT_EQ(
      coerced(
          R"({"name":"a","creationTimestamp":null,"labels":{},"generation":0,"bogus":1,"uid":""})"),
      R"({"name":"a"})");
  EXPECT_EQ(
      coerced(
          R"({"deletionGracePeriodSeconds":0,"deletionTimestamp":"2024-01-01T01:00:00+01:00"})"),
      R"({"deletionGracePeriodSeconds":0,"deletionTimestamp":"2024-01-01T00:00:00Z"})");
  EXPECT_EQ(coerced("null"), "{}");
}

TEST(ObjectMetaCoercion, CompletesOwnerReferences) {
  EXPECT_EQ(coerced(R"({"ownerReferences":[{"name":"x","controller":null}]})"),
            R"({"ownerReferences":[{"apiVersion":"","kind":"","name":"x","uid":""}]})");
}

TEST(ObjectMetaCoercion, RefusesWrongTypesAsTheRecordingsDo) {
  EXPECT_EQ(coerced(R"("x")"), "json: cannot unmarshal string into Go value of type v1.ObjectMeta");
  EXPECT_EQ(coerced(R"({"labels":{"a":1}})"),
            "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string");
  EXPECT_EQ(coerced(R"({"name":true})"),
            "json: cannot unmarshal bool into Go struct field ObjectMeta.name of type string");
  EXPECT_EQ(coerced(R"({"ownerReferences":"x"})"),
            "json: cannot unmarshal string into Go struct field ObjectMeta.ownerReferences of type "
            "[]v1.OwnerReference");
  EXPECT_EQ(coerced(R"({"ownerReferences":[{"uid":1}]})"),
            "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid "
            "of type types.UID");
}

TEST(ObjectMetaCoercion, ListsUnknownFields) {
  std::vector<std::string> unknown;
  coerced(
      R"({"x":1,"ownerReferences":[{"name":"a"},{"y":2}],"managedFields":[{"z":3,"fieldsV1":{"f:a":{}}}]})",
      {.unknown = &unknown});
  EXPECT_THAT(unknown, ElementsAre("metadata.managedFields[0].z", "metadata.ownerReferences[1].y",
                                   "metadata.x"));
}

TEST(ObjectMetaCoercion, DropsMalformedFieldsWhenReadFromTheStore) {
  EXPECT_EQ(coerced(R"({"name":1,"labels":{"a":"b"},"finalizers":"x","creationTimestamp":"never"})",
                    {.drop_malformed = true}),
            R"({"labels":{"a":"b"}})");
  EXPECT_EQ(coerced(R"("x")", {.drop_malformed = true}),
            "invalid metadata: expected object, got string");
}

std::vector<std::string> texts(const value::FieldErrors& errors) {
  std::vector<std::string> out;
  for (const auto& error : errors) out.push_back(error.to_string());
  return out;
}

std::vector<std::string> created(std::string_view text, bool namespaced = true) {
  value::Document document = json(text);
  EXPECT_TRUE(coerce_object_meta(document.root(), document.arena()));
  return texts(validate_object_meta(ObjectMeta(&document.root()), namespaced, name_is_dns_subdomain,
                                    FieldPath() / "metadata"));
}

TEST(CreatedMetadata, NeedsANameAndANamespaceInItsPlace) {
  EXPECT_THAT(created(R"({"name":"a","namespace":"b"})"), IsEmpty());
  EXPECT_THAT(created("{}"),
              ElementsAre("metadata.name: Required value: name or generateName is required",
                          "metadata.namespace: Required value"));
  EXPECT_THAT(created(R"({"name":"a","namespace":"b"})", false),
              ElementsAre("metadata.namespace: Forbidden: not allowed on this type"));
  EXPECT_THAT(created(R"({"name":"a","namespace":"b.c"})"),
              ElementsAre("metadata.namespace: Invalid value: \"b.c\": must not contain dots"));
  EXPECT_THAT(
      created(R"({"name":"a","namespace":"b","generation":-1})"),
      ElementsAre("metadata.generation: Invalid value: -1: must be greater than or equal to 0"));
}

TEST(CreatedMetadata, JudgesGenerateNameBesideTheName) {
  const auto errors = created(R"({"name":"Bad_x","generateName":"Bad_"})", false);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_THAT(errors[0],
              ::testing::StartsWith("metadata.generateName: Invalid value: \"Bad_\": a lowercase"));
  EXPECT_THAT(errors[1],
              ::testing::StartsWith("metadata.name: Invalid value: \"Bad_x\": a lowercase"));
}

TEST(CreatedMetadata, JudgesLabelsAnnotationsAndFinalizers) {
  const auto errors = created(
      R"({"name":"a","labels":{"-k":"a b"},"annotations":{"UPPER":"x","bad key":""},"finalizers":["orphan","foregroundDeletion","a b"]})",
      false);
  ASSERT_EQ(errors.size(), 5u);
  EXPECT_THAT(errors[0], ::testing::StartsWith(
                             "metadata.labels: Invalid value: \"-k\": name part must consist of"));
  EXPECT_THAT(errors[1], ::testing::StartsWith(
                             "metadata.labels: Invalid value: \"a b\": a valid label must be"));
  EXPECT_THAT(errors[2], ::testing::StartsWith(
                             "metadata.annotations: Invalid value: \"bad key\": name part must"));
  EXPECT_THAT(errors[3],
              ::testing::StartsWith("metadata.finalizers: Invalid value: \"a b\": name part must"));
  EXPECT_EQ(errors[4],
            "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\",\"a b\"]: "
            "finalizer orphan and "
            "foregroundDeletion cannot be both set");
}

TEST(CreatedMetadata, LimitsTheSizeOfAllAnnotations) {
  const std::string exact(256 * 1024 - 1, 'x');
  EXPECT_THAT(created(R"({"name":"a","annotations":{"k":")" + exact + R"("}})", false), IsEmpty());
  EXPECT_THAT(created(R"({"name":"a","annotations":{"k":")" + exact + R"(x"}})", false),
              ElementsAre("metadata.annotations: Too long: may not be more than 262144 bytes"));
}

TEST(CreatedMetadata, JudgesOwnerReferencesWithoutAnIndex) {
  EXPECT_THAT(created(R"({"name":"a","ownerReferences":[{"apiVersion":"a/b/c"}]})", false),
              ElementsAre("metadata.ownerReferences.apiVersion: Invalid value: \"a/b/c\": version "
                          "must not be empty",
                          "metadata.ownerReferences.kind: Invalid value: \"\": must not be empty",
                          "metadata.ownerReferences.name: Invalid value: \"\": must not be empty",
                          "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty"));
  EXPECT_THAT(
      created(
          R"({"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"A","name":"x","uid":"1","controller":true},{"apiVersion":"v1","kind":"B","name":"y","uid":"2","controller":true}]})",
          false),
      ElementsAre(
          R"(metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"A","name":"x","uid":"1","controller":true},{"apiVersion":"v1","kind":"B","name":"y","uid":"2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for A/x and B/y)"));
  EXPECT_THAT(
      created(
          R"({"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"Event","name":"x","uid":"1"}]})",
          false),
      ElementsAre(
          R"(metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"1"}: /v1, Kind=Event is disallowed from being an owner)"));
}

// Each of them shows the whole list, so that the answer once grew with the square of its length.
TEST(CreatedMetadata, SaysABoundedAmountAboutManyControllers) {
  std::string text = R"({"name":"a","ownerReferences":[)";
  for (int i = 0; i < 5'000; ++i) {
    text += fmt::format(
        R"({}{{"apiVersion":"v1","kind":"A","name":"n{}","uid":"{}","controller":true}})",
        i == 0 ? "" : ",", i, i);
  }
  const auto document = value::read_json(text + "]}");
  const value::FieldErrors errors = validate_object_meta(
      ObjectMeta(&document->root()), false, name_is_dns_subdomain, FieldPath() / "metadata");
  EXPECT_EQ(errors.size() + errors.omitted(), 4'999u);
  EXPECT_GT(errors.omitted(), 4'900u);
  EXPECT_LT(value::aggregate(errors).size(), value::kMostErrorBytes);
}

TEST(CreatedMetadata, JudgesManagedFields) {
  EXPECT_THAT(
      created(
          R"({"name":"a","managedFields":[{"operation":"Do","fieldsType":"V2","manager":"a\u0007"}]})",
          false),
      ElementsAre(
          "metadata.managedFields[0].operation: Invalid value: \"Do\": must be `Apply` or `Update`",
          "metadata.managedFields[0].fieldsType: Invalid value: \"V2\": must be `FieldsV1`",
          "metadata.managedFields[0].manager: Invalid value: \"a\\a\": invalid character U+0007 "
          "(at "
          "position 1)"));
}

std::vector<std::string> updated(std::string_view now, std::string_view before) {
  value::Document a = json(now);
  value::Document b = json(before);
  EXPECT_TRUE(coerce_object_meta(a.root(), a.arena()));
  EXPECT_TRUE(coerce_object_meta(b.root(), b.arena()));
  return texts(validate_object_meta_update(ObjectMeta(&a.root()), ObjectMeta(&b.root()),
                                           FieldPath() / "metadata"));
}

TEST(UpdatedMetadata, KeepsWhatMustNotChange) {
  EXPECT_THAT(updated(R"({"name":"a","resourceVersion":"1"})", R"({"name":"a"})"), IsEmpty());
  EXPECT_THAT(
      updated(
          R"({"name":"b","namespace":"n","uid":"2","deletionGracePeriodSeconds":5})",
          R"({"name":"a","uid":"1","generation":3,"creationTimestamp":"2024-01-01T00:00:00Z"})"),
      ElementsAre("metadata.resourceVersion: Invalid value: \"\": must be specified for an update",
                  "metadata.generation: Invalid value: 0: must not be decremented",
                  "metadata.name: Invalid value: \"b\": field is immutable",
                  "metadata.namespace: Invalid value: \"n\": field is immutable",
                  "metadata.uid: Invalid value: \"2\": field is immutable",
                  "metadata.creationTimestamp: Invalid value: null: field is immutable",
                  "metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable"));
}

TEST(UpdatedMetadata, TakesNoNewFinalizersWhileBeingDeleted) {
  EXPECT_THAT(
      updated(
          R"({"name":"a","resourceVersion":"1","deletionTimestamp":"2024-01-01T00:00:00Z","finalizers":["x/b","x/a","x/c"]})",
          R"({"name":"a","deletionTimestamp":"2024-01-01T00:00:00Z","finalizers":["x/c"]})"),
      ElementsAre(
          "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being "
          "deleted, found new finalizers []string{\"x/a\", \"x/b\"}"));
}

TEST(Finalizers, AreBestQualified) {
  const value::Document now = json(R"({"finalizers":["orphan","plain","old","a.b","a.b/c"]})");
  const value::Document before = json(R"({"finalizers":["old"]})");
  EXPECT_THAT(finalizer_warnings(ObjectMeta(&now.root()), ObjectMeta(&before.root())),
              ElementsAre("metadata.finalizers: \"plain\": prefer a domain-qualified finalizer "
                          "name to avoid accidental "
                          "conflicts with other finalizer writers",
                          "metadata.finalizers: \"a.b\": prefer a finalizer name including a path "
                          "(/) to avoid accidental "
                          "conflicts with other finalizer writers"));
}

TEST(OwnerReferences, AreKeptOnce) {
  value::Document document = json(
      R"({"ownerReferences":[{"name":"a","uid":"1"},{"name":"b","uid":"1"},{"name":"a","uid":"1"}]})");
  const auto warning = dedupe_owner_references(document.root());
  ASSERT_TRUE(warning);
  EXPECT_THAT(*warning, ::testing::EndsWith("duplicate UID(s) observed: 1"));
  EXPECT_EQ(document.root().find("ownerReferences")->size(), 2u);
  EXPECT_FALSE(dedupe_owner_references(document.root()));
}

// Comparing each with all before it would take minutes here.
TEST(OwnerReferences, AreKeptOnceHoweverManyThereAre) {
  constexpr int kMany = 200'000;
  std::string list;
  for (int i = 0; i < kMany; ++i)
    list += fmt::format(R"({}{{"name":"a{}","uid":"1"}})", i > 0 ? "," : "", i % (kMany / 2));
  value::Document document = json(fmt::format(R"({{"ownerReferences":[{}]}})", list));
  EXPECT_TRUE(dedupe_owner_references(document.root()));
  EXPECT_EQ(document.root().find("ownerReferences")->size(), std::size_t{kMany / 2});
}

TEST(ObjectMetaView, ReadsEveryField) {
  const value::Document document = json(
      R"({"metadata":{"name":"n","generateName":"g","namespace":"s","selfLink":"l","uid":"u","resourceVersion":"7","generation":3,"labels":{"a":"b"},"annotations":{"c":"d"},"finalizers":["f"],"deletionTimestamp":"t","deletionGracePeriodSeconds":4,"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"i","controller":true}]}})");
  const ObjectMeta meta = ObjectMeta::of(document.root());
  EXPECT_EQ(meta.name(), "n");
  EXPECT_EQ(meta.generate_name(), "g");
  EXPECT_EQ(meta.namespace_name(), "s");
  EXPECT_EQ(meta.self_link(), "l");
  EXPECT_EQ(meta.uid(), "u");
  EXPECT_EQ(meta.resource_version(), "7");
  EXPECT_EQ(meta.generation(), 3);
  EXPECT_EQ(meta.label("a"), "b");
  EXPECT_EQ(meta.annotation("c"), "d");
  EXPECT_TRUE(meta.has_finalizer("f"));
  EXPECT_TRUE(meta.is_being_deleted());
  EXPECT_EQ(meta.deletion_grace_period_seconds(), 4);
  ASSERT_EQ(meta.owner_references().size(), 1u);
  EXPECT_EQ(meta.owner_references()[0].controller, true);
  EXPECT_EQ(ObjectMeta(nullptr).name(), "");
  EXPECT_EQ(ObjectMeta(nullptr).generation(), 0);
}

}  // namespace
}  // namespace strake::meta
