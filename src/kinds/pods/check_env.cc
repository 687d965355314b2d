#include "kinds/pods/check_env.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "kinds/common_checks.h"
#include "kinds/data_keys.h"
#include "kinds/fields.h"
#include "kinds/pods/check_scope.h"
#include "kinds/pods/check_values.h"
#include "kinds/resource_names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// Fields that can be asked for, as a message lists them: sorted.
constexpr Choices kEnvFields = {"metadata.name",
                                "metadata.namespace",
                                "metadata.uid",
                                "spec.nodeName",
                                "spec.serviceAccountName",
                                "status.hostIP",
                                "status.hostIPs",
                                "status.podIP",
                                "status.podIPs"};
constexpr Choices kVolumeFields = {"metadata.annotations", "metadata.labels", "metadata.name",
                                   "metadata.namespace", "metadata.uid"};
// Those that the server knows but nobody may ask for.
constexpr Choices kOtherFields = {"spec.restartPolicy", "spec.schedulerName", "status.phase"};
constexpr Choices kResourceFields = {
    "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
    "requests.cpu", "requests.ephemeral-storage", "requests.memory"};

bool is_in(std::string_view text, Choices choices) {
  return std::ranges::find(choices, text) != choices.end();
}

// "metadata.labels['a']" is the path metadata.labels with the subscript a.
bool split_subscript(std::string_view text, std::string_view& path, std::string_view& subscript) {
  path = text;
  if (!text.ends_with("']")) return false;
  const std::size_t open = text.find("['");
  if (open == 0 || open == std::string_view::npos || open + 4 > text.size()) return false;
  path = text.substr(0, open);
  subscript = text.substr(open + 2, text.size() - open - 4);
  return true;
}

// Why a field cannot be had at all; empty when it can.
std::string unknown_field(std::string_view version, std::string_view path, bool has_subscript,
                          std::string_view whole) {
  if (version != "v1") return fmt::format("unsupported pod version: {}", version);
  if (has_subscript) {
    if (path == "metadata.annotations" || path == "metadata.labels") return {};
    return fmt::format("field label does not support subscript: {}", whole);
  }
  if (is_in(path, kEnvFields) || is_in(path, kVolumeFields) || is_in(path, kOtherFields) ||
      path == "spec.host")
    return {};
  return fmt::format("field label not supported: {}", path);
}

// --- resources of containers

bool is_huge_page_field(std::string_view name) {
  return name.starts_with("requests.hugepages-") || name.starts_with("limits.hugepages-");
}

constexpr Choices kByteDivisors = {"1",   "1k",  "1M",  "1G",  "1T",  "1P", "1E",
                                   "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"};

void check_divisor(const Value& reference, const FieldPath& at, FieldErrors& errors) {
  const Value* given = member(reference, "divisor");
  if (given == nullptr) return;
  const Quantity divisor = amount_of(*given);
  if (divisor.is_zero()) return;
  const std::string_view name = value::text_of(reference, "resource");
  const std::string_view what = name.substr(std::min(name.find('.') + 1, name.size()));
  const std::string text = divisor.to_string();
  const bool known = is_in(name, kResourceFields) || is_huge_page_field(name);
  if (!known) return;
  if (what == "cpu") {
    if (text != "1m" && text != "1") {
      add_invalid(at / "divisor", name,
                  "only divisor's values 1m and 1 are supported with the cpu resource", errors);
    }
    return;
  }
  if (is_in(text, kByteDivisors)) return;
  const std::string_view of = what == "memory"              ? "memory"
                              : what == "ephemeral-storage" ? "local ephemeral storage"
                                                            : "hugepages";
  add_invalid(
      at / "divisor", name,
      fmt::format("only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, "
                  "1Ei are supported with the {} resource",
                  of),
      errors);
}

// --- sources of one variable

// {name, key} of a ConfigMap or Secret.
void check_key_ref(const Value& reference, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = value::text_of(reference, "name");
  add_all_invalid(meta::check_dns1123_subdomain(name), name, at / "name", errors);
  if (!require_text(reference, "key", at, errors)) return;
  const std::string_view key = value::text_of(reference, "key");
  add_all_invalid(check_data_key(key), key, at / "key", errors);
}

// {volumeName, path, key}
void check_file_ref(const Value& reference, const FieldPath& at, FieldErrors& errors) {
  require_text(reference, "key", at, errors);
  check_optional_text(reference, "key", check_env_name, at, errors);
  require_text(reference, "volumeName", at, errors);
  check_optional_text(reference, "volumeName", meta::check_dns1123_label, at, errors);
  if (require_text(reference, "path", at, errors))
    check_no_backsteps(value::text_of(reference, "path"), at / "path", errors);
}

