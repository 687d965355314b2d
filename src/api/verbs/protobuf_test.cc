// Typed clients: objects, lists, events and failures in protobuf, both ways.
#include "kinds/protobuf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "api/test_server.h"
#include "base/lines.h"
#include "kinds/builtin_strategy.h"
#include "kinds/derive.h"
#include "kinds/random_objects.h"
#include "kinds/workloads/workload_resources.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api::testing {
namespace {

using kinds::kProtobufType;
using value::Document;
using value::Value;

constexpr std::string_view kBoth = "application/vnd.kubernetes.protobuf,application/json";

Document parsed(std::string_view json) {
  auto read = value::read_json(json);
  EXPECT_TRUE(read) << json;
  return read ? *std::move(read) : Document();
}

// The object as the API sends it in protobuf, made from what it sends as JSON. That these are the
// bytes of kube-apiserver 1.36 is tested with its own (kinds/protobuf_test.cc).
std::string encoded(const Value& object, std::string_view api_version, std::string_view kind) {
  const kinds::ProtoMessage* message = kinds::find_message(api_version, kind);
  EXPECT_NE(message, nullptr) << kind;
  return message != nullptr ? kinds::encode_message(object, *message) : std::string();
}
std::string body_of(std::string_view json) {
  const Document object = parsed(json);
  const std::string_view api_version = value::text_of(object.root(), "apiVersion");
  const std::string_view kind = value::text_of(object.root(), "kind");
  return kinds::in_envelope(api_version, kind, encoded(object.root(), api_version, kind));
}
std::string list_of(std::string_view json) {
  const Document list = parsed(json);
  const std::string_view api_version = value::text_of(list.root(), "apiVersion");
  const std::string_view kind = value::text_of(list.root(), "kind");
  std::vector<std::string> items;
  for (const Value& item : list.root().get("items").items())
    items.push_back(encoded(item, api_version, kind.substr(0, kind.size() - 4)));
  return kinds::in_envelope(api_version, kind,
                            kinds::encode_list(list.root().get("metadata"), items));
}

// What a server gives to an object taken off, so that two of them can be compared.
std::string without_identity(std::string_view json, std::string_view name) {
  Document object = parsed(json);
  const std::string uid(value::text_of(object.root().get("metadata"), "uid"));
  if (Value* metadata = object.root().find("metadata")) {
    for (const std::string_view key : {"uid", "resourceVersion", "managedFields"})
      metadata->remove(key);
  }
  std::string address;
  if (Value* spec = object.root().find("spec"); spec != nullptr && spec->is_object()) {
    address = value::text_of(*spec, "clusterIP");
    spec->remove("healthCheckNodePort");
    if (Value* ports = spec->find("ports"); ports != nullptr && ports->is_array()) {
      for (Value& port : ports->mutable_items()) port.remove("nodePort");
    }
  }
  std::string out = value::to_json(object.root());
  for (const std::string_view text : {std::string_view(uid), std::string_view(address), name}) {
    if (text.empty()) continue;
    for (std::size_t at = out.find(text); at != std::string::npos; at = out.find(text, at))
      out.replace(at, text.size(), "#");
  }
  return out;
}

// The failure that a body in protobuf tells.
std::string failure(const Answered& answered) {
  if (answered.header("Content-Type") != kProtobufType) return "not protobuf: " + answered.body;
  // A Status is no kind that is read from bodies: its texts stand in it as they are.
  return answered.body;
}

class Protobuf : public ::testing::Test {
 protected:
  Answered get(std::string_view target, std::string_view accept = kProtobufType) {
    return server.ask({.target = target, .accept = accept});
  }
  Answered send(std::string_view method, std::string_view target, std::string_view body,
                std::string_view accept = "application/json") {
    return server.ask({.method = method,
                       .target = target,
                       .body = body,
                       .type = kProtobufType,
                       .accept = accept});
  }

