// The steps of the fuzzer of API requests: reads and writes of objects.
#include <fmt/format.h>

#include <algorithm>

#include "meta/selectors.h"
#include "robustness/api_fuzz.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::robustness {
namespace {

constexpr std::string_view kAccepts[] = {
    "application/json",
    "application/yaml",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json",
    "application/vnd.kubernetes.protobuf,application/json",
    "text/html, */*;q=0.1",
    "application/yaml;as=Table;v=v1;g=meta.k8s.io",
};
constexpr std::string_view kSelectors[] = {
    "team=a",         "team!=a", "team in (a,b)", "!team",           "team", "n>2",
    "team notin (a)", "",        "a=b,c=d",       "team%20in%20(a)", "n%3C3"};
constexpr std::string_view kPatchTypes[] = {
    "application/merge-patch+json", "application/json-patch+json",
    "application/strategic-merge-patch+json", "application/apply-patch+yaml"};

// An object as an item of a list has it: without its type.
std::string without_type(const value::Value& object) {
  value::Document copy;
  copy.root() = value::deep_copy(object, copy.arena());
  copy.root().remove("apiVersion");
  copy.root().remove("kind");
  return value::to_json(copy.root());
}

std::string without_type(std::string_view body) {
  return without_type(value::read_json(body).value().root());
}

std::string key_of(const value::Value& object) {
  const value::Value& meta = object.get("metadata");
  return fmt::format("{}/{}", meta.get("namespace").as_string(), meta.get("name").as_string());
}

}  // namespace

void ApiFuzz::create() {
  const std::size_t kind = any_kind();
  // A few dozen objects of a kind are enough for lists to have pages.
  if (model_.count(kind) > 25) return remove();
  const Kind& of = model_.kinds[kind];
  Place place{kind, of.namespaced ? (dice_.percent(60) ? "one" : "two") : "", any_name()};
  const std::string version = dice_.pick(of.versions);
  bool dry_run = false;
  const std::string options = write_options(dry_run);
  const std::string body = object(place, version);
  const std::string sent = maybe_broken(body);
  const Reply reply = send("POST", of.path(version, place.namespace_name) + options, sent,
                           headers_for(sent == body ? "" : "any"));
  if (reply.code == 201 && !dry_run && reply.json) {
    // What was broken may have another name.
    place.name = reply.root().get("metadata").get("name").as_string();
    require(model_.find(place) == nullptr || model_.find(place)->fleeting,
            "what exists is not created again");
    if (model_.find(place) != nullptr) model_.objects.erase(place);
    after_write(place, version, reply, true);
  } else if (reply.code == 409 || dry_run || reply.code >= 400) {
    after_refusal(place);
  }
}

void ApiFuzz::update() {
  const std::size_t kind = any_kind();
  const auto place = any_place(kind);
  if (!place) return create();
  const Kind& of = model_.kinds[kind];
  const std::string version = dice_.pick(of.versions);
  const Known before = *model_.find(*place);
  std::string body;
  if (dice_.percent(20)) {
    // What was read is what may be written, and changes nothing.
    const Reply read = send("GET", path_of(*place, version));
    if (read.code != 200) return look_again(*place);
    const Reply reply = send("PUT", path_of(*place, version), read.body);
    if (before.fleeting) return look_again(*place);
    // A rule that is newer than the object forgives nothing beside members that no schema knows.
    if (reply.code == 422 && read.body.contains(R"("free":{"x")")) return;
    require(reply.code == 200 && reply.body == read.body, "writing what was read changes nothing");
    return;
  }
  body = object(*place, version);
  if (dice_.percent(40)) {
    auto document = value::read_json(body).value();
    const std::string revision =
        std::to_string(dice_.percent(70) ? before.revision : before.revision - 1);
    document.root()
        .object_at("metadata", document.arena())
        .set("resourceVersion", value::Value::string(revision), document.arena());
    body = value::to_json(document.root());
  }
  bool dry_run = false;
  const std::string options = write_options(dry_run);
  const std::string sent = maybe_broken(body);
  const Reply reply =
      send("PUT", path_of(*place, version) + options, sent, headers_for(sent == body ? "" : "any"));
  if ((reply.code == 200 || reply.code == 201) && !dry_run && reply.json) {
    after_write(*place, version, reply, true);
  } else {
    after_refusal(*place);
  }
}

