#include "publish/openapi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "publish/sha512.h"
#include "publish/test_resources.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using kinds::Resource;
using kinds::ResourcePtr;
using kinds::Verb;
using testing::installed;
using testing::widgets_crd;
using value::Document;
using value::Member;
using value::Value;

Document parsed(const std::string& json) {
  auto document = value::read_json(json);
  EXPECT_TRUE(document) << document.error().to_string() << "\n" << json.substr(0, 200);
  return document ? *std::move(document) : Document();
}

// --- against recordings, whose prose of built-in types and operations is taken out

void drop_descriptions(Value& v) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) drop_descriptions(item);
  }
  if (!v.is_object()) return;
  if (const Value* own = v.find("description"); own != nullptr && own->is_string())
    v.remove("description");
  for (Member& member : v.mutable_members()) drop_descriptions(member.value);
}

// Of apiVersion, kind and metadata, at the root and in embedded resources.
void drop_meta_descriptions(Value& v, bool is_root) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) drop_meta_descriptions(item, false);
  }
  if (!v.is_object()) return;
  Value* properties = v.find("properties");
  if (properties != nullptr && (is_root || v.find("x-kubernetes-embedded-resource") != nullptr)) {
    for (const std::string_view key : {"apiVersion", "kind", "metadata"}) {
      if (Value* one = properties->find(key)) one->remove("description");
    }
  }
  for (Member& member : v.mutable_members()) drop_meta_descriptions(member.value, false);
}

struct Counts {
  int passed = 0;
  int failed = 0;
};

enum class Prose : std::uint8_t { kNone, kOfSchemas };

// Member by member. With `all` nothing may be there that was not recorded.
void compare(const Value& got, const Value& want, Prose prose, bool all, const std::string& what,
             Counts& counts) {
  std::set<std::string_view> names;
  for (const Member& one : want.members()) names.insert(one.key);
  for (const Member& one : got.members()) {
    if (all) names.insert(one.key);
  }
  for (const std::string_view name : names) {
    const Value* ours = got.find(name);
    const Value* theirs = want.find(name);
    if (ours == nullptr || theirs == nullptr) {
      ADD_FAILURE() << what << ": " << name << (ours == nullptr ? " is missing" : " is not wanted");
      ++counts.failed;
      continue;
    }
    Document copies;
    for (const Value** one : {&ours, &theirs}) {
      auto* copy = copies.arena().allocate_array<Value>(1);
      *copy = value::deep_copy(**one, copies.arena());
      if (prose == Prose::kOfSchemas && !name.starts_with("io.k8s.api")) {
        drop_meta_descriptions(*copy, true);
      } else {
        drop_descriptions(*copy);
      }
      *one = copy;
    }
    const bool same = value::to_json(*ours) == value::to_json(*theirs);
    EXPECT_TRUE(same) << what << ": " << name << "\n  got  "
                      << value::to_json(*ours).substr(0, 3000) << "\n  want "
                      << value::to_json(*theirs).substr(0, 3000);
    ++(same ? counts.passed : counts.failed);
  }
}

TEST(OpenApiRecordings, AreReproduced) {
  STRAKE_REQUIRE_VECTORS(folder, "openapi");
  Counts schemas;
  Counts paths;
  Counts definitions;
  Counts paths_v2;
  for (const auto& path : strake::testing::files_in(folder, ".json")) {
    const Document recording = parsed(strake::testing::read_file(path));
    const std::string file = path.filename().string();
    const std::vector<ResourcePtr> all = {installed(*recording.root().find("crd"))};
    for (const Member& one : recording.root().find("v3")->members()) {
      const Document got =
          parsed(openapi_v3(all, "apis/" + all[0]->group + "/" + std::string(one.key)));
      std::string keys;
      for (const Member& member : got.root().members()) keys += std::string(member.key) + " ";
      EXPECT_EQ(keys, "components info openapi paths ");
      EXPECT_EQ(got.root().find("openapi")->as_string(), one.value.find("openapi")->as_string());
      const Value& components = *got.root().find("components");
      EXPECT_EQ(components.size(), 1U);
      compare(*components.find("schemas"), *one.value.find("components")->find("schemas"),
              Prose::kOfSchemas, true, file, schemas);
      compare(*got.root().find("paths"), *one.value.find("paths"), Prose::kNone, true, file, paths);
    }
    const Document got = parsed(openapi_v2(all));
    const Value& want = *recording.root().find("v2");
    compare(*got.root().find("definitions"), *want.find("definitions"), Prose::kOfSchemas, false,
            file, definitions);
    compare(*got.root().find("paths"), *want.find("paths"), Prose::kNone, false, file, paths_v2);
  }
  const auto print = [](const char* name, const Counts& counts) {
    std::cout << "openapi " << name << ": " << counts.passed << " passed, " << counts.failed
              << " failed\n";
  };
  print("v3 schemas", schemas);
  print("v3 paths", paths);
  print("v2 definitions", definitions);
  print("v2 paths", paths_v2);
  using strake::testing::count_in;
  EXPECT_GT(schemas.passed, count_in(folder, 80, 3));
  EXPECT_GT(paths.passed, count_in(folder, 20, 5));
  EXPECT_GT(definitions.passed, count_in(folder, 10, 1));
  EXPECT_GT(paths_v2.passed, count_in(folder, 20, 5));
}

