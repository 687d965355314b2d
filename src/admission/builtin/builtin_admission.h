#pragma once
// The admission plugins of kube-apiserver 1.36 that are on by default, for servers of the kinds
// that run programs. Asked before webhooks and policies.
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "admission/builtin/plugin.h"
#include "admission/builtin/plugin_choice.h"

namespace strake::admission {

class BuiltinAdmission final : public api::Admission {
 public:
  // The registry must outlive it.
  BuiltinAdmission(const api::Registry& registry, const PluginChoice& choice);

  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  using Place = std::tuple<std::string_view, std::string_view, std::string_view>;
  api::Answer<> run_plugins(const PluginRequest& at) const;

  StoredObjects stored_;
  std::map<Place, std::vector<const Plugin*>> plugins_;  // by group, plural and subresource
  const bool pod_security_;
};

}  // namespace strake::admission
