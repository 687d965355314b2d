#include "admission/builtin/plugin_choice.h"

#include <algorithm>

#include "admission/builtin/plugin.h"
#include "admission/builtin/pod_security.h"
#include "base/quote.h"

namespace strake::admission {
namespace {

// On by default in kube-apiserver 1.36, and always on here.
constexpr std::string_view kAlwaysOn[] = {
    "CertificateApproval",       "CertificateSigning",        "MutatingAdmissionPolicy",
    "MutatingAdmissionWebhook",  "NamespaceLifecycle",        "ResourceQuota",
    "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook"};
// Part of kube-apiserver 1.36, and not of Strake. Those that are on by default are about kinds that
// are not served here.
constexpr std::string_view kOffByDefault[] = {"AlwaysAdmit",
                                              "AlwaysDeny",
                                              "AlwaysPullImages",
                                              "DenyServiceExternalIPs",
                                              "EventRateLimit",
                                              "ExtendedResourceToleration",
                                              "ImagePolicyWebhook",
                                              "LimitPodHardAntiAffinityTopology",
                                              "NamespaceAutoProvision",
                                              "NamespaceExists",
                                              "NodeRestriction",
                                              "OwnerReferencesPermissionEnforcement",
                                              "PodNodeSelector",
                                              "PodTolerationRestriction"};
constexpr std::string_view kWithoutKinds[] = {"ClusterTrustBundleAttest", "JobValidation",
                                              "NodeDeclaredFeatureValidator", "PodGroupProtection",
                                              "PodGroupWorkloadExists"};

bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool can_be_chosen(std::string_view name) {
  return name == kPodSecurityName || std::ranges::any_of(all_plugins(), [&](const auto& plugins) {
           return std::ranges::find(plugins, name, &Plugin::name) != plugins.end();
         });
}

}  // namespace

Result<PluginChoice> PluginChoice::parse(std::span<const std::string> enabled,
                                         std::span<const std::string> disabled) {
  for (const std::string& name : enabled) {
    if (can_be_chosen(name) || is_in(kAlwaysOn, name) || is_in(kWithoutKinds, name)) continue;
    if (is_in(kOffByDefault, name))
      return fail(Code::kUsage, "strake does not have the admission plugin {}", quote(name));
    return fail(Code::kUsage, "unknown admission plugin {}", quote(name));
  }
  PluginChoice out;
  for (const std::string& name : disabled) {
    if (is_in(kOffByDefault, name) || is_in(kWithoutKinds, name)) continue;
    if (is_in(kAlwaysOn, name))
      return fail(Code::kUsage, "the admission plugin {} cannot be disabled", quote(name));
    if (!can_be_chosen(name)) return fail(Code::kUsage, "unknown admission plugin {}", quote(name));
    if (std::ranges::find(enabled, name) != enabled.end())
      return fail(Code::kUsage, "the admission plugin {} is both enabled and disabled",
                  quote(name));
    out.disabled_.push_back(name);
  }
  return out;
}

bool PluginChoice::has(std::string_view name) const {
  return std::ranges::find(disabled_, name) == disabled_.end();
}

}  // namespace strake::admission
