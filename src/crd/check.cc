#include "crd/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/quote.h"
#include "base/unicode_print.h"
#include "base/utf8.h"
#include "crd/check_parts.h"
#include "crd/go_dump.h"
#include "crd/version_index.h"
#include "schema/format/format.h"
#include "value/json_writer.h"

// Validation of CRDs as kube-apiserver 1.36 does it, in its order, since messages are shown in that
// order. The server validates an internal form in which what all versions share is hoisted to the
// top (hoisted.h); errors therefore name paths such as spec.validation that no v1 object has, and
// source_path.h maps them back for people.
//
// On an update a rule that the old object already breaks is not enforced (check_update.cc computes
// which), so that a stored CRD can always be written again.

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kApprovalAnnotation = "api-approved.kubernetes.io";
constexpr std::size_t kDeprecationWarningMax = 256;

void check_group(const Crd& crd, const FieldPath& at, FieldErrors& errors) {
  const std::string_view group = crd.group();
  if (group.empty()) {
    errors.push_back(FieldError::required(at));
  } else if (const auto messages = meta::check_dns1123_subdomain(group); !messages.empty()) {
    errors.push_back(FieldError::invalid(at, Value::string(group), meta::join(messages)));
  } else if (group.find('.') == std::string_view::npos) {
    errors.push_back(
        FieldError::invalid(at, Value::string(group), "should be a domain with at least one dot"));
  }
}

void check_scope(const Crd& crd, const FieldPath& at, FieldErrors& errors) {
  static const std::vector<std::string> kScopes = {"Cluster", "Namespaced"};
  if (crd.scope().empty()) {
    errors.push_back(FieldError::required(at));
  } else if (std::find(kScopes.begin(), kScopes.end(), crd.scope()) == kScopes.end()) {
    errors.push_back(FieldError::not_supported(at, Value::string(crd.scope()), kScopes));
  }
}

void check_schemas_present(const HoistedSpec& spec, const CheckOptions& options,
                           const FieldPath& at, FieldErrors& errors) {
  if (spec.schema() != nullptr) return;
  const bool prunes = !spec.crd->preserve_unknown_fields();
  if (!options.require_schema && !prunes) return;
  for (std::size_t i = 0; i < spec.versions.size(); ++i) {
    const HoistedVersion& one = spec.versions[i];
    if (one.schema() != nullptr) continue;
    const FieldPath here = at / "versions" / i / "schema" / "openAPIV3Schema";
    if (options.require_schema) {
      errors.push_back(FieldError::required(here));
    } else if (one.version->served()) {
      errors.push_back(FieldError::required(here, "because otherwise all fields are pruned"));
    }
  }
}

bool has_kubernetes_extensions(const Value& schema) {
  return SchemaView(schema).any([](const SchemaView& s) {
    return s.flag("x-kubernetes-embedded-resource") ||
           s.has("x-kubernetes-preserve-unknown-fields") || s.flag("x-kubernetes-int-or-string") ||
           !s.list("x-kubernetes-list-map-keys").empty() || s.has("x-kubernetes-list-type") ||
           !s.list("x-kubernetes-validations").empty();
  });
}

bool has_defaults(const Value& schema) {
  return SchemaView(schema).any([](const SchemaView& s) { return s.has("default"); });
}

void check_deprecation_warning(const Version& version, const FieldPath& at, FieldErrors& errors) {
  const auto warning = version.deprecation_warning();
  if (!warning) return;
  const auto refuse = [&](std::string detail) {
    errors.push_back(invalid_json(at, Value::string(*warning), std::move(detail)));
  };
  if (!version.deprecated()) return refuse("can only be set for deprecated versions");
  if (warning->size() > kDeprecationWarningMax) refuse("must be <= 256 characters long");
  if (warning->empty()) refuse("must not be an empty string");
  for (std::size_t i = 0; i < warning->size();) {
    const utf8::Decoded c = utf8::decode(warning->substr(i));
    // No control character is printable, so kube-apiserver's second test, for those, never finds
    // one.
    if (!is_printable(c.code_point)) {
      return refuse(fmt::format(
          "must only contain printable UTF-8 characters; non-printable character found at index {}",
          i));
    }
    i += c.width;
  }
}

bool status_enabled(const Value* subresources) {
  return subresources != nullptr && subresources->find("status") != nullptr;
}

