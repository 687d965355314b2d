#include "rules/environment.h"

#include "cel/lib/k8s_environment.h"
#include "cel/lib/k8s_format.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_url.h"
#include "meta/names.h"
#include "schema/format/format.h"

namespace strake::rules {
namespace {

using Faults = std::vector<std::string>;

template <meta::Messages (*Check)(std::string_view, bool), bool Prefix>
Faults name_faults(std::string_view text) {
  return Check(text, Prefix);
}

Faults uri_faults(std::string_view text) {
  const auto url = cel::parse_request_uri(text);
  return url ? Faults{} : Faults{url.error()};
}

Faults format_faults(schema::Format format, std::string_view text, std::string_view fault) {
  return schema::matches_format(format, text) ? Faults{} : Faults{std::string(fault)};
}

constexpr cel::NamedFormat kFormats[] = {
    {"dns1123Label", "DNS1123Label", 30, name_faults<meta::name_is_dns_label, false>},
    {"dns1123Subdomain", "DNS1123Subdomain", 60, name_faults<meta::name_is_dns_subdomain, false>},
    {"dns1035Label", "DNS1035Label", 30, name_faults<meta::name_is_dns1035_label, false>},
    {"qualifiedName", "QualifiedName", 60, meta::check_qualified_name},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", 30, name_faults<meta::name_is_dns_label, true>},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60,
     name_faults<meta::name_is_dns_subdomain, true>},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", 30,
     name_faults<meta::name_is_dns1035_label, true>},
    {"labelValue", "LabelValue", 40, meta::check_label_value},
    {"uri", "URI", 1103, uri_faults},
    {"uuid", "uuid", 87,
     [](std::string_view s) {
       return format_faults(schema::Format::kUuid, s, "does not match the UUID format");
     }},
    {"byte", "byte", 84,
     [](std::string_view s) { return format_faults(schema::Format::kByte, s, "invalid base64"); }},
    {"date", "date", 86,
     [](std::string_view s) { return format_faults(schema::Format::kDate, s, "invalid date"); }},
    {"datetime", "datetime", 86,
     [](std::string_view s) {
       return format_faults(schema::Format::kDateTime, s, "invalid datetime");
     }},
};

enum class For { kRules, kPatches };

const cel::Environment* make_environment(cel::KubernetesMinor version, For use = For::kRules) {
  auto libraries = cel::libraries_of(version, cel::k8s_format_library<kFormats>());
  if (use == For::kPatches) libraries.push_back(&cel::k8s_jsonpatch_library());
  return new cel::Environment(libraries, cel::kubernetes_options());
}

}  // namespace

const cel::Environment& new_rule_environment() {
  static const cel::Environment* const environment = make_environment(cel::kCompatibleKubernetes);
  return *environment;
}

const cel::Environment& stored_rule_environment() {
  static const cel::Environment* const environment = make_environment(cel::kThisKubernetes);
  return *environment;
}

const cel::Environment& new_patch_environment() {
  static const cel::Environment* const environment =
      make_environment(cel::kCompatibleKubernetes, For::kPatches);
  return *environment;
}

const cel::Environment& stored_patch_environment() {
  static const cel::Environment* const environment =
      make_environment(cel::kThisKubernetes, For::kPatches);
  return *environment;
}

}  // namespace strake::rules