// Every "$ref" of a v2 or v3 document leads somewhere.
void expect_references(const Value& root, const Value& v, int& count) {
  if (v.is_array()) {
    for (const Value& item : v.items()) expect_references(root, item, count);
  }
  if (!v.is_object()) return;
  if (const Value* reference = v.find("$ref"); reference != nullptr && reference->is_string()) {
    std::string_view path = reference->as_string();
    ASSERT_TRUE(path.starts_with("#/")) << path;
    path.remove_prefix(2);
    const Value* at = &root;
    while (at != nullptr && !path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      at = at->find(path.substr(0, slash));
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    EXPECT_NE(at, nullptr) << reference->as_string();
    ++count;
  }
  for (const Member& member : v.members()) expect_references(root, member.value, count);
}

// A small built-in kind, with a subresource of another kind.
ResourcePtr accounts() {
  static const Document schemas = parsed(R"json({
    "io.k8s.api.core.v1.Account": {"type":"object","properties":{
      "metadata":{"allOf":[{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}],"default":{},"description":"Its metadata."},
      "port":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"Either.","default":0},
      "size":{"anyOf":[{"type":"string"},{"type":"number"}]}},
      "x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"Account"}]},
    "io.k8s.api.core.v1.AccountList": {"type":"object","properties":{"items":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.Account"}],"default":{}}}}},
    "io.k8s.api.authentication.v1.TokenRequest": {"type":"object",
      "x-kubernetes-group-version-kind":[{"group":"authentication.k8s.io","version":"v1","kind":"TokenRequest"}]}})json");
  auto out = std::make_shared<Resource>();
  out->plural = "accounts";
  out->singular = "account";
  out->kind = "Account";
  out->list_kind = "AccountList";
  out->verbs = {Verb::kCreate, Verb::kDelete, Verb::kDeleteCollection, Verb::kGet,
                Verb::kList,   Verb::kPatch,  Verb::kUpdate,           Verb::kWatch};
  out->openapi_schemas = []() -> const Value& { return schemas.root(); };
  out->openapi_name = "io.k8s.api.core.v1.Account";
  auto& version = out->versions.emplace_back();
  version.name = "v1";
  version.subresources.push_back({.name = "token",
                                  .kind = {"authentication.k8s.io", "v1", "TokenRequest"},
                                  .verbs = {Verb::kCreate}});
  return out;
}

ResourcePtr reviews() {
  auto out = std::make_shared<Resource>(*accounts());
  out->group = "rbac.authorization.k8s.io";
  out->plural = "reviews";
  out->kind = "Review";
  out->namespaced = false;
  out->verbs = {Verb::kCreate};
  out->versions[0].subresources.clear();
  return out;
}

std::vector<ResourcePtr> mixed() {
  return {accounts(), reviews(), installed(widgets_crd("b.example.com")),
          installed(widgets_crd("a.k8s.io"))};
}

TEST(OpenApi, KnowsItsDocuments) {
  const std::vector<ResourcePtr> all = mixed();
  const std::vector<std::string> paths = openapi_v3_paths(all);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"api", "api/v1", "apis", "apis/a.k8s.io/v1",
                                      "apis/b.example.com/v1", "apis/rbac.authorization.k8s.io",
                                      "apis/rbac.authorization.k8s.io/v1", "version"}));
  for (const std::string& path : paths) {
    const Document document = parsed(openapi_v3(all, path));
    EXPECT_EQ(document.root().find("openapi")->as_string(), "3.0.0") << path;
    EXPECT_GT(document.root().find("paths")->size(), 0U) << path;
    int references = 0;
    expect_references(document.root(), document.root(), references);
    EXPECT_GT(references, 0) << path;
  }
  for (const char* path : {"", "/", "apis/", "apis/a.k8s.io", "apis/a.k8s.io/v2", "apis/c/v1",
                           "api/v2", "api/", "apis/a.k8s.io/v1/x", "other"})
    EXPECT_EQ(openapi_v3(all, path), "") << path;
}