void check_version(const HoistedVersion& one, bool status, const CheckOptions& options,
                   const FieldPath& at, FieldErrors& errors) {
  const Version& version = *one.version;
  check_deprecation_warning(version, at / "deprecationWarning", errors);
  check_schema({.holder = one.schema_holder,
                .version = &version,
                .status_enabled = status,
                .unchanged = options.unchanged_versions.contains(version.name()),
                .require_structural = options.require_structural},
               options, at / "schema", errors);
  check_subresources(one.subresources, at / "subresources", errors);
  check_printer_columns(one.printer_columns, at / "additionalPrinterColumns", errors);
  if (one.selectable_fields == nullptr) return;
  if (one.schema() == nullptr) {
    errors.push_back(FieldError::invalid(
        at / "selectableFields", Value::string(""),
        "may only be set when `version.schema.openAPIV3Schema` is not included"));
    return;
  }
  const SchemaView schema(*one.schema());
  if (const auto fault = conversion_fault(schema)) {
    errors.push_back(
        FieldError::invalid(at / "schema" / "openAPIV3Schema", Value::string(""), *fault));
    return;
  }
  check_selectable_fields(*one.selectable_fields, schema,
                          options.many_selectable_allowed.contains(version.name()),
                          at / "selectableFields", errors);
}

void check_versions(const HoistedSpec& spec, const CheckOptions& options, const FieldPath& at,
                    FieldErrors& errors) {
  const bool own_subresources =
      std::any_of(spec.versions.begin(), spec.versions.end(),
                  [](const HoistedVersion& one) { return one.subresources != nullptr; });
  std::size_t storage = 0;
  TextSet names;
  for (std::size_t i = 0; i < spec.versions.size(); ++i) {
    const HoistedVersion& one = spec.versions[i];
    const std::string_view name = one.version->name();
    if (one.version->storage()) ++storage;
    names.emplace(name);
    const FieldPath here = at / "versions" / i;
    if (const auto messages = meta::check_dns1035_label(name); !messages.empty()) {
      errors.push_back(
          FieldError::invalid(here / "name", Value::string(name), meta::join(messages)));
    }
    // Of versions that share a name, the first one's subresources count.
    const Value* subresources = spec.subresources;
    if (own_subresources) {
      const auto first =
          std::find_if(spec.versions.begin(), spec.versions.end(),
                       [&](const HoistedVersion& v) { return v.version->name() == name; });
      subresources = first->subresources;
    }
    check_version(one, status_enabled(subresources), options, here, errors);
  }
  if (names.size() != spec.versions.size()) {
    errors.push_back(
        invalid_shown(at / "versions", dump_versions(spec), "must contain unique version names"));
  }
  if (storage != 1) {
    errors.push_back(invalid_shown(at / "versions", dump_versions(spec),
                                   "must have exactly one version marked as storage version"));
  }
  // The first version's name stands once more as spec.version, in the form that is checked.
  if (spec.versions.empty() || spec.versions[0].version->name().empty()) return;
  const std::string_view first = spec.versions[0].version->name();
  if (const auto messages = meta::check_dns1035_label(first); !messages.empty()) {
    errors.push_back(
        FieldError::invalid(at / "version", Value::string(first), meta::join(messages)));
  }
}

void check_required_names(const Names& names, const FieldPath& at, FieldErrors& errors) {
  if (names.plural.empty()) errors.push_back(FieldError::required(at / "plural"));
  if (names.singular.empty()) errors.push_back(FieldError::required(at / "singular"));
  if (names.kind.empty()) errors.push_back(FieldError::required(at / "kind"));
  if (names.list_kind.empty()) errors.push_back(FieldError::required(at / "listKind"));
}

void check_top_selectable_fields(const HoistedSpec& spec, const CheckOptions& options,
                                 const FieldPath& at, FieldErrors& errors) {
  if (spec.selectable_fields == nullptr) return;
  if (spec.schema() == nullptr) {
    errors.push_back(FieldError::invalid(at / "selectableFields", Value::string(""),
                                         "may only be set when validations.schema is included"));
    return;
  }
  const SchemaView schema(*spec.schema());
  if (const auto fault = conversion_fault(schema)) {
    errors.push_back(
        FieldError::invalid(at / "schema" / "openAPIV3Schema", Value::string(""), *fault));
    return;
  }
  check_selectable_fields(*spec.selectable_fields, schema,
                          options.many_selectable_allowed.contains(""), at / "selectableFields",
                          errors);
}