void check_value_from(const Value& variable, const FieldPath& at, FieldErrors& errors) {
  const Value* from = member(variable, "valueFrom");
  if (from == nullptr) return;
  int sources = 0;
  if (const Value* one = member(*from, "fieldRef"); one != nullptr && ++sources > 0)
    check_field_ref(*one, FieldUser::kEnv, at / "fieldRef", errors);
  if (const Value* one = member(*from, "resourceFieldRef"); one != nullptr && ++sources > 0)
    check_resource_field_ref(*one, FieldUser::kEnv, at / "resourceFieldRef", errors);
  for (const std::string_view key : {"configMapKeyRef", "secretKeyRef"}) {
    if (const Value* one = member(*from, key); one != nullptr && ++sources > 0)
      check_key_ref(*one, at / key, errors);
  }
  if (const Value* one = member(*from, "fileKeyRef"); one != nullptr && ++sources > 0)
    check_file_ref(*one, at / "fileKeyRef", errors);
  if (sources == 0) {
    add_invalid(at, "",
                "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                "`secretKeyRef` or `fileKeyRef`",
                errors);
  } else if (!value::text_of(variable, "value").empty()) {
    add_invalid(at, "", "may not be specified when `value` is not empty", errors);
  } else if (sources > 1) {
    add_invalid(at, "", "may not have more than one field specified at a time", errors);
  }
}

}  // namespace

void check_field_ref(const Value& reference, FieldUser user, const FieldPath& at,
                     FieldErrors& errors) {
  if (!require_text(reference, "apiVersion", at, errors)) return;
  if (!require_text(reference, "fieldPath", at, errors)) return;
  const std::string_view whole = value::text_of(reference, "fieldPath");
  std::string_view path;
  std::string_view subscript;
  const bool has_subscript = split_subscript(whole, path, subscript);
  const std::string unknown =
      unknown_field(value::text_of(reference, "apiVersion"), path, has_subscript, whole);
  if (!unknown.empty()) {
    return add_invalid(at / "fieldPath", whole,
                       fmt::format("error converting fieldPath: {}", unknown), errors);
  }
  if (has_subscript) {
    // Annotations may be in capitals.
    const std::string key =
        path == "metadata.annotations" ? meta::to_lower_ascii(subscript) : std::string(subscript);
    return add_all_invalid(meta::check_qualified_name(key), key, at, errors);
  }
  // As old clients name it.
  if (path == "spec.host") path = "spec.nodeName";
  const Choices& fields = user == FieldUser::kEnv ? kEnvFields : kVolumeFields;
  if (!is_in(path, fields)) errors.push_back(not_supported(at / "fieldPath", path, fields));
}

void check_resource_field_ref(const Value& reference, FieldUser user, const FieldPath& at,
                              FieldErrors& errors) {
  const std::string_view name = value::text_of(reference, "resource");
  const bool named =
      user == FieldUser::kEnv || require_text(reference, "containerName", at, errors);
  if (named && require_text(reference, "resource", at, errors) && !is_in(name, kResourceFields) &&
      !is_huge_page_field(name)) {
    errors.push_back(not_supported(at / "resource", name, kResourceFields));
  }
  check_divisor(reference, at, errors);
}

void check_env(std::span<const Value> variables, const FieldPath& at, FieldErrors& errors) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const FieldPath here = at / i;
    require_text(variables[i], "name", here, errors);
    check_optional_text(variables[i], "name", check_env_name, here, errors);
    check_value_from(variables[i], here / "valueFrom", errors);
  }
}

void check_env_from(std::span<const Value> sources, const FieldPath& at, FieldErrors& errors) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const FieldPath here = at / i;
    check_optional_text(sources[i], "prefix", check_env_name, here, errors);
    int found = 0;
    for (const std::string_view key : {"configMapRef", "secretRef"}) {
      const Value* one = member(sources[i], key);
      if (one == nullptr) continue;
      ++found;
      if (!require_text(*one, "name", here / key, errors)) continue;
      const std::string_view name = value::text_of(*one, "name");
      add_all_invalid(meta::name_is_dns_subdomain(name, true), name, here / key / "name", errors);
    }
    // kube-apiserver 1.36 says this of the whole list.
    if (found == 0) {
      add_invalid(at, "", "must specify one of: `configMapRef` or `secretRef`", errors);
    } else if (found > 1) {
      add_invalid(at, "", "may not have more than one field specified at a time", errors);
    }
  }
}

void check_env_file_volumes(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  std::unordered_map<std::string_view, const Value*> volumes;
  for (const Value& volume : items(spec, "volumes"))
    volumes[value::text_of(volume, "name")] = &volume;
  visit_containers(spec, at, [&](const Value& container, const FieldPath& here) {
    const auto variables = items(container, "env");
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Value* file = member(variables[i], {"valueFrom", "fileKeyRef"});
      if (file == nullptr) continue;
      const std::string_view name = value::text_of(*file, "volumeName");
      const auto found = volumes.find(name);
      if (found != volumes.end() && member(*found->second, "emptyDir") != nullptr) continue;
      const FieldPath name_path = here / "env" / i / "valueFrom" / "fileKeyRef" / "volumeName";
      if (found == volumes.end()) {
        errors.push_back(FieldError::not_found(name_path, Value::string(name)));
      } else {
        add_invalid(name_path, name, "referenced volume must be of type emptyDir", errors);
      }
    }
  });
}

}  // namespace strake::kinds
