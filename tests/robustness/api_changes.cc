// The steps of the fuzzer of API requests that follow watches, and that change or drop definitions
// and namespaces; and what its requests are made of.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "robustness/api_fuzz.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::robustness {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::size_t kWatches = 6;
constexpr std::string_view kMerge = "application/merge-patch+json";

std::string key_of(const value::Value& object) {
  const value::Value& meta = object.get("metadata");
  return fmt::format("{}/{}", meta.get("namespace").as_string(), meta.get("name").as_string());
}

std::string without_type(const value::Value& object) {
  value::Document copy;
  copy.root() = value::deep_copy(object, copy.arena());
  copy.root().remove("apiVersion");
  copy.root().remove("kind");
  return value::to_json(copy.root());
}

}  // namespace

// ---- Watches

void ApiFuzz::begin_watch() {
  if (watches_.size() >= kWatches) {
    // One ends, and another goes on where it was: with what it had seen.
    const std::size_t index = dice_.below(watches_.size());
    Watch& one = watches_[index];
    server_.end(std::move(one.stream));
    if (dice_.percent(50) || !model_.kinds[one.kind].served || one.revision.empty() ||
        one.changes != model_.kinds[one.kind].changes) {
      watches_.erase(watches_.begin() + static_cast<std::ptrdiff_t>(index));
      return;
    }
    const Kind& of = model_.kinds[one.kind];
    ++sent_;
    trace_.push_back(fmt::format("#{} WATCH again {} from {}", sent_, of.path(), one.revision));
    auto got = server_.call(
        "GET",
        fmt::format("{}?watch=1&resourceVersion={}&labelSelector={}",
                    of.path(of.versions[0], one.namespace_name), one.revision, one.selector),
        {}, {{"Accept", "application/json"}});
    require(got.code == 200 && got.stream, "a watch can go on");
    one.stream = std::move(got.stream);
    one.rest = std::move(got.body);
    ++counts_["watches resumed"];
    return;
  }
  Watch one;
  one.kind = any_kind();
  const Kind& of = model_.kinds[one.kind];
  one.namespace_name = of.namespaced && dice_.percent(50) ? "one" : "";
  one.selector = dice_.percent(40) ? "team=a" : "";
  one.changes = of.changes;
  const std::string path = of.path(of.versions[0], one.namespace_name);
  std::string query = fmt::format("?watch=1&labelSelector={}", one.selector);
  if (dice_.percent(50)) {
    const Reply list = send("GET", fmt::format("{}?labelSelector={}", path, one.selector));
    require(list.code == 200, "a list can be read");
    one.revision = list.root().get("metadata").get("resourceVersion").as_string();
    for (const value::Value& item : list.root().get("items").items())
      one.bodies[key_of(item)] = without_type(item);
    query += "&resourceVersion=" + one.revision;
  } else if (dice_.percent(50)) {
    query += "&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
  } else if (dice_.percent(50)) {
    query += "&resourceVersion=0";
  }
  ++sent_;
  trace_.push_back(fmt::format("#{} WATCH {}{}", sent_, path, query));
  auto got = server_.call("GET", path + query, {}, {{"Accept", "application/json"}});
  require(got.code == 200 && got.stream, "a watch can begin");
  one.stream = std::move(got.stream);
  one.rest = std::move(got.body);
  watches_.push_back(std::move(one));
}