void ApiFuzz::patch() {
  const std::size_t kind = any_kind();
  const Kind& of = model_.kinds[kind];
  auto place = any_place(kind);
  const std::string type(dice_.pick(kPatchTypes));
  const bool apply = type.contains("apply");
  if (!place || (apply && dice_.percent(20)))
    place = Place{kind, of.namespaced ? "one" : "", any_name()};
  const std::string version = dice_.pick(of.versions);
  std::string body;
  if (type.contains("json-patch")) {
    constexpr std::string_view kPaths[] = {
        "/metadata/labels/team", "/spec",         "/data/a",
        "/metadata/finalizers",  "/kind",         "/spec/n",
        "/metadata/name",        "/spec/items/0", "",
        "/metadata/annotations", "/status",       "/spec/items/-"};
    constexpr std::string_view kOps[] = {"add", "replace", "remove", "test", "copy", "move"};
    body = "[";
    for (std::size_t i = 1 + dice_.below(3); i > 0; --i) {
      body += fmt::format(R"({{"op":"{}","path":"{}","from":"{}","value":{}}}{})", dice_.pick(kOps),
                          dice_.pick(kPaths), dice_.pick(kPaths), dice_.json(2), i > 1 ? "," : "]");
    }
  } else if (apply) {
    body = object(*place, version);
  } else if (dice_.percent(30)) {
    body = fmt::format(R"({{"metadata":{{"labels":{{"team":{}}}}},"spec":{}}})",
                       dice_.percent(30) ? "null" : "\"a\"", dice_.json(2));
  } else if (dice_.percent(15)) {
    body = R"({"metadata":{"finalizers":null}})";
  } else {
    body = fmt::format("{{{}}}", content(of));
  }
  bool dry_run = false;
  std::string options = write_options(dry_run);
  if (apply) {
    options += options.empty() ? "?" : "&";
    options += fmt::format("fieldManager={}{}", dice_.percent(50) ? "mine" : "yours",
                           dice_.percent(50) ? "&force=true" : "");
  }
  const std::string sent = maybe_broken(body);
  const std::string target = path_of(*place, version) + options;
  const Reply reply = send("PATCH", target, sent, {{"Content-Type", type}});
  if ((reply.code != 200 && reply.code != 201) || dry_run || !reply.json) {
    after_refusal(*place);
    return;
  }
  after_write(*place, version, reply, true);
  const Known* after = model_.find(*place);
  if (!apply || after == nullptr || after->fleeting || sent != body) return;
  // An empty list or map that took the place of a full one is lost at first and stands from the
  // second time on, as with kube-apiserver 1.36.
  const Reply twice = send("PATCH", target, sent, {{"Content-Type", type}});
  require(twice.code == 200, "what was applied can be applied again");
  if (twice.body == reply.body) {
    ++counts_["applied twice"];
    return;
  }
  require(sent.contains("[]") || sent.contains("{}"), "applying the same again changes nothing");
  const Reply thrice = send("PATCH", target, sent, {{"Content-Type", type}});
  require(thrice.body == twice.body, "applying the same a third time changes nothing");
  after_write(*place, version, thrice, true);
}

