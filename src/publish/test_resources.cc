#include "publish/test_resources.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "crd/crd.h"
#include "value/json_reader.h"

namespace strake::publish::testing {
namespace {

using value::Document;
using value::Value;

void set_status(Document& document, std::initializer_list<std::string_view> conditions) {
  Arena& arena = document.arena();
  Value all = Value::array({});
  for (const std::string_view type : conditions) {
    Value one = Value::object({});
    one.set("status", Value::string("True"), arena);
    one.set("type", Value::string(arena.copy(type)), arena);
    all.append(one, arena);
  }
  Value names = value::deep_copy(*document.root().find("spec")->find("names"), arena);
  const auto fill = [&](std::string_view key, std::string text) {
    if (names.find(key) == nullptr) names.set(key, Value::string(arena.copy(text)), arena);
  };
  const std::string kind(names.find("kind")->as_string());
  std::string singular = kind;
  for (char& c : singular) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  fill("listKind", kind + "List");
  fill("singular", singular);
  Value status = Value::object({});
  status.set("acceptedNames", names, arena);
  status.set("conditions", all, arena);
  status.set("storedVersions", Value::array({}), arena);
  document.root().set("status", status, arena);
}

}  // namespace

kinds::ResourcePtr installed(const Value& crd, std::initializer_list<std::string_view> conditions) {
  Document document;
  document.root() = value::deep_copy(crd, document.arena());
  set_status(document, conditions);
  auto read = crd::Crd::read(std::move(document));
  if (!read) {
    std::fprintf(stderr, "a test has a bad CRD: %s\n", read.error().message().c_str());
    std::abort();
  }
  return kinds::resource_of(std::make_shared<const crd::Crd>(*std::move(read)));
}

kinds::ResourcePtr installed(std::string_view crd_json,
                             std::initializer_list<std::string_view> conditions) {
  const auto document = value::read_json(crd_json);
  if (!document) {
    std::fprintf(stderr, "a test has bad JSON: %s\n", document.error().message().c_str());
    std::abort();
  }
  return installed(document->root(), conditions);
}

std::string widgets_crd(std::string_view group, std::string_view columns_json) {
  return fmt::format(
      R"json({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{{"name":"widgets.{0}"}},
    "spec":{{"group":"{0}","scope":"Namespaced","names":{{"plural":"widgets","kind":"Widget"}},
      "versions":[{{"name":"v1","served":true,"storage":true,"additionalPrinterColumns":{1},
        "schema":{{"openAPIV3Schema":{{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}},
        "subresources":{{"status":{{}},"scale":{{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}}}}}}]}}}})json",
      group, columns_json);
}

}  // namespace strake::publish::testing