// Writes an object that the watch must see, reads the watch up to there, and compares what it has
// told with the list of that very version.
void ApiFuzz::follow_watch(std::size_t index) {
  Watch& one = watches_[index];
  const Kind& of = model_.kinds[one.kind];
  const bool changed = !of.served || one.changes != of.changes;
  const auto drop = [&] {
    server_.end(std::move(one.stream));
    watches_.erase(watches_.begin() + static_cast<std::ptrdiff_t>(index));
  };
  if (!of.served) return drop();
  const Place place{one.kind, of.namespaced ? "one" : "", fmt::format("sentinel-{}", ++sentinels_)};
  const Reply made = send("POST", of.path(of.versions[0], place.namespace_name),
                          object(place, of.versions[0], true));
  require(made.code == 201, "an ordinary object can be made");
  const std::string revision(made.root().get("metadata").get("resourceVersion").as_string());
  bool seen = false;
  while (!seen) {
    std::size_t end = one.rest.find('\n');
    if (end == std::string::npos) {
      const std::string part = server_.next(*one.stream);
      if (part.empty()) {
        require(changed, "a watch does not end by itself");
        break;
      }
      one.rest += part;
      continue;
    }
    const auto event = value::read_json(std::string_view(one.rest).substr(0, end));
    one.rest.erase(0, end + 1);
    require(event.has_value(), "an event is JSON");
    const std::string_view type = event->root().get("type").as_string();
    const value::Value& object = event->root().get("object");
    if (type == "ERROR") {
      require(object.get("code").as_int() == 410, "a watch ends only because it is too old");
      break;
    }
    const value::Value& meta = object.get("metadata");
    one.revision = meta.get("resourceVersion").as_string();
    if (type == "BOOKMARK") continue;
    const std::string key = key_of(object);
    if (type == "ADDED") require(!one.bodies.contains(key), "what is added was not there: " + key);
    if (type == "MODIFIED") require(one.bodies.contains(key), "what is modified was there: " + key);
    if (type == "DELETED") {
      require(one.bodies.erase(key) == 1, "what is deleted was there: " + key);
    } else {
      one.bodies[key] = without_type(object);
    }
    seen = one.revision == revision;
  }
  if (seen && !changed) {
    const Reply list = send(
        "GET", fmt::format("{}?resourceVersion={}&resourceVersionMatch=Exact&labelSelector={}",
                           of.path(of.versions[0], one.namespace_name), revision, one.selector));
    require(list.code == 200, "a list of the past can be read");
    std::map<std::string, std::string> want;
    for (const value::Value& item : list.root().get("items").items())
      want[key_of(item)] = without_type(item);
    for (const auto& [key, body] : want) {
      require(one.bodies.contains(key), "a watch has told of all that is listed: " + key);
      require(one.bodies[key] == body, "a watch has told of objects as they are: " + key);
    }
    require(one.bodies.size() == want.size(), "a watch has told of all that is gone");
    ++counts_["watches compared"];
  } else {
    drop();
  }
  const Reply gone = send("DELETE", path_of(place));
  require(gone.code == 200, "an ordinary object can be deleted");
}

// ---- Definitions and namespaces

void ApiFuzz::change_definition() {
  std::vector<std::size_t> custom;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < model_.kinds.size(); ++i) {
    if (!model_.kinds[i].custom) continue;
    custom.push_back(i);
    if (!model_.kinds[i].served) missing.push_back(i);
  }
  const std::size_t index = missing.empty() ? dice_.pick(custom) : missing.front();
  const Kind before = model_.kinds[index];
  Kind next = before;
  next.status = dice_.percent(60);
  next.scale = dice_.percent(50);
  next.counts_generation = true;
  next.versions = {"v1"};
  if (dice_.percent(60)) next.versions.emplace_back("v2");
  const std::string name = before.plural + "." + before.group;
  const std::string body = definition(next);
  if (before.served && dice_.percent(40)) {
    // Whatever is wrong with it, objects are served as they were.
    const Reply reply = send("PUT", fmt::format("{}/{}", kCrds, name), dice_.broken(body));
    if (reply.code >= 400) return compare_list(index, "");
  }
  Reply reply;
  if (!before.served) {
    reply = send("POST", kCrds, body);
    require(reply.code == 201, "a definition can be made");
  } else {
    const Reply current = send("GET", fmt::format("{}/{}", kCrds, name));
    require(current.code == 200, "a definition can be read");
    auto document = value::read_json(body).value();
    document.root()
        .object_at("metadata", document.arena())
        .set("resourceVersion", current.root().get("metadata").get("resourceVersion"),
             document.arena());
    reply = send("PUT", fmt::format("{}/{}", kCrds, name), value::to_json(document.root()));
    require(reply.code == 200, "a definition can be changed");
    require(reply.root().get("metadata").get("uid").as_string() ==
                current.root().get("metadata").get("uid").as_string(),
            "a definition keeps its uid");
  }
  next.served = true;
  next.changes = before.changes + 1;
  model_.kinds[index] = next;
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (send("GET", next.path()).code == 200) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  refresh(index);
  ++counts_["definitions changed"];
}

