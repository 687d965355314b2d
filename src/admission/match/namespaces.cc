#include "admission/match/namespaces.h"

#include <string>

#include "kinds/resource.h"

namespace strake::admission {
namespace {

const std::string& prefix_of_namespaces() { return kinds::namespace_resource().storage_prefix; }

}  // namespace

StoredNamespaces::StoredNamespaces(api::Hub& hub) : cache_(hub.cache(prefix_of_namespaces())) {}

api::ObjectPtr StoredNamespaces::find(std::string_view name) const {
  return cache_.get(prefix_of_namespaces() + std::string(name));
}

}  // namespace strake::admission
