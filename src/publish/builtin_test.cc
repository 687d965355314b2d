// The built-in kinds as they are shown: what the other tests of this module look at one by one,
// here with the kinds that every server has.
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <set>

#include "base/rfc3339.h"
#include "kinds/builtin_strategy.h"
#include "publish/discovery.h"
#include "publish/openapi.h"
#include "publish/table.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using kinds::builtin_resources;
using kinds::ResourcePtr;
using value::Document;
using value::Member;
using value::Value;

Document parsed(const std::string& json) {
  auto document = value::read_json(json);
  EXPECT_TRUE(document) << json.substr(0, 200);
  return document ? *std::move(document) : Document();
}

ResourcePtr builtin(std::string_view group, std::string_view plural) {
  for (const ResourcePtr& one : builtin_resources()) {
    if (one->group == group && one->plural == plural) return one;
  }
  return nullptr;
}

// --- OpenAPI

void check_references(const Value& root, const Value& v, std::set<std::string>& missing) {
  if (v.is_array()) {
    for (const Value& item : v.items()) check_references(root, item, missing);
  }
  if (!v.is_object()) return;
  if (const Value* reference = v.find("$ref"); reference != nullptr && reference->is_string()) {
    std::string_view path = reference->as_string().substr(2);
    const Value* at = &root;
    while (at != nullptr && !path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      at = at->find(path.substr(0, slash));
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    if (at == nullptr) missing.emplace(reference->as_string());
  }
  for (const Member& member : v.members()) check_references(root, member.value, missing);
}

TEST(BuiltinKinds, ReferToNothingThatTheirDocumentsLack) {
  const auto& all = builtin_resources();
  std::set<std::string> missing;
  for (const std::string& path : openapi_v3_paths(all)) {
    const Document document = parsed(openapi_v3(all, path));
    check_references(document.root(), document.root(), missing);
    EXPECT_TRUE(openapi_v3_protobuf(openapi_v3(all, path)));
  }
  const std::string v2 = openapi_v2(all);
  const Document document = parsed(v2);
  check_references(document.root(), document.root(), missing);
  EXPECT_TRUE(openapi_v2_protobuf(v2));
  EXPECT_TRUE(missing.empty()) << ::testing::PrintToString(missing);
}

// Whether the schemas of the resource have that kind, too.
bool describes(const kinds::Resource& resource, const meta::GroupVersionKind& kind) {
  for (const Member& one : resource.openapi_schemas().members()) {
    const Value* kinds = one.value.find("x-kubernetes-group-version-kind");
    if (kinds != nullptr && kinds->size() > 0 &&
        kinds->items()[0].find("kind")->as_string() == kind.kind)
      return true;
  }
  return false;
}

TEST(BuiltinKinds, HaveAPathForEachOfTheirSubresources) {
  const Document document = parsed(openapi_v2(builtin_resources()));
  const Value& paths = *document.root().find("paths");
  std::set<std::string> ids;
  for (const Member& path : paths.members()) {
    for (const Member& operation : path.value.members()) {
      if (!operation.value.is_object()) continue;
      const std::string id(operation.value.find("operationId")->as_string());
      EXPECT_TRUE(ids.insert(id).second) << id << " is there twice";
    }
  }
  for (const ResourcePtr& resource : builtin_resources()) {
    for (const kinds::ServedVersion& version : resource->versions) {
      const std::string root =
          resource->group.empty() ? "/api/v1" : "/apis/" + resource->group + "/" + version.name;
      const std::string collection =
          root + (resource->namespaced ? "/namespaces/{namespace}/" : "/") + resource->plural;
      EXPECT_NE(paths.find(collection), nullptr) << collection;
      for (const kinds::Subresource& one : version.subresources) {
        const std::string path = collection + "/{name}/" + one.name;
        if (one.kind.kind != resource->kind && !describes(*resource, one.kind)) {
          // Without a schema there is nothing to say about it.
          EXPECT_EQ(paths.find(path), nullptr) << path;
          std::cout << "no schema of " << one.kind.kind << ", so no path " << path << "\n";
        } else {
          EXPECT_NE(paths.find(path), nullptr) << path;
        }
      }
    }
  }
}

// --- recorded conversations

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

Document conversation(const std::filesystem::path& file) {
  return parsed(replaced(strake::testing::read_file(file), "<time>", "2024-01-01T00:00:00Z"));
}

// The hash was normalised when it was recorded.
void hide_hashes(Value& list, Arena& arena) {
  Value* resources = list.find("resources");
  if (resources == nullptr) return;
  for (Value& one : resources->mutable_items()) {
    if (one.find("storageVersionHash") != nullptr)
      one.set("storageVersionHash", Value::string("<hash>"), arena);
  }
}

TEST(BuiltinKinds, AreDiscoveredAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  int compared = 0;
  std::string absent;
  for (const char* file : {"http_core.json", "http_discovery.json"}) {
    const Document recorded = conversation(folder / file);
    for (const Value& step : recorded.root().find("steps")->items()) {
      const Value* expect = step.find("expect");
      if (expect == nullptr || step.find("method")->as_string() != "GET") continue;
      const Value* body = expect->find("body");
      const Value* kind = body->find("kind");
      if (kind == nullptr || !kind->is_string()) continue;
      std::string got;
      std::string name;
      if (kind->as_string() == "APIResourceList") {
        name = body->find("groupVersion")->as_string();
        const std::size_t slash = name.find('/');
        got = api_resource_list(builtin_resources(), name.substr(0, slash), name.substr(slash + 1));
      } else if (kind->as_string() == "APIGroup") {
        name = body->find("name")->as_string();
        got = api_group(builtin_resources(), name);
      }
      if (name.empty() || !name.substr(0, name.find('/')).ends_with(".k8s.io")) continue;
      if (got.empty()) {
        absent += name + " ";
        continue;
      }
      Document document = parsed(got);
      hide_hashes(document.root(), document.arena());
      EXPECT_EQ(value::to_json(document.root()), value::to_json(*body)) << name;
      ++compared;
    }
  }
  std::cout << "discovery of built-in groups: " << compared
            << " compared, absent: " << (absent.empty() ? "none" : absent) << "\n";
  EXPECT_GT(compared, 2);
}

TEST(BuiltinKinds, ArePrintedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  const Document recorded = conversation(folder / "http_core.json");
  const WallTime now = parse_rfc3339("2024-01-01T00:00:00Z")->to_wall();
  // What the rows were made from, as far as the columns show it.
  const struct {
    std::string_view step;
    std::string_view plural;
    std::string_view content;
  } cases[] = {{"cm-table", "configmaps", R"("data":{"j":"1","k":"2"})"},
               {"ns-table", "namespaces", R"("status":{"phase":"Active"})"}};
  int compared = 0;
  for (const auto& one : cases) {
    for (const Value& step : recorded.root().find("steps")->items()) {
      if (step.find("id")->as_string() != one.step) continue;
      const Value& want = *step.find("expect")->find("body");
      const std::string metadata =
          value::to_json(*want.find("rows")->items()[0].find("object")->find("metadata"));
      const std::string object = "{" + std::string(one.content) + ",\"metadata\":" + metadata + "}";
      const ResourcePtr resource = builtin("", one.plural);
      ASSERT_NE(resource, nullptr);
      const TablePrinter table(resource, resource->versions[0], *resource->strategy);
      std::string got;
      table.begin(got, value::to_json(*want.find("metadata")), true);
      table.row(got, parsed(object).root(), object, IncludeObject::kMetadata, now);
      table.end(got);
      EXPECT_EQ(value::to_json(parsed(got).root()), value::to_json(want)) << one.step;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2);
}

TEST(BuiltinKinds, PrintARowForAnyObject) {
  const WallTime now = parse_rfc3339("2024-01-02T00:00:00Z")->to_wall();
  for (const ResourcePtr& resource : builtin_resources()) {
    if (resource->strategy == nullptr) continue;
    const TablePrinter table(resource, resource->versions[0], *resource->strategy);
    for (
        const char* object :
        {"{}", R"({"metadata":{"name":"a"}})",
         R"({"metadata":{"name":"a","creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{},"status":{}})"}) {
      std::string text;
      table.begin(text, "{}", true);
      table.row(text, parsed(object).root(), object, IncludeObject::kObject, now);
      table.end(text);
      const Document document = parsed(text);
      const Value& row = document.root().find("rows")->items()[0];
      EXPECT_EQ(row.find("cells")->size(), document.root().find("columnDefinitions")->size())
          << resource->plural;
    }
  }
}

}  // namespace
}  // namespace strake::publish