void ApiFuzz::drop_definition() {
  std::vector<std::size_t> served;
  for (std::size_t i = 0; i < model_.kinds.size(); ++i)
    if (model_.kinds[i].custom && model_.kinds[i].served) served.push_back(i);
  if (served.size() < 3) return;
  const std::size_t index = dice_.pick(served);
  Kind& of = model_.kinds[index];
  strip_finalizers(index, "");
  const std::string path = fmt::format("{}/{}.{}", kCrds, of.plural, of.group);
  const Reply reply = send("DELETE", path);
  require(reply.code == 200, "a definition can be deleted");
  wait_until_gone(path);
  of.served = false;
  ++of.changes;
  forget(index, "");
  const Reply gone = send("GET", of.path());
  require(gone.code == 404, "what has no definition is not served");
  ++counts_["definitions dropped"];
}

void ApiFuzz::drop_namespace() {
  for (std::size_t kind = 0; kind < model_.kinds.size(); ++kind)
    if (model_.kinds[kind].served && model_.kinds[kind].namespaced) strip_finalizers(kind, "two");
  const Reply reply = send("DELETE", "/api/v1/namespaces/two");
  require(reply.code == 200, "a namespace can be deleted");
  wait_until_gone("/api/v1/namespaces/two");
  for (std::size_t kind = 0; kind < model_.kinds.size(); ++kind) {
    forget(kind, "two");
    if (model_.kinds[kind].served && model_.kinds[kind].namespaced) {
      const Reply list =
          send("GET", model_.kinds[kind].path(model_.kinds[kind].versions[0], "two"));
      require(list.root().get("items").size() == 0, "nothing stays of a namespace");
    }
  }
  const Reply made = send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"two"}})");
  require(made.code == 201, "a namespace can be made again");
  ++counts_["namespaces dropped"];
}

void ApiFuzz::strip_finalizers(std::size_t kind, std::string_view namespace_name) {
  for (const Place& place : model_.places(kind)) {
    if (!namespace_name.empty() && place.namespace_name != namespace_name) continue;
    Reply reply = send("PATCH", path_of(place), R"({"metadata":{"finalizers":null}})",
                       {{"Content-Type", std::string(kMerge)}});
    // A rule that is newer than the object forgives what did not change, but not beside members
    // that no schema knows: as with kube-apiserver 1.36.
    if (reply.code == 422) {
      reply = send("PATCH", path_of(place), R"({"metadata":{"finalizers":null},"spec":{"n":1}})",
                   {{"Content-Type", std::string(kMerge)}});
    }
    require(reply.code == 200 || reply.code == 404, "finalizers can be removed");
  }
}

