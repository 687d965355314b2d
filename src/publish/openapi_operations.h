#pragma once
// What can be done with a resource, path by path: what the v3 and the v2 documents both say, each
// in its own way.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/resource.h"
#include "meta/gvk.h"
#include "publish/openapi_parameters.h"

namespace strake::publish {

struct Operation {
  enum class Body : std::uint8_t { kNone, kObject, kPatch, kDeleteOptions };

  std::string_view method;  // "get"
  std::string_view action;  // "list"
  std::string id;           // "listExampleComV1NamespacedFoo"
  std::string description;
  ParameterSet parameters;  // kBody not among them
  Body body = Body::kNone;
  std::string schema;                   // full name of what is taken and given
  std::vector<std::string_view> codes;  // of answers with the schema
  bool streams = false;                 // also offered as a stream of events
  bool answers_status = false;          // gives a Status instead
};

struct PathItem {
  std::string path;
  std::vector<Operation> operations;  // in order of their methods
  meta::GroupVersionKind kind;        // of x-kubernetes-group-version-kind
  ParameterSet common() const;        // what all operations take
};

// All paths of one version of a resource.
struct ResourcePaths {
  std::string tag;  // "exampleCom_v1"
  std::string_view kind;
  bool builtin = false;
  std::vector<PathItem> items;
};
ResourcePaths resource_paths(const kinds::Resource& resource, const kinds::ServedVersion& version);

// "example.com" becomes "ExampleCom" or, as the start of a name, "exampleCom".
std::string operation_word(std::string_view text, bool capital);
// "/apis/example.com/v1", "/api/v1".
std::string version_root(std::string_view group, std::string_view version);
// What the names of operations begin with after their verb, and their tag.
struct OperationNames {
  std::string prefix;  // "ExampleComV1"
  std::string tag;     // "exampleCom_v1"
};
OperationNames operation_names(std::string_view group, std::string_view version);

}  // namespace strake::publish
