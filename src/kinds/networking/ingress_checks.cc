#include "kinds/networking/ingress_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/networking/hosts.h"
#include "kinds/networking/references.h"
#include "meta/names.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

struct Allowed {
  bool any_secret_name = false;
  bool any_wildcard_rule = false;
  // Service names were labels that begin with a letter once.
  bool only_older_service_names = false;
};

void refuse(const FieldPath& at, std::string_view shown, std::string detail, FieldErrors& errors) {
  errors.push_back(FieldError::invalid(at, Value::string(shown), std::move(detail)));
}

void check_service_backend(const Value& service, const Allowed& allowed, const FieldPath& at,
                           FieldErrors& errors) {
  const FieldPath at_service = at / "service";
  const std::string_view name = text_of(service, "name");
  if (name.empty()) {
    errors.push_back(FieldError::required(at_service / "name"));
  } else {
    add_messages(allowed.only_older_service_names ? meta::check_dns1035_label(name)
                                                  : meta::check_dns1123_label(name),
                 name, at_service / "name", errors);
  }
  const Value& port = service.get("port");
  const std::string_view port_name = text_of(port, "name");
  const std::int64_t number = integer(port, "number");
  if (!port_name.empty() && number != 0) {
    refuse(at, "", "cannot set both port name & port number", errors);
  } else if (!port_name.empty()) {
    check_port_or_name(Value::string(port_name), at_service / "port" / "name", errors);
  } else if (number != 0) {
    check_port_or_name(Value::integer(number), at_service / "port" / "number", errors);
  } else {
    errors.push_back(FieldError::required(at, "port name or number is required"));
  }
}

void check_backend(const Value& backend, const Allowed& allowed, const FieldPath& at,
                   FieldErrors& errors) {
  const Value* resource = member(backend, "resource");
  const Value* service = member(backend, "service");
  if (resource != nullptr && service != nullptr) {
    refuse(at, "", "cannot set both resource and service backends", errors);
  } else if (resource != nullptr) {
    check_object_reference(*resource, at / "resource", errors);
  } else if (service != nullptr) {
    check_service_backend(*service, allowed, at, errors);
  } else {
    refuse(at, "", "resource or service backend is required", errors);
  }
}

void check_path_text(std::string_view path, bool is_plain, const FieldPath& at,
                     FieldErrors& errors) {
  if (!path.starts_with('/') && (is_plain || !path.empty()))
    refuse(at, path, "must be an absolute path", errors);
  if (!is_plain) return;
  for (const std::string_view part : {"//", "/./", "/../", "%2f", "%2F"}) {
    if (path.contains(part)) refuse(at, path, fmt::format("must not contain '{}'", part), errors);
  }
  for (const std::string_view end : {"/..", "/."}) {
    if (path.ends_with(end)) refuse(at, path, fmt::format("cannot end with '{}'", end), errors);
  }
}

void check_path(const Value& path, const Allowed& allowed, const FieldPath& at,
                FieldErrors& errors) {
  const Value* type = member(path, "pathType");
  if (type == nullptr)
    return errors.push_back(FieldError::required(at / "pathType", "pathType must be specified"));
  const std::string_view kind = value::text_of(*type);
  if (kind == "Exact" || kind == "Prefix" || kind == "ImplementationSpecific") {
    check_path_text(text_of(path, "path"), kind != "ImplementationSpecific", at / "path", errors);
  } else {
    errors.push_back(
        not_supported(at / "pathType", kind, {"Exact", "ImplementationSpecific", "Prefix"}));
  }
  check_backend(path.get("backend"), allowed, at / "backend", errors);
}

void check_rule_value(const Value& rule, const Allowed& allowed, const FieldPath& at,
                      FieldErrors& errors) {
  const Value* http = member(rule, "http");
  if (http == nullptr) return;
  const FieldPath at_paths = at / "http" / "paths";
  const auto paths = items(*http, "paths");
  if (paths.empty()) errors.push_back(FieldError::required(at_paths));
  for (std::size_t i = 0; i < paths.size(); ++i)
    check_path(paths[i], allowed, at_paths / i, errors);
}