  TestServer server{{.workloads = true}};
};

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";

TEST_F(Protobuf, AnswersWithTheObjectThatJsonShows) {
  server.create(kMaps, config_map_json("a", R"({"k":"v"})"));
  const Answered got = get(kMap, kBoth);
  expect_ok(got);
  EXPECT_EQ(got.header("Content-Type"), kProtobufType);
  EXPECT_EQ(got.body, body_of(server.get(kMap).body));
  EXPECT_EQ(get(kMaps).body, list_of(server.get(kMaps).body));
  EXPECT_EQ(get(kMaps).header("Content-Type"), kProtobufType);
}

TEST_F(Protobuf, ListsByPagesAndLongLists) {
  constexpr int kMany = 300;
  for (int i = 0; i < kMany; ++i)
    server.create(kMaps, config_map_json(fmt::format("m{}", i), R"({"k":"v"})"));
  EXPECT_EQ(get(kMaps).body, list_of(server.get(kMaps).body));
  const std::string page = fmt::format("{}?limit=7", kMaps);
  EXPECT_EQ(get(page).body, list_of(server.get(page).body));
}

TEST_F(Protobuf, WatchesInFrames) {
  const Answered made = server.create(kMaps, config_map_json("a", R"({"k":"v"})"));
  auto watch = server.call("GET", fmt::format("{}?watch=true&resourceVersion=0", kMaps), {},
                           {{"Accept", std::string(kBoth)}});
  EXPECT_EQ(watch.content_type, kinds::kProtobufStreamType);
  EXPECT_EQ(watch.body + server.next(*watch.stream),
            kinds::watch_frame("ADDED", body_of(made.body)));
  server.merge(kMap, R"({"data":{"k":"w"}})");
  EXPECT_EQ(server.next(*watch.stream),
            kinds::watch_frame("MODIFIED", body_of(server.get(kMap).body)));
  server.remove(kMap);
  EXPECT_TRUE(server.next(*watch.stream).contains("DELETED"));
  server.end(std::move(watch.stream));
}

TEST_F(Protobuf, TellsTheEndOfInitialEvents) {
  server.create(kMaps, config_map_json("a"));
  auto watch =
      server.call("GET",
                  fmt::format("{}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&"
                              "resourceVersionMatch=NotOlderThan",
                              kMaps),
                  {}, {{"Accept", std::string(kProtobufType)}});
  const std::string frames = watch.body + server.next(*watch.stream);
  EXPECT_TRUE(frames.contains("BOOKMARK"));
  EXPECT_TRUE(frames.contains("k8s.io/initial-events-end"));
  server.end(std::move(watch.stream));
}

TEST_F(Protobuf, TellsFailures) {
  const Answered gone = get("/api/v1/namespaces/default/configmaps/nope", kBoth);
  EXPECT_EQ(gone.code, 404);
  EXPECT_TRUE(failure(gone).contains("configmaps \"nope\" not found")) << gone.body;
  Document status = parsed(server.get("/api/v1/namespaces/default/configmaps/nope").body);
  EXPECT_EQ(gone.body,
            kinds::in_envelope("v1", "Status",
                               kinds::encode_message(status.root(), kinds::status_message())));
  // With causes.
  const std::string bad = config_map_json("Bad_Name");
  const Answered refused = server.ask({.method = "POST",
                                       .target = kMaps,
                                       .body = bad,
                                       .type = "application/json",
                                       .accept = kProtobufType});
  EXPECT_EQ(refused.code, 422);
  EXPECT_TRUE(failure(refused).contains("FieldValueInvalid"));
  // Before anything is known of the kind.
  EXPECT_EQ(get("/api/v1/namespaces/default/configmaps?limit=x").header("Content-Type"),
            kProtobufType);
}

TEST_F(Protobuf, DeletesWithAStatus) {
  server.create(kMaps, config_map_json("a"));
  const Answered gone = send("DELETE", kMap, "", kProtobufType);
  expect_ok(gone);
  EXPECT_TRUE(failure(gone).contains("Success"));
}

TEST_F(Protobuf, ShowsBareMetadataOfEveryResource) {
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgets_crd());
  constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
  expect_ok(server.wait_for(200, kWidgets));
  server.create(kWidgets, widget_json("w"));
  const std::string widget = fmt::format("{}/w", kWidgets);
  // Custom resources have no protobuf form themselves.
  EXPECT_EQ(get(widget).code, 406);
  EXPECT_EQ(get(widget, kBoth).header("Content-Type"), "application/json");
  EXPECT_EQ(get(fmt::format("{}?watch=true", kWidgets)).code, 406);
  const Answered one = get(
      widget, "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
  expect_ok(one);
  const Document object = parsed(server.get(widget).body);
  EXPECT_EQ(one.body, kinds::in_envelope(
                          "meta.k8s.io/v1", "PartialObjectMetadata",
                          kinds::encode_message(object.root(), kinds::partial_metadata_message())));
  const Answered list =
      get(kWidgets,
          "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
  expect_ok(list);
  EXPECT_TRUE(list.body.contains("PartialObjectMetadataList"));
  const std::string item = kinds::encode_message(object.root(), kinds::partial_metadata_message());
  EXPECT_TRUE(list.body.contains(item));
}

TEST_F(Protobuf, HasNoTables) {
  const Answered got =
      get(kMaps, "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(got.code, 406);
  EXPECT_TRUE(
      got.body.contains("object *v1.Table does not implement the protobuf marshalling "
                        "interface and cannot be encoded to a protobuf message"))
      << got.body;
}

TEST_F(Protobuf, ReadsScalesBindingsAndEvictions) {
  constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
  server.create(kPods, R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},)"
                       R"("spec":{"containers":[{"name":"c","image":"i"}]}})");
  const Answered bound =
      send("POST", fmt::format("{}/p/binding", kPods),
           body_of(R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},)"
                   R"("target":{"kind":"Node","name":"n1"}})"));
  EXPECT_EQ(bound.code, 201) << bound.body;
  EXPECT_EQ(server.get(fmt::format("{}/p", kPods)).text("spec.nodeName"), "n1");
  constexpr std::string_view kSets = "/apis/apps/v1/namespaces/default/replicasets";
  server.create(
      kSets, R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"r"},"spec":{)"
             R"("selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
             R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const std::string scale = fmt::format("{}/r/scale", kSets);
  EXPECT_EQ(get(scale).body, body_of(server.get(scale).body));
  Document wanted = parsed(server.get(scale).body);
  wanted.root().find("spec")->set("replicas", Value::integer(7), wanted.arena());
  const Answered scaled = send("PUT", scale, body_of(value::to_json(wanted.root())));
  expect_ok(scaled);
  EXPECT_EQ(scaled.at("spec.replicas"), "7");
  EXPECT_EQ(send("POST", fmt::format("{}/p/eviction", kPods),
                 body_of(R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}})"))
                .code,
            201);
}

