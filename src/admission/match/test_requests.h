#pragma once
// Resources and requests for tests of what matches what.
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "admission/match/attributes.h"
#include "admission/match/namespaces.h"
#include "value/json_reader.h"

namespace strake::admission::testing {

// widgets.a.example in the versions v1, v2 and v3 (which is not served, and has no subresources),
// declared in the order v2, v3, v1.
inline kinds::Resource widgets(bool namespaced = true) {
  kinds::Resource out;
  out.group = "a.example";
  out.plural = "widgets";
  out.kind = "Widget";
  out.namespaced = namespaced;
  out.definition = std::make_shared<const kinds::Definition>();
  std::size_t declared = 2;
  for (const std::string_view name : {"v1", "v2", "v3"}) {
    kinds::ServedVersion version;
    version.name = name;
    version.declared = declared;
    declared = (declared + 1) % 3;
    version.served = name != "v3";
    if (version.served) {
      version.subresources = {
          {.name = "status", .kind = {"a.example", std::string(name), "Widget"}},
          {.name = "scale", .kind = {"autoscaling", "v1", "Scale"}}};
    }
    out.versions.push_back(std::move(version));
  }
  return out;
}

inline value::Document document(std::string_view json) {
  return value::read_json(json, value::ReadOptions::as_api_server()).value();
}

class NamespacesByName final : public Namespaces {
 public:
  void add(std::string_view name, std::string_view labels) {
    const std::string text = fmt::format(
        R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}","labels":{}}}}})", name,
        labels);
    by_name_[std::string(name)] =
        api::Object::from_stored(fmt::format("/registry/namespaces/{}", name), text, 1, 1).value();
  }
  api::ObjectPtr find(std::string_view name) const override {
    const auto at = by_name_.find(name);
    return at != by_name_.end() ? at->second : nullptr;
  }

 private:
  std::map<std::string, api::ObjectPtr, std::less<>> by_name_;
};

}  // namespace strake::admission::testing
