#include "ops/kom/models.h"

#include <cmath>
#include <string_view>

#include "ops/protection.h"
#include "provider/names/sizes.h"
#include "value/fields.h"
#include "value/yaml_writer.h"

namespace strake::ops {
namespace {

using value::flag_of;
using value::text_of;
using value::Value;

void add_fault(std::vector<KomFault>& faults, FieldPath path, std::string words) {
  KomFault fault{.path = std::move(path), .words = std::move(words)};
  fault.field = fault.path.to_k8s();
  faults.push_back(std::move(fault));
}

std::int64_t integer_of(const Value& v) {
  if (v.type() == value::Type::kInt) return v.as_int();
  // A number without a fraction is an integer to a schema, however it is written. This is the
  // largest double below 2^63.
  constexpr double kMost = 9223372036854774784.0;
  if (!v.is_number()) return 0;
  const double real = v.as_double();
  return std::fabs(real) <= kMost ? static_cast<std::int64_t>(real) : 0;
}

std::vector<std::string> texts_of(const Value& list) {
  std::vector<std::string> out;
  for (const Value& one : list.items()) out.emplace_back(text_of(one));
  return out;
}

// A schema excludes lists and mappings that hold something; empty ones are found here.
provider::Settings settings_of(const Value& map, const FieldPath& at,
                               std::vector<KomFault>& faults) {
  provider::Settings out;
  for (const value::Member& one : map.members()) {
    if (is_scalar(one.value)) {
      out.emplace(one.key, scalar_text(one.value));
    } else {
      add_fault(faults, at.key(one.key), "must be a text, a number or a boolean");
    }
  }
  return out;
}

provider::NetworkPolicy network_policy_of(const Value& policy) {
  provider::NetworkPolicy out;
  for (const Value& rule : policy.get("ingressRules").items()) {
    provider::PolicyRule& into = out.ingress_rules.emplace_back();
    for (const Value& peer : rule.get("from").items()) {
      const Value& selector = peer.get("namespaceSelector");
      provider::NamespaceSelector& selects = into.from.emplace_back();
      for (const value::Member& label : selector.get("matchLabels").members())
        selects.match_labels.emplace(label.key, text_of(label.value));
      for (const Value& expression : selector.get("matchExpressions").items())
        selects.match_expressions.push_back({.key = std::string(text_of(expression, "key")),
                                             .op = std::string(text_of(expression, "operator")),
                                             .values = texts_of(expression.get("values"))});
    }
    for (const Value& port : rule.get("ports").items()) {
      const std::string_view protocol = text_of(port, "protocol");
      into.ports.push_back({.protocol = std::string(protocol.empty() ? "TCP" : protocol),
                            .port = integer_of(port.get("port"))});
    }
  }
  return out;
}

provider::Protection protection_of(const Value& text) {
  return parse_protection(text_of(text)).value_or(provider::Protection::kNone);
}

provider::AppVolume volume_of(const Value& volume, const FieldPath& at,
                              std::vector<KomFault>& faults) {
  provider::AppVolume out;
  out.name = text_of(volume, "name");
  if (text_of(volume, "type") == "files") out.type = provider::VolumeType::kFiles;
  const Value& size = volume.get("size");
  if (size.is_string()) {
    const auto bytes = provider::parse_size(size.as_string());
    if (!bytes) {
      add_fault(faults, at / "size", bytes.error().message());
    } else if (*bytes == 0) {
      add_fault(faults, at / "size", "must be greater than 0");
    } else {
      out.size = *bytes;
    }
  } else {
    out.size = integer_of(size);
  }
  out.options = read_options(volume.get("options"), at / "options", faults);
  return out;
}

FieldPath spec_path() { return FieldPath() / "spec"; }

}  // namespace

provider::OptionMap read_options(const Value& map, const FieldPath& at,
                                 std::vector<KomFault>& faults) {
  provider::OptionMap out;
  for (const value::Member& one : map.members()) {
    const Value& v = one.value;
    std::string key(one.key);
    if (v.is_null()) continue;
    if (v.is_bool()) {
      out.emplace(std::move(key), v.as_bool());
    } else if (v.type() == value::Type::kInt) {
      out.emplace(std::move(key), v.as_int());
    } else if (v.is_number()) {
      out.emplace(std::move(key), v.as_double());
    } else if (v.is_string()) {
      out.emplace(std::move(key), std::string(v.as_string()));
    } else {
      add_fault(faults, at.key(one.key), "must be a text, a number or a boolean");
    }
  }
  return out;
}

void check_workspace_spec(const Value& spec, std::vector<KomFault>& faults) {
  settings_of(spec.get("settings"), spec_path() / "settings", faults);
}

void read_provider_spec(const Value& spec, provider::ProviderEntity& out,
                        std::vector<KomFault>& faults) {
  out.driver = text_of(spec, "driver");
  out.settings = settings_of(spec.get("settings"), spec_path() / "settings", faults);
}

void read_cluster_spec(const Value& spec, provider::Cluster& out, std::vector<KomFault>& faults) {
  out.existing = flag_of(spec, "existing");
  if (const Value& ingress = spec.get("ingress"); ingress.is_object()) {
    provider::ClusterIngress& into = out.ingress.emplace();
    into.namespace_name = text_of(ingress, "namespace");
    into.controller = text_of(ingress, "controller");
    into.service_account = text_of(ingress, "serviceAccount");
    into.domain = text_of(ingress, "domain");
    into.cert_resolver = text_of(ingress, "certResolver");
    into.cert_email = text_of(ingress, "certEmail");
    for (const Value& one : ingress.get("certificates").items())
      into.certificates.push_back({.name = std::string(text_of(one, "name")),
                                   .source = std::string(text_of(one, "source"))});
  }
  const Value& protection = spec.get("protection");
  out.protection = {.provisioning = protection_of(protection.get("provisioning")),
                    .installation = protection_of(protection.get("installation"))};
  out.settings = settings_of(spec.get("settings"), spec_path() / "settings", faults);
}

void read_app_spec(const Value& spec, provider::App& out, std::vector<KomFault>& faults) {
  const Value& compose = spec.get("compose");
  if (compose.is_object()) {
    out.compose = value::to_yaml(compose);
  } else if (compose.is_string() || compose.is_null()) {
    out.compose = text_of(compose);
  } else {
    add_fault(faults, spec_path() / "compose", "must be a text or a mapping");
  }
  const Value& ingress = spec.get("ingress");
  out.ingress.cert_resolver = text_of(ingress, "certResolver");
  for (const Value& rule : ingress.get("rules").items())
    out.ingress.rules.push_back({.name = std::string(text_of(rule, "name")),
                                 .port = integer_of(rule.get("port")),
                                 .hosts = texts_of(rule.get("hosts"))});
  const auto volumes = spec.get("volumes").items();
  for (std::size_t i = 0; i < volumes.size(); ++i)
    out.volumes.push_back(volume_of(volumes[i], spec_path() / "volumes" / i, faults));
  const Value& deployment = spec.get("deployment");
  out.deployment = {.pool = std::string(text_of(deployment, "pool")),
                    .pools = texts_of(deployment.get("pools")),
                    .zone = std::string(text_of(deployment, "zone")),
                    .zones = texts_of(deployment.get("zones"))};
  out.network_policy = network_policy_of(spec.get("networkPolicy"));
  out.resources = settings_of(spec.get("resources"), spec_path() / "resources", faults);
  out.settings = settings_of(spec.get("settings"), spec_path() / "settings", faults);
}

void read_box_spec(const Value& spec, provider::Box& out) {
  out.component = text_of(spec, "component");
  if (out.component.empty()) out.component = out.name;
  out.image = text_of(spec, "image");
  out.command = texts_of(spec.get("command"));
  out.args = texts_of(spec.get("args"));
  out.network_policy = network_policy_of(spec.get("networkPolicy"));
}

}  // namespace strake::ops
