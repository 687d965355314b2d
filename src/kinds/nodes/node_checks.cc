#include "kinds/nodes/node_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/ip_address.h"
#include "base/quote.h"
#include "kinds/describe.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/ip_fields.h"
#include "kinds/nodes/taints.h"
#include "kinds/resource_names.h"
#include "meta/names.h"
#include "meta/object_meta.h"
#include "value/json_reader.h"

namespace strake::kinds {

using value::Document;
using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

namespace {

constexpr std::string_view kTaintsAnnotation = "scheduler.alpha.kubernetes.io/taints";
constexpr std::string_view kAvoidAnnotation = "scheduler.alpha.kubernetes.io/preferAvoidPods";
constexpr std::size_t kMostFeatureName = 253;

const FieldPath& at_annotations() {
  static const FieldPath path = FieldPath() / "metadata" / "annotations";
  return path;
}

// The taints in an annotation, which is read without regard to case. The error is in the words of
// Go's encoding/json.
Result<Document> read_taints(std::string_view text) {
  STRAKE_TRY(Document document, value::read_json(text));
  const auto refuse = [](const Value& met, std::string_view wanted) {
    const std::string_view type = met.is_number() ? "number"
                                  : met.is_bool() ? "bool"
                                                  : value::to_string(met.type());
    return fail(Code::kInvalid, "json: cannot unmarshal {} into Go {}", type, wanted);
  };
  if (document.root().is_null()) return document;
  if (!document.root().is_array()) return refuse(document.root(), "value of type []core.Taint");
  for (Value& taint : document.root().mutable_items()) {
    if (!taint.is_object()) return refuse(taint, "value of type core.Taint");
    Value read = Value::object({});
    for (const Member& one : taint.members()) {
      const std::string key = meta::to_lower_ascii(one.key);
      for (const auto& [name, go_name] :
           {std::pair("key", "Key"), std::pair("value", "Value"), std::pair("effect", "Effect")}) {
        if (key != name || one.value.is_null()) continue;
        if (!one.value.is_string())
          return refuse(one.value, fmt::format("struct field Taint.{} of type string", go_name));
        read.set(name, one.value, document.arena());
      }
    }
    taint = read;
  }
  return document;
}

void check_taints_annotation(std::string_view text, FieldErrors& errors) {
  const Result<Document> read = read_taints(text);
  if (!read) {
    errors.push_back(FieldError::invalid(at_annotations(), Value::string(kTaintsAnnotation),
                                         read.error().message()));
    return;
  }
  check_taints(read->root().items(), at_annotations() / kTaintsAnnotation, errors);
}

void check_avoided_pods(std::string_view text, FieldErrors& errors) {
  const Result<Document> read = value::read_json(text);
  if (!read) {
    errors.push_back(FieldError::invalid(at_annotations() / "AvoidPods",
                                         Value::string(kAvoidAnnotation), read.error().message()));
    return;
  }
  const auto entries = items(read->root(), "preferAvoidPods");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const FieldPath at = at_annotations() / kAvoidAnnotation / i / "PodSignature";
    const Value* controller = member(entries[i], {"podSignature", "podController"});
    if (controller == nullptr) {
      errors.push_back(FieldError::required(at));
    } else if (!value::flag_of(*controller, "controller")) {
      errors.push_back(FieldError::invalid(at / "PodController" / "Controller",
                                           Value::boolean(false), "must point to a controller"));
    }
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "MyFeature/mySubFeature"
bool is_feature_name(std::string_view name) {
  if (name.empty() || name.front() < 'A' || name.front() > 'Z') return false;
  char before = '/';
  for (const char c : name) {
    const bool fits =
        before == '/' ? is_letter(c) : is_letter(c) || (c >= '0' && c <= '9') || c == '/';
    if (!fits) return false;
    before = c;
  }
  return before != '/';
}

// Empty when it is good.
std::string feature_name_fault(std::string_view name) {
  if (name.size() > kMostFeatureName) {
    return fmt::format("invalid feature name {}: must be no more than {} characters", quote(name),
                       kMostFeatureName);
  }
  if (is_feature_name(name)) return {};
  return fmt::format(
      "invalid feature name {}: must start with an UpperCamelCase segment, with subsequent "
      "segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only "
      "alphanumeric characters and slashes",
      quote(name));
}

// Why the networks cannot be compared, in Go's words; empty when they can.
std::string network_fault(std::span<const Value> networks) {
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const std::string_view text = value::text_of(networks[i]);
    if (!parse_ip_prefix_sloppily(text)) {
      return fmt::format(
          "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[{}]: <nil> "
          "(invalid CIDR address: {})",
          i, text);
    }
  }
  return {};
}

bool is_v4(const Value& network) {
  const auto prefix = parse_ip_prefix_sloppily(value::text_of(network));
  return prefix && prefix->address.unmapped().v4;
}

}  // namespace

void check_node_annotations(const Value& node, FieldErrors& errors) {
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(node);
  if (const std::string_view taints = metadata.annotation(kTaintsAnnotation); !taints.empty())
    check_taints_annotation(taints, errors);
  if (const std::string_view avoided = metadata.annotation(kAvoidAnnotation); !avoided.empty())
    check_avoided_pods(avoided, errors);
}

void check_node_amounts(const Value& node, FieldErrors& errors) {
  const Value* status = member(node, "status");
  if (status == nullptr) return;
  for (const std::string_view key : {"capacity", "allocatable"}) {
    for (const Member& one : members(*status, key))
      check_resource_amount(one.key, one.value, FieldPath() / "status" / key / one.key, errors);
  }
}

void check_declared_features(const Value& node, FieldErrors& errors) {
  const auto features = items(node.get("status"), "declaredFeatures");
  const FieldPath at = FieldPath() / "status" / "declaredFeatures";
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::string_view name = value::text_of(features[i]);
    if (std::string fault = feature_name_fault(name); !fault.empty())
      errors.push_back(FieldError::invalid(at / i, features[i], std::move(fault)));
    if (i == 0) continue;
    const std::string_view before = value::text_of(features[i - 1]);
    if (before == name) {
      errors.push_back(FieldError::duplicate(at / i, features[i]));
    } else if (before > name) {
      errors.push_back(
          FieldError::invalid(at / i, features[i], "list must be sorted alphabetically"));
    }
  }
}

void check_pod_networks(const Value& node, FieldErrors& errors) {
  const Value& list = node.get("spec").get("podCIDRs");
  const auto networks = list.items();
  const FieldPath at = FieldPath() / "spec" / "podCIDRs";
  for (std::size_t i = 0; i < networks.size(); ++i)
    check_cidr(value::text_of(networks[i]), at / i, errors);
  if (networks.size() < 2) return;
  std::string fault = network_fault(networks);
  const bool comparable = fault.empty();
  if (!comparable) errors.push_back(FieldError::internal(at, std::move(fault)));
  if (!comparable || networks.size() > 2 || is_v4(networks[0]) == is_v4(networks[1])) {
    errors.push_back(
        FieldError::invalid(at, list, "may specify no more than one CIDR for each IP family"));
  }
}

void check_addresses(const Value& node, FieldErrors& errors) {
  const Type& type = described_type("io.k8s.api.core.v1.NodeAddress");
  const auto addresses = items(node.get("status"), "addresses");
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const Value& one = addresses[i];
    if (seen.emplace(text_of(one, "type"), text_of(one, "address")).second) continue;
    errors.push_back({.type = FieldError::Type::kDuplicate,
                      .path = FieldPath() / "status" / "addresses" / i,
                      .shown = show_go_struct(&one, type),
                      .detail = {}});
  }
}

}  // namespace strake::kinds
