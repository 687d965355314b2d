#include "cel/lib/k8s_environment.h"

#include "cel/lib/k8s_libraries.h"
#include "cel/lib/library.h"

namespace strake::cel {
namespace {

constexpr KubernetesMinor kAlways{0};

constexpr KubernetesLibrary kLibraries[] = {
    {"standard", kAlways, standard_library},
    {"kubernetes.urls", kAlways, k8s_urls_library},
    {"kubernetes.regex", kAlways, k8s_regex_library},
    {"kubernetes.lists", kAlways, k8s_lists_library},
    {"kubernetes.authz", KubernetesMinor{27}, k8s_authz_library},
    {"optional", KubernetesMinor{28}, optionals_library},
    {"kubernetes.quantity", KubernetesMinor{28}, k8s_quantity_library},
    {"strings", kAlways, strings_library},
    {"sets", KubernetesMinor{29}, sets_library},
    {"kubernetes.net.ip", KubernetesMinor{30}, k8s_ip_library},
    {"kubernetes.net.cidr", KubernetesMinor{30}, k8s_cidr_library},
    {"kubernetes.format", KubernetesMinor{31}, nullptr},
    {"kubernetes.authzSelectors", KubernetesMinor{31}, k8s_authz_selectors_library},
    {"two-variable comprehensions", KubernetesMinor{32}, two_variable_library},
    {"kubernetes.Semver", KubernetesMinor{33}, k8s_semver_library},
    {"lists", KubernetesMinor{34}, lists_library},
};

}  // namespace

std::span<const KubernetesLibrary> kubernetes_libraries() { return kLibraries; }

std::vector<const Library*> libraries_of(KubernetesMinor version, const Library& formats) {
  std::vector<const Library*> out;
  for (const KubernetesLibrary& entry : kLibraries) {
    if (entry.since > version) continue;
    out.push_back(entry.library == nullptr ? &formats : &entry.library());
  }
  return out;
}

EnvironmentOptions kubernetes_options() {
  EnvironmentOptions out;
  out.escaped_identifiers = false;
  out.validate_literals = true;
  out.error_on_bad_presence_test = false;
  return out;
}

}  // namespace strake::cel
