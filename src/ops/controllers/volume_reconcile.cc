#include "ops/controllers/volume_reconcile.h"

#include <tuple>

#include "base/quantity.h"
#include "base/rfc3339.h"
#include "value/fields.h"

namespace strake::ops {

std::string provider_name_of(const DeclaredObject& object) {
  const bool is_disk = object.key.kind == OperatedKind::kDisk;
  const std::string_view given =
      value::text_of(object.spec(), is_disk ? "diskName" : "snapshotName");
  return given.empty() ? object.key.name : std::string(given);
}

DeclaredPtr first_of_name(const DeclaredObjects& from, const DeclaredObject& object) {
  DeclaredPtr out;
  for (const DeclaredPtr& one :
       from.of_volume(object.key.kind, object.key.namespace_name, object.app_name(),
                      value::text_of(object.spec(), "volumeName"))) {
    if (one->key == object.key || provider_name_of(*one) != provider_name_of(object)) continue;
    if (std::tie(one->created, one->key) < std::tie(object.created, object.key)) out = one;
  }
  return out;
}

std::string exact_size(std::int64_t bytes) {
  return Quantity(bytes, Quantity::Format::kBinarySi).to_string();
}

std::string api_time(WallTime time) { return format_rfc3339(Instant::from(time)); }

}  // namespace strake::ops