TEST_F(Protobuf, RefusesBrokenBodies) {
  const std::string whole = body_of(config_map_json("a", R"({"k":"v"})"));
  for (const std::string& body :
       {std::string(), std::string("k8s"), std::string("k8s\0\xff", 5), whole.substr(0, 30),
        std::string("{}"), std::string("k8s\0", 4) + std::string(1 << 16, '\x0a')}) {
    const Answered got = send("POST", kMaps, body);
    EXPECT_EQ(got.code, 400) << got.body;
    EXPECT_EQ(got.text("kind"), "Status");
  }
  // A kind that is not the one of the path.
  EXPECT_EQ(send("POST", kMaps, body_of(R"({"apiVersion":"v1","kind":"Secret"})")).code, 400);
  // Fields that are not known are passed over.
  std::string more = encoded(parsed(config_map_json("b")).root(), "v1", "ConfigMap");
  more += std::string("\xfa\x06\x03xyz", 6);
  EXPECT_EQ(send("POST", kMaps, kinds::in_envelope("v1", "ConfigMap", more)).code, 201);
}

// --- every kind

std::string path_of(const kinds::Resource& resource) {
  const std::string_view version = resource.versions.front().name;
  std::string out = resource.group.empty() ? fmt::format("/api/{}", version)
                                           : fmt::format("/apis/{}/{}", resource.group, version);
  if (resource.namespaced) out += "/namespaces/default";
  return fmt::format("{}/{}", out, resource.plural);
}

// The object as a client would send it, under another name.
std::string as_sent(const Value& stored, std::string_view name) {
  Document object;
  object.root() = value::deep_copy(stored, object.arena());
  Arena& arena = object.arena();
  Value& metadata = object.root().object_at("metadata", arena);
  for (const std::string_view key : {"uid", "resourceVersion", "creationTimestamp", "generation",
                                     "managedFields", "namespace", "generateName"})
    metadata.remove(key);
  metadata.set("name", Value::string(arena.copy(name)), arena);
  object.root().remove("status");
  if (Value* spec = object.root().find("spec"); spec != nullptr && spec->is_object()) {
    // What only one object can have.
    for (const std::string_view key : {"clusterIP", "clusterIPs", "healthCheckNodePort"})
      if (value::text_of(object.root(), "kind") == "Service") spec->remove(key);
    if (Value* ports = spec->find("ports"); ports != nullptr && ports->is_array()) {
      for (Value& port : ports->mutable_items()) port.remove("nodePort");
    }
    // Jobs get theirs by their uid.
    if (value::text_of(object.root(), "kind") == "Job") {
      spec->remove("selector");
      if (Value* pods = spec->find("template")) pods->remove("metadata");
    }
  }
  return value::to_json(object.root());
}