TEST(OpenApi, OfV2HasAllThatItRefersTo) {
  const Document document = parsed(openapi_v2(mixed()));
  const Value& root = document.root();
  EXPECT_EQ(root.find("swagger")->as_string(), "2.0");
  int references = 0;
  expect_references(root, root, references);
  EXPECT_GT(references, 100);
  std::set<std::string> ids;
  for (const Member& path : root.find("paths")->members()) {
    for (const Member& operation : path.value.members()) {
      if (!operation.value.is_object()) continue;
      const std::string id(operation.value.find("operationId")->as_string());
      EXPECT_TRUE(ids.insert(id).second) << id << " is there twice";
    }
  }
  for (const char* id :
       {"getCoreAPIVersions", "getCoreV1APIResources", "getRbacAuthorizationAPIGroup",
        "getRbacAuthorizationV1APIResources", "getAPIVersions", "getCodeVersion",
        "listCoreV1AccountForAllNamespaces", "deleteCoreV1CollectionNamespacedAccount",
        "createCoreV1NamespacedAccountToken", "createRbacAuthorizationV1Review",
        "listAV1NamespacedWidget", "replaceBExampleComV1NamespacedWidgetScale"})
    EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(OpenApi, OfBuiltInKindsIsPoorerInV2) {
  const Document document = parsed(openapi_v2(mixed()));
  const Value& account = *document.root().find("definitions")->find("io.k8s.api.core.v1.Account");
  EXPECT_EQ(
      value::to_json(*account.find("properties")),
      R"({"metadata":{"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","description":"Its metadata."},)"
      R"("port":{"description":"Either.","format":"int-or-string","type":"string"},"size":{"type":"string"}})");
}

TEST(OpenApi, PutsWhatAllOperationsTakeBesideThem) {
  const Document document = parsed(openapi_v3(mixed(), "api/v1"));
  const Value& token =
      *document.root().find("paths")->find("/api/v1/namespaces/{namespace}/accounts/{name}/token");
  std::string names;
  for (const Value& one : token.find("parameters")->items())
    names += std::string(one.find("name")->as_string()) + " ";
  EXPECT_EQ(names, "dryRun fieldManager fieldValidation name namespace pretty ");
  EXPECT_EQ(token.find("post")->find("parameters"), nullptr);
  EXPECT_EQ(value::to_json(*token.find("post")->find("x-kubernetes-group-version-kind")),
            R"({"group":"authentication.k8s.io","kind":"TokenRequest","version":"v1"})");
}

TEST(OpenApi, HidesWhatIsNotEstablished) {
  const std::vector<ResourcePtr> all = {installed(widgets_crd("a.io"), {"NamesAccepted"})};
  EXPECT_EQ(openapi_v3(all, "apis/a.io/v1"), "");
  EXPECT_EQ(openapi_v3_paths(all), (std::vector<std::string>{"api", "apis", "version"}));
  EXPECT_EQ(openapi_v2(all).find("a.io"), std::string::npos);
}

TEST(OpenApi, IndexesDocumentsByTheirHash) {
  EXPECT_EQ(openapi_v3_index({{"api", "A1"}, {"apis/b.io/v1", "B2"}}),
            R"({"paths":{"api":{"serverRelativeURL":"/openapi/v3/api?hash=A1"},)"
            R"("apis/b.io/v1":{"serverRelativeURL":"/openapi/v3/apis/b.io/v1?hash=B2"}}})");
}

TEST(DocumentHash, IsSha512) {
  EXPECT_EQ(document_hash(""),
            "CF83E1357EEFB8BDF1542850D66D8007D620E4050B5715DC83F4A921D36CE9CE"
            "47D0D13C5D85F2B0FF8318D2877EEC2F63B931BD47417A81A538327AF927DA3E");
  EXPECT_EQ(document_hash("abc"),
            "DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A"
            "2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F");
  EXPECT_EQ(document_hash("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnop"
                          "jklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "8E959B75DAE313DA8CF4F72814FC143F8F7779C6EB9F7FA17299AEADB6889018"
            "501D289E4900F7E4331B99DEC4B5433AC7D329EEB6DD26545E96E55B874BE909");
  EXPECT_EQ(document_hash(std::string(1'000'000, 'a')),
            "E718483D0CE769644E2E42C7BC15B4638E1F98B13B2044285632A803AFA973EB"
            "DE0FF244877EA60A4CB0432CE577C31BEB009C5C2C49AA2E4EADB217AD8CC09B");
}

}  // namespace
}  // namespace strake::publish
