#include "crd/openapi_export.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <set>

#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::crd {
namespace {

using value::Document;
using value::Value;

Crd read_crd(const Value& v) {
  Document copy;
  copy.root() = value::deep_copy(v, copy.arena());
  auto crd = Crd::read(std::move(copy));
  EXPECT_TRUE(crd) << crd.error().to_string();
  return *std::move(crd);
}

Crd crd_of(std::string_view schema) {
  const auto document = value::read_json(fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
          "metadata":{{"name":"things.a.example.com"}},
          "spec":{{"group":"a.example.com","scope":"Cluster","names":{{"plural":"things","kind":"Thing"}},
          "versions":[{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":{}}}}}]}}}})",
      schema));
  EXPECT_TRUE(document) << document.error().to_string();
  return read_crd(document->root());
}

std::string published(std::string_view schema, OpenApi form) {
  const Crd crd = crd_of(fmt::format(R"({{"type":"object","properties":{{"f":{}}}}})", schema));
  const Document out = export_openapi(crd, crd.versions()[0], form);
  return value::to_json(*out.root().find("com.example.a.v1.Thing")->find("properties")->find("f"));
}

TEST(OpenApiExport, NamesSchemasByTheGroupTurnedAround) {
  EXPECT_EQ(openapi_name("a.example.com", "v1", "Thing"), "com.example.a.v1.Thing");
  EXPECT_EQ(openapi_name("apps", "v1", "Thing"), "apps.v1.Thing");
}

TEST(OpenApiExport, LeavesOutOfV2WhatItCannotSay) {
  const std::string_view schema =
      R"({"type":"object","nullable":true,"properties":{"a":{"type":"string"}},"oneOf":[{}]})";
  EXPECT_EQ(published(schema, OpenApi::kV2), "{}");
  EXPECT_EQ(
      published(schema, OpenApi::kV3),
      R"({"nullable":true,"oneOf":[{}],"properties":{"a":{"type":"string"}},"type":"object"})");
  EXPECT_EQ(published(R"({"type":"string","default":"x"})", OpenApi::kV2), R"({"type":"string"})");
}

TEST(OpenApiExport, SaysWhatAnIntOrStringIs) {
  const std::string_view schema = R"({"x-kubernetes-int-or-string":true})";
  EXPECT_EQ(
      published(schema, OpenApi::kV3),
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true})");
  EXPECT_EQ(published(schema, OpenApi::kV2), R"({"x-kubernetes-int-or-string":true})");
}

TEST(OpenApiExport, GivesEmbeddedResourcesTheirMetadata) {
  const std::string_view schema =
      R"({"type":"object","x-kubernetes-embedded-resource":true,"required":["kind"],"properties":{"a":{"type":"string"}}})";
  const std::string got = published(schema, OpenApi::kV3);
  EXPECT_NE(got.find(R"("required":["kind","apiVersion"])"), std::string::npos) << got;
  EXPECT_NE(got.find("meta.v1.ObjectMeta"), std::string::npos) << got;
}

TEST(OpenApiExport, PublishesNoPropertiesInV2WhenAllIsKept) {
  const Crd crd = crd_of(
      R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"f":{"type":"string"}}})");
  const Document out = export_openapi(crd, crd.versions()[0], OpenApi::kV2);
  EXPECT_EQ(out.root().find("com.example.a.v1.Thing")->find("properties"), nullptr);
}

// --- against recordings, whose prose of built-in types is taken out

void drop_descriptions(Value& v) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) drop_descriptions(item);
  }
  if (!v.is_object()) return;
  if (const Value* own = v.find("description"); own != nullptr && own->is_string())
    v.remove("description");
  for (value::Member& member : v.mutable_members()) drop_descriptions(member.value);
}

// The type metadata of a resource, at the root and in embedded resources.
void drop_meta_descriptions(Value& v, bool is_root) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) drop_meta_descriptions(item, false);
  }
  if (!v.is_object()) return;
  const Value* embedded = v.find("x-kubernetes-embedded-resource");
  Value* properties = v.find("properties");
  if (properties != nullptr && (is_root || embedded != nullptr)) {
    for (const std::string_view key : {"apiVersion", "kind", "metadata"}) {
      if (Value* one = properties->find(key)) one->remove("description");
    }
  }
  for (value::Member& member : v.mutable_members()) drop_meta_descriptions(member.value, false);
}

struct Counts {
  int passed = 0;
  int failed = 0;
};

void compare(const Document& got, const Value& want, std::string_view what, Counts& counts) {
  std::set<std::string_view> names;
  for (const value::Member& one : want.members()) names.insert(one.key);
  for (const value::Member& one : got.root().members()) names.insert(one.key);
  for (const std::string_view name : names) {
    const Value* ours = got.root().find(name);
    const Value* theirs = want.find(name);
    if (ours == nullptr || theirs == nullptr) {
      ADD_FAILURE() << what << ": " << name << (ours == nullptr ? " is missing" : " is not wanted");
      ++counts.failed;
      continue;
    }
    Document copies;
    Value a = value::deep_copy(*ours, copies.arena());
    Value b = value::deep_copy(*theirs, copies.arena());
    if (name.starts_with("io.k8s.api.") || name.starts_with("io.k8s.apimachinery.")) {
      drop_descriptions(a);
      drop_descriptions(b);
    } else {
      drop_meta_descriptions(a, true);
      drop_meta_descriptions(b, true);
    }
    const bool same = value::to_json(a) == value::to_json(b);
    EXPECT_TRUE(same) << what << ": " << name << "\n  got  " << value::to_json(a).substr(0, 2000)
                      << "\n  want " << value::to_json(b).substr(0, 2000);
    ++(same ? counts.passed : counts.failed);
  }
}

TEST(OpenApiRecordings, AreReproducedSchemaForSchema) {
  STRAKE_REQUIRE_VECTORS(folder, "openapi");
  Counts v2;
  Counts v3;
  for (const auto& path : testing::files_in(folder, ".json")) {
    const auto recording = value::read_json(testing::read_file(path));
    ASSERT_TRUE(recording) << path;
    const Crd crd = read_crd(*recording->root().find("crd"));
    Document definitions;
    definitions.root() = Value::object({});
    for (const Version& version : crd.versions()) {
      if (!version.served()) continue;
      const Value* recorded = recording->root().find("v3")->find(version.name());
      ASSERT_NE(recorded, nullptr) << path;
      compare(export_openapi(crd, version, OpenApi::kV3),
              *recorded->find("components")->find("schemas"), path.filename().string(), v3);
      const Document own = export_openapi(crd, version, OpenApi::kV2);
      for (const value::Member& one : own.root().members()) {
        definitions.root().set(definitions.arena().copy(one.key),
                               value::deep_copy(one.value, definitions.arena()),
                               definitions.arena());
      }
    }
    compare(definitions, *recording->root().find("v2")->find("definitions"),
            path.filename().string(), v2);
  }
  std::cout << "openapi: v3 " << v3.passed << " passed, " << v3.failed << " failed; v2 "
            << v2.passed << " passed, " << v2.failed << " failed\n";
  EXPECT_GT(v3.passed, testing::count_in(folder, 80, 3));
  EXPECT_GT(v2.passed, testing::count_in(folder, 10, 1));
}

}  // namespace
}  // namespace strake::crd