std::string version_in(std::string_view json) {
  return std::string(value::text_of(parsed(json).root().get("metadata"), "resourceVersion"));
}

TEST_F(Protobuf, StoresAndShowsRecordedObjectsOfEveryKindAsJsonDoes) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const std::string samples = strake::testing::read_file(folder / "protobuf-samples.jsonl");
  std::size_t stored = 0;
  std::size_t unchanged = 0;
  std::size_t total = 0;
  for (std::string_view rest = samples; !rest.empty(); ++total) {
    const Document sample = parsed(take_line(rest));
    const Value& object = sample.root().get("json");
    SCOPED_TRACE(value::text_of(sample.root(), "file"));
    const kinds::Resource* resource = kinds::find_resource(meta::from_api_version_and_kind(
        value::text_of(object, "apiVersion"), value::text_of(object, "kind")));
    ASSERT_NE(resource, nullptr);
    const std::string path = path_of(*resource);
    const std::string one = fmt::format("one-{}", total);
    const std::string two = fmt::format("two-{}", total);
    const Answered by_json = server.post(path, as_sent(object, one));
    const Answered by_protobuf = send("POST", path, body_of(as_sent(object, two)));
    ASSERT_EQ(by_protobuf.code, by_json.code) << by_json.body << "\n" << by_protobuf.body;
    EXPECT_EQ(without_identity(by_protobuf.body, two), without_identity(by_json.body, one));
    if (by_json.code != 201) continue;
    ++stored;
    const std::string at = fmt::format("{}/{}", path, two);
    const std::string shown = server.get(at).body;
    EXPECT_EQ(get(at).body, body_of(shown));
    // Written back as it is, nothing changes.
    const Answered again = send("PUT", at, body_of(shown));
    EXPECT_EQ(again.code, 200) << again.body;
    unchanged += again.version() == version_in(shown) ? 1 : 0;
    if (resource->versions.front().has_status()) {
      const Answered status = send("PUT", at + "/status", body_of(server.get(at).body));
      EXPECT_EQ(status.code, 200) << status.body;
    }
    EXPECT_EQ(get(path).body, list_of(server.get(path).body));
  }
  EXPECT_EQ(total, strake::testing::count_in<std::size_t>(folder, 160, 3));
  EXPECT_EQ(unchanged, stored);
  EXPECT_GE(stored, strake::testing::count_in<std::size_t>(folder, 150, 3));
}

// Random objects are hardly ever valid: what is compared is what the server says of them.
TEST_F(Protobuf, JudgesRandomObjectsOfEveryKindAsJson) {
  const std::uint64_t seed = kinds::testing::random_seed();
  SCOPED_TRACE(fmt::format("STRAKE_SEED={}", seed));
  constexpr int kEach = 8;
  std::set<int> codes;
  std::size_t tried = 0;
  for (const auto* all : {&kinds::builtin_resources(), &kinds::workload_resources()}) {
    for (const kinds::ResourcePtr& resource : *all) {
      if (!resource->has_verb(kinds::Verb::kCreate)) continue;
      const std::string_view version = resource->versions.front().name;
      const kinds::Type* kind =
          kinds::find_kind({resource->group, std::string(version), resource->kind});
      if (kind == nullptr || resource->strategy == nullptr) continue;
      Arena arena;
      kinds::testing::RandomObjects random(seed, arena);
      for (int i = 0; i < kEach; ++i, ++tried) {
        Document object = parsed(value::to_json(random.object(*kind)));
        // In the form of its kind, since empty values are not told apart in protobuf.
        ASSERT_TRUE(meta::read_shape(object.root(), kinds::shape_of(*kind), object.arena()));
        const std::string json = value::to_json(object.root());
        const std::string target = path_of(*resource) + "?dryRun=All";
        const Answered by_json = server.post(target, json);
        const Answered by_protobuf = send("POST", target, body_of(json));
        codes.insert(by_json.code);
        ASSERT_EQ(by_protobuf.code, by_json.code) << json << by_json.body << by_protobuf.body;
        const std::string name(value::text_of(object.root().get("metadata"), "name"));
        ASSERT_EQ(without_identity(by_protobuf.body, name), without_identity(by_json.body, name))
            << json;
      }
    }
  }
  EXPECT_GT(tried, 400u);
  EXPECT_TRUE(codes.contains(422));
  EXPECT_TRUE(codes.contains(201));
}

}  // namespace
}  // namespace strake::api::testing
