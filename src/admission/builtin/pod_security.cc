#include "admission/builtin/pod_security.h"

#include "kinds/pods/pod_security.h"
#include "kinds/pods/pod_security_policy.h"
#include "meta/object_meta.h"

namespace strake::admission {
namespace {

using api::Answer;
using meta::Status;
using value::Document;
using value::Value;

constexpr std::string_view kDomain = "pod-security.kubernetes.io/";

Answer<> admit_namespace(const PluginRequest& at) {
  const kinds::NamespaceSecurityAnswer verdict =
      kinds::judge_namespace_security(at.object, at.old());
  const std::string name(meta::ObjectMeta::of(at.object).name());
  if (!verdict.errors.empty())
    return api::refuse(Status::invalid(at.call.resource().group_kind(), name, verdict.errors));
  if (!verdict.check_pods) return {};
  const std::vector<Document> stored = at.stored.all("", "pods", name);
  std::vector<const Value*> pods;
  for (const Document& one : stored) pods.push_back(&one.root());
  for (std::string& warning : kinds::existing_pod_warnings(name, *verdict.check_pods, pods))
    at.call.warnings.push_back(std::move(warning));
  return {};
}

}  // namespace

Answer<> admit_pod_security(const PluginRequest& at) {
  const meta::GroupResource resource = at.call.group_resource();
  if (at.call.resource().is_namespace)
    return at.request.subresource.empty() ? admit_namespace(at) : Answer<>();
  const bool is_pod = resource.group.empty() && resource.resource == "pods";
  if (is_pod ? kinds::is_ignored_pod_subresource(at.request.subresource)
             : !at.request.subresource.empty()) {
    return {};
  }
  const auto part = kinds::find_pod_part(resource, at.object);
  if (!part) return {};
  if (is_pod && at.old() != nullptr && !kinds::is_significant_pod_update(at.object, *at.old()))
    return {};
  const auto name_space = at.stored.find("", "namespaces", {}, at.call.info.namespace_name);
  if (!name_space) return {};
  value::FieldErrors label_errors;
  const kinds::SecurityPolicy policy = kinds::security_policy_of(name_space->root(), label_errors);
  kinds::PodSecurityAnswer verdict = kinds::judge_pod_security(policy, label_errors, *part, is_pod);
  for (auto& [key, text] : verdict.audit_annotations)
    at.call.audit_annotations.emplace_back(std::string(kDomain) + key, std::move(text));
  if (!verdict.forbidden.empty()) return at.forbid(verdict.forbidden);
  for (std::string& warning : verdict.warnings) at.call.warnings.push_back(std::move(warning));
  return {};
}

}  // namespace strake::admission
