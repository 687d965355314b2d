#pragma once
// The admission plugins that are on by default in kube-apiserver 1.36 and that change or refuse the
// kinds that run programs. Each is a function on one request, named after the plugin, and declared
// with what it is about; their rules are pure and stand with the kinds (kinds/pods and so on).
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/admission.h"
#include "api/request/registry.h"
#include "value/document.h"

namespace strake::admission {

// The objects that a plugin looks at, as they are stored now. Kinds that are not served have none.
class StoredObjects {
 public:
  explicit StoredObjects(const api::Registry& registry) : registry_(registry) {}
  // Nothing when there is none.
  std::optional<value::Document> find(std::string_view group, std::string_view plural,
                                      std::string_view namespace_name, std::string_view name) const;
  // All of a namespace, or of a kind without namespaces, by name.
  std::vector<value::Document> all(std::string_view group, std::string_view plural,
                                   std::string_view namespace_name = {}) const;

 private:
  const api::Registry& registry_;
};

// A request that a plugin is about.
struct PluginRequest {
  const StoredObjects& stored;
  api::Call& call;
  const api::AdmissionRequest& request;
  value::Value& object;
  Arena& arena;

  const value::Value* old() const { return request.old; }
  // 403 about the object, with a reason.
  std::unexpected<meta::Status> forbid(std::string_view why) const;
  // The same where there is a reason, and it is not empty.
  api::Answer<> forbid_if(const std::optional<std::string>& why) const;
};

struct Plugin {
  using Operation = api::AdmissionRequest::Operation;
  using Phase = api::AdmissionRequest::Phase;
  std::string_view name;  // as --disable-admission-plugins has it
  Phase phase = Phase::kMutating;
  std::string_view group;
  std::string_view plural;
  std::string_view subresource;  // empty for the object itself
  bool on_create = false;
  bool on_update = false;
  api::Answer<> (*run)(const PluginRequest&) = nullptr;
};

// In the order in which kube-apiserver 1.36 asks them.
std::span<const Plugin> pod_plugins();
std::span<const Plugin> storage_plugins();
std::span<const Plugin> cluster_plugins();  // nodes, classes, ingresses
std::vector<std::span<const Plugin>> all_plugins();

}  // namespace strake::admission