void check_spec(const Crd& crd, CheckOptions options, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  const HoistedSpec spec = hoist(crd);
  check_group(crd, at / "group", errors);
  check_scope(crd, at / "scope", errors);
  // A schema must be structural as soon as anything depends on it: pruning, defaults or extensions.
  if (!crd.preserve_unknown_fields()) options.require_structural = true;
  check_schemas_present(spec, options, at, errors);
  if (crd.preserve_unknown_fields()) {
    if (spec.any_schema(has_defaults)) {
      options.require_structural = true;
      errors.push_back(FieldError::invalid(at / "preserveUnknownFields", Value::boolean(true),
                                           "must be false in order to use defaults in the schema"));
    }
    if (spec.any_schema(has_kubernetes_extensions)) options.require_structural = true;
  }

  check_versions(spec, options, at, errors);
  check_required_names(crd.names(), at / "names", errors);
  check_names(crd.names(), at / "names", errors);
  const bool any_status =
      status_enabled(spec.subresources) ||
      std::any_of(spec.versions.begin(), spec.versions.end(),
                  [](const HoistedVersion& one) { return status_enabled(one.subresources); });
  const bool unchanged = !spec.versions.empty() &&
                         options.unchanged_versions.contains(spec.versions[0].version->name());
  // What stands at the top is the first version's.
  check_schema({.holder = spec.schema_holder,
                .version = spec.versions.empty() ? nullptr : spec.versions[0].version,
                .status_enabled = any_status,
                .unchanged = unchanged,
                .require_structural = options.require_structural},
               options, at / "validation", errors);
  check_subresources(spec.subresources, at / "subresources", errors);
  check_printer_columns(spec.printer_columns, at / "additionalPrinterColumns", errors);
  check_top_selectable_fields(spec, options, at, errors);
  check_conversion(crd, options, at / "conversion", errors);
}

void check_stored_versions(const Crd& crd, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "status" / "storedVersions";
  const Value* stored = crd.stored_versions();
  if (stored == nullptr || stored->size() == 0) {
    errors.push_back(FieldError::invalid(at, stored != nullptr ? *stored : Value(),
                                         "must have at least one stored version"));
    return;
  }
  const auto items = stored->items();
  std::unordered_map<std::string_view, std::size_t> last;  // where each name stands last
  for (std::size_t i = 0; i < items.size(); ++i) last[items[i].as_string()] = i;
  for (const Version& version : crd.versions()) {
    if (version.storage() && !last.contains(version.name())) {
      errors.push_back(FieldError::invalid(
          at, *stored, fmt::format("must have the storage version {}", version.name())));
    }
  }
  const VersionIndex versions(crd);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string_view name = items[i].as_string();
    // The server keeps stored versions in a map by name, so of a repeated name only the last place
    // is reported.
    if (last[name] != i || versions.find(name) != nullptr) continue;
    errors.push_back(
        FieldError::invalid(at / i, items[i],
                            fmt::format("missing from spec.versions; {0} was previously a storage "
                                        "version, and must remain in spec.versions "
                                        "until a storage migration ensures no data remains "
                                        "persisted in {0} and removes {0} from "
                                        "status.storedVersions",
                                        name)));
  }
}

enum class Approval : std::uint8_t { kInvalid, kApproved, kBypassed, kMissing };

// An absolute URL with a host; the API asks no more of it than its parser does.
bool is_absolute_url(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto is_alpha = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const std::string_view scheme = text.substr(0, colon);
  if (!is_alpha(scheme[0]) || !std::all_of(scheme.begin(), scheme.end(), [&](char c) {
        return is_alpha(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      })) {
    return false;
  }
  const std::string_view rest = text.substr(colon + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  const std::size_t user = authority.rfind('@');
  const std::string_view host =
      user == std::string_view::npos ? authority : authority.substr(user + 1);
  return !host.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
  }) && host.find_first_of("\"<>^`{|}\\#") == std::string_view::npos;
}

Approval approval_of(const Crd& crd) {
  const std::string_view text = crd.metadata().annotation(kApprovalAnnotation);
  if (text.empty()) return Approval::kMissing;
  if (text.starts_with("unapproved")) return Approval::kBypassed;
  return is_absolute_url(text) ? Approval::kApproved : Approval::kInvalid;
}

bool is_protected_group(std::string_view group) {
  for (const std::string_view owned : {"k8s.io", "kubernetes.io"}) {
    if (group == owned) return true;
    if (group.ends_with(owned) && group[group.size() - owned.size() - 1] == '.') return true;
  }
  return false;
}

void check_approval(const Crd& crd, const Crd* old, FieldErrors& errors) {
  if (!is_protected_group(crd.group())) return;
  const Approval approval = approval_of(crd);
  if (old != nullptr && approval_of(*old) == approval) return;
  const FieldPath at = (FieldPath() / "metadata" / "annotations").key(kApprovalAnnotation);
  if (approval == Approval::kMissing) {
    errors.push_back(FieldError::required(
        at, fmt::format("protected groups must have approval annotation \"{}\", see "
                        "https://github.com/kubernetes/enhancements/pull/1111",
                        kApprovalAnnotation)));
  } else if (approval == Approval::kInvalid) {
    errors.push_back(FieldError::invalid(
        at, Value::string(crd.metadata().annotation(kApprovalAnnotation)),
        fmt::format("protected groups must have approval annotation \"{}\" with either a URL or a "
                    "reason starting with "
                    "\"unapproved\", see https://github.com/kubernetes/enhancements/pull/1111",
                    kApprovalAnnotation)));
  }
}

