#include "kinds/custom_resource_strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinds/resource.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using ::testing::ElementsAre;
using value::Document;
using value::Value;

constexpr std::string_view kWidgets = R"json({
  "apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.e.com"},
  "spec":{"group":"e.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
    "versions":[{"name":"v1","served":true,"storage":true,
       "schema":{"openAPIV3Schema":{"type":"object","properties":{
         "spec":{"type":"object","properties":{"n":{"type":"integer","minimum":1,"default":1},"color":{"type":"string"}}},
         "status":{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}}}},
       "subresources":{"status":{}},"selectableFields":[{"jsonPath":".spec.color"}]}]},
  "status":{"acceptedNames":{"plural":"widgets","kind":"Widget"},"conditions":[],"storedVersions":["v1"]}})json";

class CustomResources : public ::testing::Test {
 protected:
  static ResourcePtr widgets() {
    auto crd = crd::Crd::read(value::read_json(kWidgets).value());
    EXPECT_TRUE(crd) << crd.error().message();
    return resource_of(std::make_shared<const crd::Crd>(*std::move(crd)));
  }
  const ServedVersion& version() const { return resource_->versions.front(); }
  WriteRequest request() const { return {.resource = *resource_, .version = version()}; }
  // The object as it comes out of decoding.
  Document decoded(std::string_view members) const {
    Document out =
        value::read_json(
            std::string(R"({"apiVersion":"e.com/v1","kind":"Widget",)").append(members).append("}"))
            .value();
    EXPECT_TRUE(strategy_.decode(out.root(), out.arena(), version(), {}));
    return out;
  }
  static std::vector<std::string> texts(const Result<resource::Verdict>& verdict) {
    std::vector<std::string> out;
    for (const value::FieldError& one : verdict->errors) out.push_back(one.to_string());
    return out;
  }
  static std::string at(const Document& document, std::string_view key) {
    return value::to_json(document.root().get(key));
  }

  ResourcePtr resource_ = widgets();
  CustomResourceStrategy strategy_{nullptr};
};

constexpr std::string_view kMeta = R"("metadata":{"name":"a","namespace":"ns"})";

TEST_F(CustomResources, AreDecodedByTheirSchema) {
  Document object =
      value::read_json(R"({"apiVersion":"e.com/v1","kind":"Widget","spec":{"x":1,"color":null}})")
          .value();
  std::vector<std::string> unknown;
  ASSERT_TRUE(strategy_.decode(object.root(), object.arena(), version(), {.unknown = &unknown}));
  EXPECT_EQ(at(object, "spec"), R"({"n":1})");
  EXPECT_THAT(unknown, ElementsAre("spec.x"));
  Document bad = value::read_json(R"({"metadata":{"labels":1}})").value();
  const Result<> read = strategy_.decode(bad.root(), bad.arena(), version(), {});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), Code::kBadRequest);
}

TEST_F(CustomResources, LoseTheirStatusOnACreateAndKeepItOnAnUpdate) {
  Document object = decoded(R"("status":{"n":5})");
  strategy_.prepare_create(object.root(), object.arena(), request());
  EXPECT_EQ(at(object, "status"), "null");
  const Document old = decoded(R"("status":{"n":2})");
  object = decoded(R"("status":{"n":5})");
  strategy_.prepare_update(object.root(), old.root(), object.arena(), request());
  EXPECT_EQ(at(object, "status"), R"({"n":2})");
}

TEST_F(CustomResources, TakeNothingButTheStatusAtItsEndpoint) {
  const Document old = decoded(R"("spec":{"n":2},"status":{"n":2})");
  Document object = decoded(R"("spec":{"n":9},"status":{"n":5})");
  prepare_write(strategy_, "status", object.root(), old.root(), object.arena(), request());
  EXPECT_EQ(at(object, "spec"), R"({"n":2})");
  EXPECT_EQ(at(object, "status"), R"({"n":5})");
}

TEST_F(CustomResources, AreCheckedWithTheirMetadata) {
  const Document object = decoded(R"("metadata":{"name":"A","namespace":"ns"},"spec":{"n":0})");
  const std::vector<std::string> found = texts(strategy_.check_create(object.root(), request()));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].starts_with(R"(metadata.name: Invalid value: "A")")) << found[0];
  EXPECT_EQ(found[1],
            "spec.n: Invalid value: 0: spec.n in body should be greater than or equal to 1");
}

TEST_F(CustomResources, AreCheckedAgainstTheOldObjectByTheEndpoint) {
  const std::string stored(
      R"("metadata":{"name":"a","namespace":"ns","resourceVersion":"1","uid":"u"},)");
  const Document old = decoded(stored + R"("spec":{"n":2},"status":{"n":2})");
  const Document object = decoded(stored + R"("spec":{"n":0},"status":{"n":0})");
  EXPECT_EQ(texts(check_write(strategy_, "", object.root(), old.root(), request())).size(), 2u);
  EXPECT_THAT(
      texts(check_write(strategy_, "status", object.root(), old.root(), request())),
      ElementsAre("status.n: Invalid value: 0: n in body should be greater than or equal to 1"));
}

TEST_F(CustomResources, AreNamedInRefusalsByWhatTheySayTheyAre) {
  const Document object =
      value::read_json(R"({"apiVersion":"other.io/v1","kind":"Gadget"})").value();
  const meta::GroupKind kind = strategy_.refused_as(object.root(), request());
  EXPECT_EQ(kind.group, "other.io");
  EXPECT_EQ(kind.kind, "Gadget");
}

TEST_F(CustomResources, WarnOfFinalizersThatAreNew) {
  const Document object = decoded(R"("metadata":{"finalizers":["plain"]})");
  EXPECT_EQ(strategy_.warnings(object.root(), nullptr).size(), 1u);
  EXPECT_TRUE(strategy_.warnings(object.root(), &object.root()).empty());
}

TEST_F(CustomResources, AreDeletedAtOnceUnlessTheyHaveFinalizers) {
  Document object = decoded(kMeta);
  const std::string before = value::to_json(object.root());
  const Deletion deletion =
      strategy_.prepare_delete(object.root(), false, object.arena(), request());
  EXPECT_FALSE(deletion.held);
  EXPECT_EQ(deletion.refused, "");
  EXPECT_FALSE(strategy_.is_held(object.root()));
  strategy_.after_accept(object.root(), object.arena());
  EXPECT_EQ(value::to_json(object.root()), before);
}

TEST_F(CustomResources, OfferTheFieldsThatTheirVersionSelectsBy) {
  EXPECT_TRUE(strategy_.offers_field("spec.color", version()));
  EXPECT_FALSE(strategy_.offers_field("spec.n", version()));
  const Document object = decoded(R"("spec":{"color":"red"})");
  EXPECT_EQ(strategy_.field(object.root(), "spec.color"), "red");
  EXPECT_EQ(strategy_.field(object.root(), "spec.n"), "1");
  EXPECT_EQ(strategy_.field(object.root(), "spec.none.deeper"), "");
}

}  // namespace
}  // namespace strake::kinds
