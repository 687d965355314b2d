#include "kinds/builtin_strategy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/resource.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using meta::ObjectMeta;
using resource::Verdict;
using value::FieldErrors;
using value::Value;

const FieldPath& at_metadata() {
  static const FieldPath path = FieldPath() / "metadata";
  return path;
}

// In kube-apiserver 1.36 kinds of these groups share a check of metadata that knows which
// finalizers there are; the others have the one for all objects.
bool knows_finalizers(const meta::GroupKind& kind) {
  return (kind.group.empty() && kind.kind != "Event") || kind.group == "apps" ||
         kind.group == "batch" || kind.group == "autoscaling" ||
         kind.group == "rbac.authorization.k8s.io" || kind.group == "certificates.k8s.io" ||
         kind.group == "networking.k8s.io" || kind.group == "scheduling.k8s.io" ||
         kind.group == "discovery.k8s.io" || kind.group == "flowcontrol.apiserver.k8s.io" ||
         kind.group == "storage.k8s.io" || kind.group == "storagemigration.k8s.io";
}

}  // namespace

BuiltinStrategy::BuiltinStrategy(std::string_view full_type_name)
    : BuiltinStrategy(full_type_name, shape_of(described_type(full_type_name))) {}

BuiltinStrategy::BuiltinStrategy(std::string_view full_type_name, const meta::Shape& shape)
    : kind_{std::string(described_type(full_type_name).group),
            std::string(described_type(full_type_name).name)},
      merge_{merge_fields_of(described_type(full_type_name)), shape} {
  zero_.root() = Value::object({});
  static_cast<void>(meta::read_shape(zero_.root(), shape, zero_.arena()));
}

const Wire& BuiltinStrategy::wire() const {
  static constexpr Wire kWire{
      .typed = true, .protobuf = true, .in_text_order = true, .bare_items = true};
  return kWire;
}

Result<> BuiltinStrategy::decode(Value& object, Arena& arena, const ServedVersion&,
                                 const DecodeOptions& options) const {
  STRAKE_CHECK(meta::read_shape(object, shape(), arena,
                                {.from_text = options.from_text, .unknown = options.unknown}));
  apply_defaults(object, arena);
  return {};
}

meta::GroupKind BuiltinStrategy::refused_as(const Value&, const WriteRequest&) const {
  return kind_;
}

meta::Messages BuiltinStrategy::check_name(std::string_view name, bool prefix) const {
  return meta::name_is_dns_subdomain(name, prefix);
}

FieldErrors BuiltinStrategy::validate_update(const Value& object, const Value&,
                                             const WriteRequest& request) const {
  return validate_create(object, request);
}

Result<Verdict> BuiltinStrategy::check_create(const Value& object,
                                              const WriteRequest& request) const {
  Verdict out;
  out.errors = meta::validate_object_meta(
      ObjectMeta::of(object), request.resource.namespaced,
      [this](std::string_view name, bool prefix) { return check_name(name, prefix); },
      at_metadata());
  if (knows_finalizers(kind_)) check_finalizer_names(object, out.errors);
  out.errors.append(validate_create(object, request));
  return out;
}

Result<Verdict> BuiltinStrategy::check_change(const Value& object, const Value& old,
                                              FieldErrors found) const {
  Verdict out;
  // kube-apiserver 1.36 checks metadata twice, once for all kinds and once in each: so do the
  // causes of its answer.
  for (int i = 0; i < 2; ++i) {
    out.errors.append(meta::validate_object_meta_update(ObjectMeta::of(object), ObjectMeta::of(old),
                                                        at_metadata()));
  }
  if (knows_finalizers(kind_)) check_finalizer_names(object, out.errors);
  out.errors.append(std::move(found));
  return out;
}

Result<Verdict> BuiltinStrategy::check_update(const Value& object, const Value& old,
                                              const WriteRequest& request) const {
  return check_change(object, old, validate_update(object, old, request));
}

Result<Verdict> BuiltinStrategy::check_status(const Value& object, const Value& old,
                                              const WriteRequest& request) const {
  return check_change(object, old, validate_status(object, old, request));
}

Result<Verdict> BuiltinStrategy::check_other(const Value& object, const Value& old,
                                             const WriteRequest& request) const {
  return check_change(object, old, validate_other(object, old, request));
}

void BuiltinStrategy::prepare_status(Value& object, const Value& old, Arena& arena,
                                     const WriteRequest&) const {
  keep_member(object, old, "spec", arena);
}

bool BuiltinStrategy::offers_field(std::string_view label, const ServedVersion&) const {
  return std::ranges::find(field_labels(), label) != field_labels().end();
}

// kube-apiserver 1.36 has two texts: one of kinds with labels of their own, one of all others.
std::string BuiltinStrategy::unknown_field(std::string_view label) const {
  if (!field_labels().empty()) return Strategy::unknown_field(label);
  return fmt::format(
      "{} is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
      quote(label));
}

void StatusStrategy::prepare_create(Value& object, Arena& arena, const WriteRequest&) const {
  object.set("status", value::deep_copy(zero()->get("status"), arena), arena);
}

void StatusStrategy::prepare_update(Value& object, const Value& old, Arena& arena,
                                    const WriteRequest&) const {
  keep_member(object, old, "status", arena);
}

void StatusStrategy::prepare_status(Value& object, const Value& old, Arena& arena,
                                    const WriteRequest& request) const {
  if (keeps_ == Keeps::kMetadata) {
    keep_spec_and_metadata(object, old, arena);
  } else {
    BuiltinStrategy::prepare_status(object, old, arena, request);
  }
}

Result<Verdict> ReviewStrategy::check_create(const Value& object,
                                             const WriteRequest& request) const {
  return Verdict{.errors = validate_create(object, request), .warnings = {}};
}

}  // namespace strake::kinds
