#include "kinds/custom_resource_strategy.h"

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/resource.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"
#include "resource/settle.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using meta::ObjectMeta;
using resource::Verdict;
using value::Value;

// ".spec.color" as it is written in the CRD, or "spec.color" as a selector names it.
std::string_view without_dot(std::string_view path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  return path;
}

}  // namespace

const Wire& CustomResourceStrategy::wire() const {
  static constexpr Wire kWire{.always_continue = true, .many_versions = true};
  return kWire;
}

Result<> CustomResourceStrategy::decode(Value& object, Arena& arena, const ServedVersion& version,
                                        const DecodeOptions& options) const {
  STRAKE_TRY(const resource::Kind* kind, version.kind());
  return resource::settle(object, *kind, arena, options.unknown);
}

void CustomResourceStrategy::prepare_create(Value& object, Arena&,
                                            const WriteRequest& request) const {
  resource::prepare_create(object, request.version.has_status());
}

Result<Verdict> CustomResourceStrategy::check_create(const Value& object,
                                                     const WriteRequest& request) const {
  STRAKE_TRY(const resource::Kind* kind, request.version.kind());
  return resource::validate_create(object, *kind, rules_);
}

void CustomResourceStrategy::prepare_update(Value& object, const Value& old, Arena& arena,
                                            const WriteRequest& request) const {
  resource::prepare_update(object, old, request.version.has_status(), arena);
}

Result<Verdict> CustomResourceStrategy::check_update(const Value& object, const Value& old,
                                                     const WriteRequest& request) const {
  STRAKE_TRY(const resource::Kind* kind, request.version.kind());
  return resource::validate_update(object, old, *kind, rules_);
}

void CustomResourceStrategy::prepare_status(Value& object, const Value& old, Arena& arena,
                                            const WriteRequest&) const {
  resource::prepare_status(object, old, arena);
}

Result<Verdict> CustomResourceStrategy::check_status(const Value& object, const Value& old,
                                                     const WriteRequest& request) const {
  STRAKE_TRY(const resource::Kind* kind, request.version.kind());
  return resource::validate_status_update(object, old, *kind, rules_);
}

Result<Verdict> CustomResourceStrategy::check_other(const Value& object, const Value& old,
                                                    const WriteRequest& request) const {
  return check_update(object, old, request);
}

meta::GroupKind CustomResourceStrategy::refused_as(const Value& object, const WriteRequest&) const {
  return meta::from_api_version_and_kind(text_of(object, "apiVersion"), text_of(object, "kind"))
      .group_kind();
}

std::vector<std::string> CustomResourceStrategy::warnings(const Value& object,
                                                          const Value* old) const {
  return meta::finalizer_warnings(ObjectMeta::of(object),
                                  ObjectMeta(old != nullptr ? old->find("metadata") : nullptr));
}

bool CustomResourceStrategy::offers_field(std::string_view label,
                                          const ServedVersion& version) const {
  return std::ranges::any_of(version.selectable_fields,
                             [label](std::string_view path) { return without_dot(path) == label; });
}

std::string CustomResourceStrategy::field(const Value& object, std::string_view label) const {
  const Value* at = &object;
  std::string_view path = without_dot(label);
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  if (at == nullptr || at->is_null()) return {};
  return at->is_string() ? std::string(at->as_string()) : value::to_json(*at);
}

}  // namespace strake::kinds
