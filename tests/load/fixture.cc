#include "fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "value/json_reader.h"

namespace strake::load {
namespace {

constexpr std::string_view kCrdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kCrdName = "cargos.load.strake.dev";
constexpr std::chrono::seconds kPatience{120};

constexpr std::string_view kDefinition = R"json({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "cargos.load.strake.dev"},
  "spec": {
    "group": "load.strake.dev", "scope": "Namespaced",
    "names": {"plural": "cargos", "singular": "cargo", "kind": "Cargo", "listKind": "CargoList"},
    "versions": [{
      "name": "v1", "served": true, "storage": true,
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
        "type": "object", "required": ["replicas", "image"],
        "properties": {
          "replicas": {"type": "integer", "minimum": 0},
          "minReplicas": {"type": "integer", "minimum": 0, "default": 0},
          "maxReplicas": {"type": "integer", "minimum": 0, "default": 1000000000},
          "image": {"type": "string", "minLength": 1, "maxLength": 256},
          "paused": {"type": "boolean", "default": false},
          "note": {"type": "string", "maxLength": 4096},
          "selector": {"type": "object", "additionalProperties": {"type": "string"}},
          "ports": {"type": "array", "maxItems": 16, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "required": ["name", "port"], "properties": {
              "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 63},
              "port": {"type": "integer", "minimum": 1, "maximum": 65535},
              "protocol": {"type": "string", "enum": ["TCP", "UDP"], "default": "TCP"}}}}},
        "x-kubernetes-validations": [{
          "rule": "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
          "message": "replicas must lie between minReplicas and maxReplicas"}]}}}}}]}})json";

Result<> expect(const Answer& answer, std::initializer_list<int> wanted, std::string_view what) {
  for (const int status : wanted) {
    if (answer.status == status) return {};
  }
  return fail(Code::kInvalid, "{}: status {}: {}", what, answer.status, answer.body.substr(0, 500));
}

// Asks again until the status is there.
Result<> wait_until(Caller& caller, std::string_view path, int status) {
  const Clock::time_point until = Clock::now() + kPatience;
  while (true) {
    STRAKE_TRY(const Answer answer, caller.call("GET", path));
    if (answer.status == status) return {};
    if (Clock::now() >= until)
      return fail(Code::kIo, "{} still answers {} instead of {}", path, answer.status, status);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Result<> remove_definition(Caller& caller) {
  const std::string path = fmt::format("{}/{}", kCrdPath, kCrdName);
  STRAKE_TRY(const Answer answer, caller.call("DELETE", path));
  STRAKE_CHECK(expect(answer, {200, 202, 404}, "removing the definition"));
  return wait_until(caller, path, 404);
}

std::string collection(std::string_view name_space) {
  return fmt::format("/apis/load.strake.dev/v1/namespaces/{}/cargos", name_space);
}

// The list must really hold what the figures are about.
Result<> check_list(Caller& caller, const std::string& path, std::size_t objects) {
  STRAKE_TRY(const Answer answer, caller.call("GET", path));
  STRAKE_CHECK(expect(answer, {200}, "listing"));
  STRAKE_TRY(const value::Document list, value::read_json(std::string_view(answer.body)));
  const value::Value* items = list.root().is_object() ? list.root().find("items") : nullptr;
  const std::size_t found = items != nullptr && items->is_array() ? items->size() : 0;
  if (found != objects)
    return fail(Code::kInvalid, "the list has {} items instead of {}", found, objects);
  return {};
}

}  // namespace

Result<Fixture> Fixture::install(const Endpoint& endpoint, std::size_t objects) {
  Caller caller(endpoint);
  Fixture out(fmt::format("{:x}-{:x}", static_cast<unsigned>(::getpid()),
                          std::chrono::system_clock::now().time_since_epoch().count() & 0xffffff));
  STRAKE_CHECK(remove_definition(caller));
  STRAKE_TRY(const Answer made, caller.call("POST", kCrdPath, kDefinition));
  STRAKE_CHECK(expect(made, {201}, "installing the definition"));
  for (const std::string_view use : {"read", "write"}) {
    STRAKE_TRY(
        const Answer space,
        caller.call(
            "POST", "/api/v1/namespaces",
            fmt::format(
                R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"load-{}-{}"}}}})",
                use, out.suffix_)));
    STRAKE_CHECK(expect(space, {201}, "making a namespace"));
  }
  STRAKE_CHECK(wait_until(caller, out.read_path(), 200));
  for (std::size_t i = 0; i < objects; ++i) {
    STRAKE_TRY(const Answer object,
               caller.call("POST", out.read_path(), object_text(read_name(i), i, "")));
    STRAKE_CHECK(expect(object, {201}, "making an object"));
  }
  STRAKE_CHECK(check_list(caller, out.read_path(), objects));
  return out;
}

Result<> Fixture::remove(const Endpoint& endpoint) const {
  Caller caller(endpoint);
  for (const std::string_view use : {"read", "write"}) {
    STRAKE_TRY(const Answer answer,
               caller.call("DELETE", fmt::format("/api/v1/namespaces/load-{}-{}", use, suffix_)));
    STRAKE_CHECK(expect(answer, {200, 202, 404, 409}, "removing a namespace"));
  }
  STRAKE_CHECK(remove_definition(caller));
  // Whatever is measured next should not run beside the clearing up.
  for (const std::string_view use : {"read", "write"})
    STRAKE_CHECK(
        wait_until(caller, fmt::format("/api/v1/namespaces/load-{}-{}", use, suffix_), 404));
  return {};
}

std::string Fixture::read_path() const { return collection("load-read-" + suffix_); }
std::string Fixture::write_path() const { return collection("load-write-" + suffix_); }
std::string Fixture::read_name(std::size_t index) { return fmt::format("object-{:05}", index); }

std::string object_text(std::string_view name, std::uint64_t number,
                        std::string_view resource_version) {
  const std::string version =
      resource_version.empty() ? "" : fmt::format(R"(,"resourceVersion":"{}")", resource_version);
  return fmt::format(
      R"({{"apiVersion":"load.strake.dev/v1","kind":"Cargo","metadata":{{"labels":{{"app":"load","tier":"{}"}},"name":"{}"{}}},)"
      R"("spec":{{"image":"registry.example.com/team/application:{:010}","maxReplicas":1000000000,"minReplicas":0,)"
      R"("note":"An object of a size that is common for custom resources: a few fields that say what is wanted, a list of )"
      R"(small objects, a map of labels, and a little text like this one.","paused":false,)"
      R"("ports":[{{"name":"http","port":8080,"protocol":"TCP"}},{{"name":"metrics","port":9090,"protocol":"TCP"}}],)"
      R"("replicas":{},"selector":{{"app":"load","component":"server"}}}}}})",
      number % 7, name, version, number, number % 1000000000);
}

std::string_view resource_version_of(std::string_view json) {
  constexpr std::string_view kKey = R"("resourceVersion":")";
  const std::size_t at = json.find(kKey);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = json.substr(at + kKey.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace strake::load
