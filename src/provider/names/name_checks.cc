#include "provider/names/name_checks.h"

#include "meta/names.h"

namespace strake::provider {
namespace {

Outcome<> check_short_name(std::string_view kind, std::string_view name, std::size_t most) {
  if (name.empty()) return refuse(FailureClass::kValidation, "{} name must not be empty", kind);
  if (name.size() > most)
    return refuse(FailureClass::kValidation, "{} name exceeds {} characters", kind, most);
  if (const auto wrong = meta::check_dns1123_label(name); !wrong.empty())
    return refuse(FailureClass::kValidation, "invalid {} name: {}", kind, meta::join(wrong));
  return {};
}

}  // namespace

Outcome<> check_volume_name(std::string_view name) {
  return check_short_name("volume", name, kMaxVolumeName);
}

Outcome<> check_disk_name(std::string_view name) {
  return check_short_name("disk", name, kMaxDiskName);
}

Outcome<> check_snapshot_name(std::string_view name) {
  return check_short_name("snapshot", name, kMaxSnapshotName);
}

}  // namespace strake::provider
