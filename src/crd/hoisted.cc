#include "crd/hoisted.h"

// kube-apiserver converts apiextensions.k8s.io/v1 to its internal form before it validates. There a
// part that is the same in all versions stands at spec level and in no version. Field paths of
// errors name that place (spec.validation.openAPIV3Schema...), though no v1 document can have it.

namespace strake::crd {
namespace {

using value::Value;

const Value* schema_in(const Value* holder) {
  return holder != nullptr ? holder->find("openAPIV3Schema") : nullptr;
}

// Moves a part to the top when it is the same in all versions.
void hoist_part(HoistedSpec& spec, const Value* HoistedVersion::* part,
                const Value* HoistedSpec::* top) {
  // All or nothing: absent in one version and present in another counts as different.
  const Value* first = spec.versions.front().*part;
  for (const HoistedVersion& one : spec.versions) {
    if (!is_same_part(first, one.*part)) return;
  }
  spec.*top = first;
  for (HoistedVersion& one : spec.versions) one.*part = nullptr;
}

}  // namespace

bool is_same_part(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a == b || value::identical(*a, *b);
}

const Value* HoistedVersion::schema() const { return schema_in(schema_holder); }
const Value* HoistedSpec::schema() const { return schema_in(schema_holder); }

HoistedSpec hoist(const Crd& crd) {
  HoistedSpec out;
  out.crd = &crd;
  for (const Version& version : crd.versions()) {
    out.versions.push_back({.version = &version,
                            .schema_holder = version.schema_holder(),
                            .subresources = version.subresources(),
                            .printer_columns = version.printer_columns(),
                            .selectable_fields = version.selectable_fields()});
  }
  if (out.versions.empty()) return out;
  hoist_part(out, &HoistedVersion::schema_holder, &HoistedSpec::schema_holder);
  hoist_part(out, &HoistedVersion::subresources, &HoistedSpec::subresources);
  hoist_part(out, &HoistedVersion::printer_columns, &HoistedSpec::printer_columns);
  hoist_part(out, &HoistedVersion::selectable_fields, &HoistedSpec::selectable_fields);
  return out;
}

}  // namespace strake::crd