void ApiFuzz::status() {
  const std::size_t kind = any_kind();
  const auto place = any_place(kind);
  if (!place) return;
  const Kind& of = model_.kinds[kind];
  const std::string version = dice_.pick(of.versions);
  const Known before = *model_.find(*place);
  const std::string path = path_of(*place, version) + "/status";
  const std::string body = fmt::format(
      R"({{"metadata":{{"labels":{{"from":"status"}}}},"spec":{{"n":{}}},"status":{{"n":{},"x":{}}}}})",
      dice_.below(50), dice_.below(9), dice_.json(1));
  Reply reply;
  if (dice_.percent(60)) {
    reply = send("PATCH", path, body, {{"Content-Type", "application/merge-patch+json"}});
  } else if (dice_.percent(50)) {
    auto document = value::read_json(before.body).value();
    document.root().set("apiVersion",
                        value::Value::string(document.arena().copy(of.group_version(version))),
                        document.arena());
    document.root().set(
        "status", value::deep_copy(value::read_json(R"({"n":5})").value().root(), document.arena()),
        document.arena());
    reply = send("PUT", path, maybe_broken(value::to_json(document.root())));
  } else {
    reply = send("GET", path);
    if (!of.status)
      require(reply.code == 404 || before.fleeting, "no status without a subresource");
    return;
  }
  if (!of.status) {
    require(reply.code == 404 || reply.code == 405 || reply.code == 415,
            "what has no subresource is not found");
    return after_refusal(*place);
  }
  if (reply.code != 200 || !reply.json) return after_refusal(*place);
  const auto old = value::read_json(before.body).value();
  if (!before.fleeting) {
    require(value::identical(old.root().get("spec"), reply.root().get("spec")) ||
                version != of.versions[0],
            "a write of the status leaves what is wanted alone");
    require(reply.root().get("metadata").get("generation").as_int() == before.generation,
            "a write of the status is no new generation");
  }
  after_write(*place, version, reply, true);
}

void ApiFuzz::scale() {
  const std::size_t kind = any_kind();
  const auto place = any_place(kind);
  if (!place) return;
  const Kind& of = model_.kinds[kind];
  const std::string version = dice_.pick(of.versions);
  const std::string path = path_of(*place, version) + "/scale";
  const bool fleeting = model_.find(*place)->fleeting;
  if (!of.scale || dice_.percent(30)) {
    const Reply reply = send("GET", path);
    if (!of.scale) require(reply.code == 404, "no scale without a subresource");
    if (of.scale && reply.code == 200)
      require(reply.root().get("kind").as_string() == "Scale", "a scale is a Scale");
    return;
  }
  const std::size_t replicas = dice_.below(30);
  const std::string body =
      dice_.percent(80) ? fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas) : dice_.json();
  const Reply reply = send("PATCH", path, body, {{"Content-Type", "application/merge-patch+json"}});
  if (reply.code != 200) return after_refusal(*place);
  require(reply.root().get("kind").as_string() == "Scale", "a scale is a Scale");
  after_write(*place, version, reply, false);
  if (fleeting || model_.find(*place) == nullptr) return;
  const auto now = value::read_json(model_.find(*place)->body).value();
  require(
      now.root().get("spec").get("n").as_int() == reply.root().get("spec").get("replicas").as_int(),
      "the scale is that of the object");
  ++counts_["scales compared"];
}

void ApiFuzz::remove() {
  const std::size_t kind = any_kind();
  const auto place = any_place(kind);
  if (!place) return;
  const Known before = *model_.find(*place);
  constexpr std::string_view kQueries[] = {"",
                                           "?propagationPolicy=Background",
                                           "?propagationPolicy=Foreground",
                                           "?propagationPolicy=Orphan",
                                           "?gracePeriodSeconds=0",
                                           "?gracePeriodSeconds=-1",
                                           "?propagationPolicy=Wrong",
                                           "?orphanDependents=false"};
  const std::string query(dice_.pick(kQueries));
  const std::string path = path_of(*place, dice_.pick(model_.kinds[kind].versions));
  if (dice_.percent(15)) {
    const Reply reply = send("DELETE", path + "?dryRun=All");
    return after_refusal(*place);
  }
  if (dice_.percent(20)) {
    const Reply reply =
        send("DELETE", path, R"({"preconditions":{"uid":"11111111-2222-3333-4444-555555555555"}})");
    require(reply.code == 409 || before.fleeting, "a deletion with another uid is a conflict");
    return after_refusal(*place);
  }
  std::string body;
  if (dice_.percent(30)) {
    body = fmt::format(
        R"({{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{{"uid":"{}","resourceVersion":"{}"}}}})",
        before.uid, before.revision);
  } else if (dice_.percent(10)) {
    body = dice_.json();
  }
  const Reply reply = send("DELETE", path + query, body);
  if (reply.code == 200 || reply.code == 202) return after_delete(*place, reply);
  after_refusal(*place);
}

