#include "kinds/nodes/resources.h"

#include "kinds/declare_resource.h"
#include "kinds/nodes/strategies.h"

namespace strake::kinds {

void add_node_resources(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kNode = "io.k8s.api.core.v1.Node";
  Subresource proxy{
      .name = "proxy",
      .kind = {"", "v1", "NodeProxyOptions"},
      .verbs = {Verb::kCreate, Verb::kDelete, Verb::kGet, Verb::kPatch, Verb::kUpdate},
      .resets = {},
      .connection = Subresource::Connection::kProxy};
  out.push_back(make_resource(
      {.type = kNode,
       .plural = "nodes",
       .strategy = &node_strategy(),
       .namespaced = false,
       .short_names = {"no"},
       .unconditional_update = true,
       .storage_folder = "minions",
       .subresources = {std::move(proxy), status_subresource(described_type(kNode), {"spec"})}}));
  // What the other parts of a cluster would say of themselves: there are none here.
  out.push_back(make_resource({.type = "io.k8s.api.core.v1.ComponentStatus",
                               .plural = "componentstatuses",
                               .strategy = &component_status_strategy(),
                               .namespaced = false,
                               .short_names = {"cs"},
                               .verbs = {Verb::kGet, Verb::kList}}));
  out.push_back(make_resource({.type = "io.k8s.api.node.v1.RuntimeClass",
                               .plural = "runtimeclasses",
                               .strategy = &runtime_class_strategy(),
                               .namespaced = false,
                               .create_on_update = true}));
  out.push_back(make_resource({.type = "io.k8s.api.scheduling.v1.PriorityClass",
                               .plural = "priorityclasses",
                               .strategy = &priority_class_strategy(),
                               .namespaced = false,
                               .short_names = {"pc"},
                               .unconditional_update = true}));
}

}  // namespace strake::kinds