void check_rule(const Value& rule, const Allowed& allowed, const FieldPath& at,
                FieldErrors& errors) {
  const std::string_view host = text_of(rule, "host");
  if (!host.empty()) {
    check_is_no_address(host, at / "host", errors);
    check_host(host, at / "host", errors);
  }
  if (!is_wildcard_host(host) || !allowed.any_wildcard_rule)
    check_rule_value(rule, allowed, at, errors);
}

void check_tls(const Value& tls, const Allowed& allowed, const FieldPath& at, FieldErrors& errors) {
  const auto hosts = items(tls, "hosts");
  for (std::size_t i = 0; i < hosts.size(); ++i)
    check_host(value::text_of(hosts[i]), at / "hosts" / i, errors);
  const std::string_view secret = text_of(tls, "secretName");
  if (!secret.empty() && !allowed.any_secret_name)
    add_messages(meta::check_dns1123_subdomain(secret), secret, at / "secretName", errors);
}

bool has_bad_secret_name(const Value& tls) {
  const std::string_view name = text_of(tls, "secretName");
  return !name.empty() && !meta::check_dns1123_subdomain(name).empty();
}

bool has_bad_wildcard_rule(const Value& rule) {
  if (!is_wildcard_host(text_of(rule, "host"))) return false;
  FieldErrors errors;
  check_rule_value(rule, {.only_older_service_names = true}, {}, errors);
  return !errors.empty();
}

Allowed allowed_after(const Value* old) {
  if (old == nullptr) return {};
  return {.any_secret_name = std::ranges::any_of(items(*old, "tls"), has_bad_secret_name),
          .any_wildcard_rule = std::ranges::any_of(items(*old, "rules"), has_bad_wildcard_rule)};
}

}  // namespace

bool has_class_annotation(const Value& ingress) {
  const Value* annotations = meta::ObjectMeta::of(ingress).annotations();
  return annotations != nullptr && annotations->find(kIngressClassAnnotation) != nullptr;
}

void check_class_annotation(const Value& ingress, FieldErrors& errors) {
  const Value* name = member(ingress, {"spec", "ingressClassName"});
  if (name == nullptr || !has_class_annotation(ingress)) return;
  const std::string_view noted = meta::ObjectMeta::of(ingress).annotation(kIngressClassAnnotation);
  if (noted == value::text_of(*name)) return;
  refuse(FieldPath() / "annotations" / kIngressClassAnnotation, noted,
         "must match `ingressClassName` when both are specified", errors);
}

void check_ingress_spec(const Value& spec, const Value* old, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  const Allowed allowed = allowed_after(old);
  const auto rules = items(spec, "rules");
  const Value* backend = member(spec, "defaultBackend");
  if (backend != nullptr) {
    check_backend(*backend, allowed, at / "defaultBackend", errors);
  } else if (rules.empty()) {
    errors.push_back(
        FieldError::invalid(at, Value(), "either `defaultBackend` or `rules` must be specified"));
  }
  for (std::size_t i = 0; i < rules.size(); ++i)
    check_rule(rules[i], allowed, at / "rules" / i, errors);
  const auto tls = items(spec, "tls");
  for (std::size_t i = 0; i < tls.size(); ++i) check_tls(tls[i], allowed, at / "tls" / i, errors);
  if (const Value* name = member(spec, "ingressClassName")) {
    const std::string_view text = value::text_of(*name);
    add_messages(meta::check_dns1123_subdomain(text), text, at / "ingressClassName", errors);
  }
}

void check_balancers(std::span<const Value> balancers, std::span<const Value> before,
                     FieldErrors& errors) {
  std::unordered_set<std::string_view> good;
  for (const Value& one : before) good.insert(text_of(one, "ip"));
  for (std::size_t i = 0; i < balancers.size(); ++i) {
    const FieldPath at = FieldPath() / "status" / "loadBalancer" / "ingress" / i;
    const std::string_view ip = text_of(balancers[i], "ip");
    if (!ip.empty() && !good.contains(ip)) check_ip(ip, at / "ip", {}, errors);
    const std::string_view host = text_of(balancers[i], "hostname");
    if (host.empty()) continue;
    add_messages(meta::check_dns1123_subdomain(host), host, at / "hostname", errors);
    check_is_no_address(host, at / "hostname", errors);
  }
}

}  // namespace strake::kinds