void ApiFuzz::remove_collection() {
  const std::size_t kind = any_kind();
  const Kind& of = model_.kinds[kind];
  if (!of.namespaced && !of.custom) return;  // the roles that the server made for itself
  const std::string selector(dice_.percent(70) ? "team=a" : "team=b");
  const std::string space = of.namespaced ? "two" : "";
  const Reply reply = send("DELETE", of.path(of.versions[0], space) + "?labelSelector=" + selector);
  require(reply.code == 200, "a collection can be deleted");
  const auto wanted = meta::LabelSelector::parse(selector).value();
  for (const Place& place : model_.places(kind)) {
    if (place.namespace_name != space) continue;
    const Known known = *model_.find(place);
    const auto document = value::read_json(known.body).value();
    const bool matched = wanted.matches(document.root().get("metadata").find("labels"));
    if (known.fleeting) {
      look_again(place);
    } else if (!matched) {
      after_refusal(place);
    } else {
      after_delete(place, reply);
      require(known.finalizers || model_.find(place) == nullptr, "what was selected is gone");
    }
  }
  ++counts_["collections deleted"];
}

void ApiFuzz::read() {
  const std::size_t kind = any_kind();
  const auto place = any_place(kind);
  if (!place) return;
  const std::string accept(dice_.pick(kAccepts));
  const Known known = *model_.find(*place);
  const Reply reply = send("GET", path_of(*place) + (dice_.percent(20) ? "?pretty=true" : ""), "",
                           {{"Accept", accept}});
  if (known.fleeting) return look_again(*place);
  require(reply.code == 200 || reply.code == 406, "an object can be read in any form");
  if (reply.code == 200 && accept == "application/yaml") {
    const auto yaml = value::read_yaml(reply.body).value();
    require(value::equal(yaml.root(), value::read_json(known.body).value().root()),
            "YAML says what JSON says");
    ++counts_["YAML compared"];
  }
  if (reply.code == 200 && accept.starts_with("application/json;as=Table"))
    require(reply.root().get("kind").as_string() == "Table", "a table is a Table");
}

void ApiFuzz::list() {
  const std::size_t kind = any_kind();
  const Kind& of = model_.kinds[kind];
  const std::string space = of.namespaced && dice_.percent(50) ? "one" : "";
  const std::string path = of.path(dice_.pick(of.versions), space);
  const Reply all = send("GET", path);
  require(all.code == 200, "a list can be read");
  const std::string revision(all.root().get("metadata").get("resourceVersion").as_string());
  const std::string exact = fmt::format("resourceVersion={}&resourceVersionMatch=Exact", revision);
  const std::string selector(dice_.pick(kSelectors));
  const Reply some = send("GET", fmt::format("{}?{}&labelSelector={}", path, exact, selector));
  if (some.code == 200) {
    const std::string plain = http::percent_decode(selector, true).value();
    const auto wanted = meta::LabelSelector::parse(plain).value();
    std::vector<std::string> want;
    for (const value::Value& item : all.root().get("items").items())
      if (wanted.matches(item.get("metadata").find("labels"))) want.push_back(value::to_json(item));
    std::vector<std::string> found;
    for (const value::Value& item : some.root().get("items").items())
      found.push_back(value::to_json(item));
    require(found == want, "a selector leaves what matches, in order");
    ++counts_["selections compared"];
  } else {
    require(some.code == 400, "a selector is refused only when it is wrong");
  }
  static_cast<void>(send("GET",
                         fmt::format("{}?fieldSelector=metadata.{}%3D{}", path,
                                     dice_.percent(80) ? "name" : "uid", any_name()),
                         "", {{"Accept", std::string(dice_.pick(kAccepts))}}));
}

