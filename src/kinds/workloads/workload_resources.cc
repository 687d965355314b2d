#include "kinds/workloads/workload_resources.h"

#include <algorithm>
#include <tuple>

#include "kinds/networking/resources.h"
#include "kinds/nodes/resources.h"
#include "kinds/pods/resources.h"
#include "kinds/storage/resources.h"
#include "kinds/workloads/resources.h"

namespace strake::kinds {

const std::vector<ResourcePtr>& workload_resources() {
  static const std::vector<ResourcePtr>& all = *[] {
    auto* out = new std::vector<ResourcePtr>();
    add_pod_resources(*out);
    add_node_resources(*out);
    add_storage_resources(*out);
    add_networking_resources(*out);
    add_controller_resources(*out);
    std::ranges::sort(*out, [](const ResourcePtr& a, const ResourcePtr& b) {
      return std::tie(a->group, a->plural) < std::tie(b->group, b->plural);
    });
    return out;
  }();
  return all;
}

const Resource* find_resource(const meta::GroupVersionKind& gvk) {
  for (const auto* all : {&builtin_resources(), &workload_resources()}) {
    for (const ResourcePtr& one : *all) {
      if (one->group == gvk.group && one->kind == gvk.kind && one->version(gvk.version) != nullptr)
        return one.get();
    }
  }
  return nullptr;
}

}  // namespace strake::kinds