void ApiFuzz::wait_until_gone(std::string_view path) {
  for (int attempt = 0; attempt < 4'000; ++attempt) {
    const auto got = server_.call("GET", path, {}, {{"Accept", "application/json"}});
    if (got.code == 404) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  fail("what is deleted goes away");
}

void ApiFuzz::forget(std::size_t kind, std::string_view namespace_name) {
  for (const Place& place : model_.places(kind))
    if (namespace_name.empty() || place.namespace_name == namespace_name)
      model_.objects.erase(place);
}

// Objects as they are read now: a changed definition may show them otherwise, but they are the
// same.
void ApiFuzz::refresh(std::size_t kind) {
  const Kind& of = model_.kinds[kind];
  const Reply list = send("GET", of.path());
  require(list.code == 200, "a list can be read");
  for (const value::Value& item : list.root().get("items").items()) {
    const value::Value& meta = item.get("metadata");
    const Place place{kind, std::string(meta.get("namespace").as_string()),
                      std::string(meta.get("name").as_string())};
    Known* known = model_.find(place);
    if (known != nullptr && !known->fleeting) {
      require(known->uid == meta.get("uid").as_string(), "objects outlive a change of their kind");
      require(std::to_string(known->revision) == meta.get("resourceVersion").as_string(),
              "a change of a kind writes no objects");
    }
    const bool fresh = known == nullptr;
    look_again(place);
    if (fresh) model_.find(place)->fleeting = true;  // the server's own
  }
}

// ---- What requests are made of

std::size_t ApiFuzz::any_kind() {
  while (true) {
    const std::size_t index = dice_.below(model_.kinds.size());
    if (model_.kinds[index].served) return index;
  }
}

std::optional<Place> ApiFuzz::any_place(std::size_t kind) {
  const std::vector<Place> places = model_.places(kind);
  if (places.empty()) return std::nullopt;
  const Place place = dice_.pick(places);
  // Those that the server made for itself are only looked at.
  if (place.name.contains(':') || place.name == "cluster-admin" || place.name == "admin" ||
      place.name == "edit" || place.name == "view" || place.name.starts_with("kube-"))
    return std::nullopt;
  return place;
}

std::string ApiFuzz::path_of(const Place& place, std::string_view version) const {
  const Kind& of = model_.kinds[place.kind];
  return fmt::format("{}/{}",
                     of.path(version.empty() ? of.versions[0] : version, place.namespace_name),
                     http::percent_encode(place.name));
}

std::string ApiFuzz::any_name() { return fmt::format("name-{}", dice_.below(30)); }

std::string ApiFuzz::metadata(const Place& place, bool sentinel) {
  std::string out = fmt::format(R"("name":"{}")", place.name);
  if (sentinel) return out + R"(,"labels":{"team":"a"})";
  if (dice_.percent(60))
    out += fmt::format(R"(,"labels":{{"team":"{}","n":"{}"}})", dice_.percent(50) ? "a" : "b",
                       dice_.below(6));
  if (dice_.percent(20)) out += fmt::format(R"(,"annotations":{{"note":"{}"}})", dice_.below(100));
  if (dice_.percent(8)) out += R"(,"finalizers":["fuzz.example/hold"])";
  if (dice_.percent(5)) {
    out += fmt::format(
        R"(,"ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"name-1","uid":"{}"}}])",
        dice_.percent(50) ? "11111111-2222-3333-4444-555555555555" : "u");
  }
  return out;
}

std::string ApiFuzz::content(const Kind& kind, bool sentinel) {
  const std::size_t n = dice_.below(sentinel ? 50 : 60);
  if (kind.plural == "configmaps")
    return fmt::format(R"("data":{{"a":"{}","b":"{}"}}{})", n, dice_.below(3),
                       dice_.percent(3) ? R"(,"immutable":true)" : "");
  if (kind.plural == "secrets")
    return fmt::format(R"("data":{{"a":"{}"}},"stringData":{{"b":"{}"}})",
                       n % 2 ? "YQ==" : "Yg==", n);
  if (kind.plural == "leases")
    return fmt::format(R"("spec":{{"holderIdentity":"h{}","leaseDurationSeconds":{}}})", n, 1 + n);
  if (kind.plural == "clusterroles")
    return fmt::format(R"("rules":[{{"apiGroups":[""],"resources":["r{}"],"verbs":["get"]}}])", n);
  if (kind.plural == "validatingwebhookconfigurations")
    return fmt::format(
        R"("webhooks":[{{"name":"w{}.fuzz.example","clientConfig":{{"url":"https://fuzz.example/"}},)"
        R"("sideEffects":"None","admissionReviewVersions":["v1"]}}])",
        n);
  std::string items;
  for (std::size_t i = dice_.below(4); i > 0; --i)
    items += fmt::format(R"({}{{"k":"{}","v":{}}})", items.empty() ? "" : ",", i, dice_.below(9));
  std::string more = dice_.percent(20) ? R"(,"free":{"x":[1]})" : "";
  if (more.empty() && dice_.percent(10)) more = R"(,"free":{})";
  if (dice_.percent(10)) more += R"(,"unknown":true)";
  return fmt::format(
      R"("spec":{{"n":{},"s":"{}","items":[{}],"tags":["t{}"]{}}},"status":{{"n":{}}})", n,
      dice_.below(4), items, n % 5, more, n % 7);
}