void ApiFuzz::pages() {
  const std::size_t kind = any_kind();
  const Kind& of = model_.kinds[kind];
  const std::string path = of.path(of.versions[0], "");
  const std::size_t limit = 1 + dice_.below(9);
  std::vector<std::string> found;
  std::string revision;
  std::string next;
  for (int page = 0; page < 40; ++page) {
    const Reply reply = send(
        "GET", fmt::format("{}?limit={}{}{}", path, limit, next.empty() ? "" : "&continue=", next));
    require(reply.code == 200, "a page can be read");
    const value::Value& meta = reply.root().get("metadata");
    if (page == 0) revision = meta.get("resourceVersion").as_string();
    require(meta.get("resourceVersion").as_string() == revision, "all pages have one version");
    const auto items = reply.root().get("items").items();
    require(items.size() <= limit, "a page has its limit");
    for (const value::Value& item : items) found.push_back(value::to_json(item));
    next = meta.get("continue").as_string();
    if (next.empty()) break;
    require(items.size() == limit, "only the last page is short");
    // What is written meanwhile is not in the pages that follow.
    if (dice_.percent(30)) {
      const auto place = any_place(kind);
      if (place && !model_.find(*place)->fleeting) {
        const Reply written =
            send("PATCH", path_of(*place),
                 fmt::format(R"({{"metadata":{{"annotations":{{"page":"{}"}}}}}})", sent_),
                 {{"Content-Type", "application/merge-patch+json"}});
        if (written.code == 200) after_write(*place, of.versions[0], written, true);
      }
    }
  }
  const Reply whole =
      send("GET", fmt::format("{}?resourceVersion={}&resourceVersionMatch=Exact", path, revision));
  require(whole.code == 200, "a list of the past can be read");
  std::vector<std::string> want;
  for (const value::Value& item : whole.root().get("items").items())
    want.push_back(value::to_json(item));
  require(found == want, "pages add up to the list");
  ++counts_["paged lists compared"];
  static_cast<void>(send("GET", fmt::format("{}?limit=2&continue={}", path, dice_.broken("abc"))));
}

void ApiFuzz::compare_list(std::size_t kind, std::string_view namespace_name) {
  const Kind& of = model_.kinds[kind];
  if (!of.served) return;
  const Reply reply = send("GET", of.path(of.versions[0], namespace_name));
  require(reply.code == 200, "a list can be read");
  std::map<std::string, std::string> listed;
  for (const value::Value& item : reply.root().get("items").items()) {
    const auto [at, is_new] = listed.emplace(key_of(item), without_type(item));
    require(is_new, "an object is in a list once");
  }
  for (const Place& place : model_.places(kind)) {
    const Known& known = *model_.find(place);
    const auto found = listed.find(place.namespace_name + "/" + place.name);
    if (known.fleeting) {
      if (found != listed.end()) listed.erase(found);
      continue;
    }
    require(found != listed.end(), "what was written is in the list: " + place.name);
    require(found->second == without_type(known.body),
            "a list has what was written: " + place.name);
    listed.erase(found);
  }
  if (!listed.empty()) fail("nothing else is in the list: " + listed.begin()->first);
  ++counts_["lists compared"];
}

// ---- What is not about one object

void ApiFuzz::documents() {
  const Kind& of = model_.kinds[any_kind()];
  constexpr std::string_view kPaths[] = {"/api",
                                         "/apis",
                                         "/version",
                                         "/healthz",
                                         "/readyz?verbose",
                                         "/livez/ping",
                                         "/metrics",
                                         "/openapi/v2",
                                         "/openapi/v3",
                                         "/",
                                         "/api/v1",
                                         "/apis/fuzz.example",
                                         "/apis/nothing.example"};
  constexpr std::string_view kForms[] = {
      "application/json",
      "application/yaml",
      "",
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
      "text/plain"};
  std::string path(dice_.pick(kPaths));
  if (dice_.percent(30) && !of.group.empty())
    path = fmt::format("{}/{}", dice_.percent(50) ? "/apis" : "/openapi/v3/apis",
                       of.group_version(of.versions[0]));
  const Reply reply = send("GET", path, "", {{"Accept", std::string(dice_.pick(kForms))}});
  require(reply.code == 200 || reply.code == 404 || reply.code == 406, "documents can be read");
  if (dice_.percent(50)) return;
  const Reply resources = send("GET", fmt::format("{}/{}", of.group.empty() ? "/api" : "/apis",
                                                  of.group_version(dice_.pick(of.versions))));
  require(resources.code == 200, "what is served is described");
  bool named = false;
  bool status = false;
  bool scale = false;
  for (const value::Value& one : resources.root().get("resources").items()) {
    const std::string_view name = one.get("name").as_string();
    named |= name == of.plural;
    status |= name == of.plural + "/status";
    scale |= name == of.plural + "/scale";
  }
  require(named && status == of.status && scale == of.scale, "a description is complete");
  ++counts_["descriptions compared"];
}