void check_preserve_unknown_fields(const Crd& crd, const Crd* old, FieldErrors& errors) {
  if (old != nullptr && old->preserve_unknown_fields()) return;
  if (!crd.preserve_unknown_fields()) return;
  errors.push_back(
      FieldError::invalid(FieldPath() / "spec" / "preserveUnknownFields", Value::boolean(true),
                          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                          "spec.versions[*].schema instead"));
}

void check_immutable(std::string_view now, std::string_view before, const FieldPath& at,
                     FieldErrors& errors) {
  if (now != before)
    errors.push_back(FieldError::invalid(at, Value::string(now), "field is immutable"));
}

void check_rest(const Crd& crd, const Crd* old, FieldErrors& errors) {
  check_names(crd.accepted_names(), FieldPath() / "status" / "acceptedNames", errors);
  check_stored_versions(crd, errors);
  check_approval(crd, old, errors);
  check_preserve_unknown_fields(crd, old, errors);
}

// Formats that are not known for the type they stand with.
std::vector<std::string> unrecognized_formats(const Crd& crd) {
  std::vector<std::string> out;
  const auto collect = [&](const Value& schema) {
    SchemaView(schema).any([&](const SchemaView& s) {
      const std::string_view format = s.text("format");
      if (format.empty()) return false;
      const std::string_view type = s.type();
      bool known = false;
      if (type.empty() || type == "string")
        known = schema::string_format(format) != schema::Format::kNone;
      if (type == "integer") known = schema::integer_format(format) != schema::Format::kNone;
      if (type == "number") known = schema::number_format(format) != schema::Format::kNone;
      if (!known) out.emplace_back(format);
      return false;
    });
    return false;
  };
  hoist(crd).any_schema(collect);
  return out;
}

}  // namespace

FieldError invalid_shown(const FieldPath& at, std::string shown, std::string detail) {
  return {.type = FieldError::Type::kInvalid,
          .path = at,
          .shown = std::move(shown),
          .detail = std::move(detail)};
}

FieldError invalid_json(const FieldPath& at, const Value& v, std::string detail) {
  return invalid_shown(at, value::to_json(v), std::move(detail));
}

FieldErrors check_create(const Crd& crd, RuleCompiler* compiler) {
  CheckOptions options;
  options.compiler = compiler;
  const auto name_check = [&](std::string_view name, bool prefix) {
    meta::Messages messages = meta::name_is_dns_subdomain(name, prefix);
    if (name != fmt::format("{}.{}", crd.names().plural, crd.group())) {
      messages.emplace_back("must be spec.names.plural+\".\"+spec.group");
    }
    return messages;
  };
  FieldErrors errors =
      meta::validate_object_meta(crd.metadata(), false, name_check, FieldPath() / "metadata");
  check_spec(crd, std::move(options), errors);
  check_rest(crd, nullptr, errors);
  return errors;
}

FieldErrors check_update(const Crd& crd, const Crd& old, RuleCompiler* compiler) {
  CheckOptions options = update_options(crd, old);
  options.compiler = compiler;
  FieldErrors errors =
      meta::validate_object_meta_update(crd.metadata(), old.metadata(), FieldPath() / "metadata");
  const bool immutable_names = options.require_immutable_names;
  check_spec(crd, std::move(options), errors);
  const FieldPath at = FieldPath() / "spec";
  if (immutable_names) {
    check_immutable(crd.scope(), old.scope(), at / "scope", errors);
    check_immutable(crd.names().kind, old.names().kind, at / "names" / "kind", errors);
  }
  check_immutable(crd.group(), old.group(), at / "group", errors);
  check_immutable(crd.names().plural, old.names().plural, at / "names" / "plural", errors);
  check_rest(crd, &old, errors);
  return errors;
}

FieldErrors check_status_update(const Crd& crd, const Crd& old) {
  FieldErrors errors =
      meta::validate_object_meta_update(crd.metadata(), old.metadata(), FieldPath() / "metadata");
  check_names(crd.accepted_names(), FieldPath() / "status" / "acceptedNames", errors);
  return errors;
}

std::vector<std::string> format_warnings(const Crd& crd, const Crd* old) {
  std::set<std::string> before;
  if (old != nullptr) {
    for (std::string& format : unrecognized_formats(*old)) before.insert(std::move(format));
  }
  std::vector<std::string> out;
  for (const std::string& format : unrecognized_formats(crd)) {
    if (before.contains(format)) continue;
    out.push_back("unrecognized format " + quote(format));
  }
  return out;
}

}  // namespace strake::crd