std::string ApiFuzz::object(const Place& place, std::string_view version, bool sentinel) {
  const Kind& of = model_.kinds[place.kind];
  return fmt::format(R"({{"apiVersion":"{}","kind":"{}","metadata":{{{}}},{}}})",
                     of.group_version(version), of.kind, metadata(place, sentinel),
                     content(of, sentinel));
}

std::string ApiFuzz::definition(const Kind& kind) {
  std::string versions;
  // In all versions: one that another version drops is set again by every write, as in
  // kube-apiserver 1.36.
  const std::string extra =
      dice_.percent(30) ? R"(,"note":{"type":"string","default":"none"})" : "";
  for (const std::string_view name : {"v1", "v2"}) {
    const bool served = name == "v1" || kind.versions.size() > 1;
    const std::string rule =
        dice_.percent(30)
            ? R"(,"x-kubernetes-validations":[{"rule":"!has(self.n) || self.n < 55"}])"
            : "";
    versions += fmt::format(
        R"({}{{"name":"{}","served":{},"storage":{},"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{)"
        R"("spec":{{"type":"object","properties":{{"n":{{"type":"integer","minimum":0,"default":1}},"s":{{"type":"string","maxLength":8}},)"
        R"("items":{{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{{"type":"object","required":["k"],)"
        R"("properties":{{"k":{{"type":"string"}},"v":{{"type":"integer"}}}}}}}},"tags":{{"type":"array","x-kubernetes-list-type":"set","items":{{"type":"string"}}}},)"
        R"("free":{{"type":"object","x-kubernetes-preserve-unknown-fields":true}}{}}}{}}},)"
        R"("status":{{"type":"object","properties":{{"n":{{"type":"integer"}}}}}}}}}}}},"subresources":{{{}{}{}}}}})",
        versions.empty() ? "" : ",", name, served, name == "v1", extra, rule,
        kind.status ? R"("status":{})" : "", kind.status && kind.scale ? "," : "",
        kind.scale ? R"("scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"})"
                   : "");
  }
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{}.{}"}},)"
      R"("spec":{{"group":"{}","scope":"{}","names":{{"plural":"{}","kind":"{}"}},"versions":[{}]}}}})",
      kind.plural, kind.group, kind.group, kind.namespaced ? "Namespaced" : "Cluster", kind.plural,
      kind.kind, versions);
}

std::string ApiFuzz::write_options(bool& dry_run) {
  if (dice_.percent(70)) return "";
  dry_run = dice_.percent(40);
  constexpr std::string_view kValidations[] = {"Strict", "Warn", "Ignore"};
  std::string out = dry_run ? "?dryRun=All" : "?pretty=false";
  if (dice_.percent(50)) out += fmt::format("&fieldValidation={}", dice_.pick(kValidations));
  if (dice_.percent(5)) out += "&fieldManager=" + std::string(200, 'm');
  return out;
}

ApiFuzz::Headers ApiFuzz::headers_for(std::string_view type) {
  constexpr std::string_view kTypes[] = {"application/json", "application/yaml", "text/plain", "",
                                         "application/vnd.kubernetes.protobuf"};
  if (!type.empty() && dice_.percent(20))
    return {{"Content-Type", std::string(dice_.pick(kTypes))}};
  // JSON is YAML, too.
  if (dice_.percent(10)) return {{"Content-Type", "application/yaml"}};
  return {};
}

std::string ApiFuzz::maybe_broken(std::string body) {
  if (!dice_.percent(15)) return body;
  std::string out = dice_.broken(body);
  for (int more = 0; more < 2 && dice_.percent(30); ++more) out = dice_.broken(out);
  return out;
}

}  // namespace strake::robustness