void ApiFuzz::odd_request() {
  const std::size_t kind = any_kind();
  const Kind& of = model_.kinds[kind];
  const auto place = any_place(kind);
  constexpr std::string_view kMethods[] = {
      "GET",  "POST",  "PUT",     "PATCH", "DELETE",           "HEAD",
      "LIST", "WATCH", "OPTIONS", "get",   "DELETECOLLECTION", "CREATE"};
  constexpr std::string_view kTails[] = {"/..",
                                         "/%2e%2e",
                                         "/a%2Fb",
                                         "/",
                                         "//",
                                         "/x/status/y",
                                         "/x/unknown",
                                         "/%00",
                                         "?limit=x",
                                         "?limit=-1",
                                         "?watch=maybe",
                                         "/%zz",
                                         "?continue=",
                                         "?dryRun=x",
                                         "?fieldSelector=a",
                                         "/x/scale",
                                         "?resourceVersion=99999999",
                                         "?resourceVersion=x",
                                         "?fieldValidation=Odd",
                                         "?labelSelector=((",
                                         "?%zz=1",
                                         "?timeoutSeconds=x",
                                         "/X",
                                         "/one%2Fa"};
  constexpr std::string_view kTypes[] = {"application/json",
                                         "text/plain",
                                         "application/yaml",
                                         "application/vnd.kubernetes.protobuf",
                                         "",
                                         "garbage",
                                         "application/apply-patch+yaml"};
  std::string method(dice_.pick(kMethods));
  std::string target = of.path(dice_.pick(of.versions), of.namespaced ? "two" : "");
  if (dice_.percent(15)) target = fmt::format("/apis/{}/v9/{}", of.group, of.plural);
  if (dice_.percent(10)) target = fmt::format("/{}", dice_.broken("apis/fuzz.example/v1/widgets"));
  // Whatever the method, nothing is written through the path of watches.
  if (dice_.percent(10) && method != "GET" && method != "HEAD") {
    const std::string_view api = of.group.empty() ? "/api" : "/apis";
    const std::string watched =
        fmt::format("{}/{}/watch/{}", api, of.group_version("v1"), of.plural);
    const int code = send(method, watched, dice_.json()).code;
    require(code == 405 || code == 404, "a path of watches is only read");
    return;
  }
  const std::string_view tail = dice_.pick(kTails);
  // The server waits three seconds for a version that is yet to come.
  if (!tail.contains("9999") || dice_.percent(5)) target += tail;
  // Only what cannot reach an object of the model. A body with options hides those of the query, as
  // with kube-apiserver 1.36.
  const bool is_write =
      method == "DELETE" || method == "PATCH" || method == "PUT" || method == "POST";
  const bool reaches =
      is_write && !target.contains("/x") && (method == "DELETE" || !target.contains("dryRun"));
  if (reaches) method = "GET";
  Headers headers = {{"Content-Type", std::string(dice_.pick(kTypes))}};
  if (dice_.percent(20)) headers.push_back({"Impersonate-User", dice_.percent(50) ? "eve" : ""});
  if (dice_.percent(20)) headers.push_back({"Impersonate-Group", "system:authenticated"});
  if (dice_.percent(10)) headers.push_back({"Impersonate-Extra-a%2fb", dice_.json(1)});
  if (dice_.percent(30))
    headers.push_back({"Accept", dice_.broken("application/json;as=Table;v=v1")});
  const std::string body = method == "GET" || method == "HEAD" ? "" : dice_.json();
  const bool streams = target.contains("watch=");
  const Reply reply = send(method, target, body, std::move(headers));
  if (!streams && (method == "LIST" || method == "WATCH" || method == "get" || method == "CREATE" ||
                   method == "DELETECOLLECTION"))
    require(reply.code >= 400, "the names of verbs are no methods");
  if (place && dice_.percent(20)) after_refusal(*place);
}

}  // namespace strake::robustness
