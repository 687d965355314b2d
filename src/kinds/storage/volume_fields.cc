#include "kinds/storage/volume_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kAlone = "ReadWriteOncePod";

struct AccessMode {
  std::string_view name;
  std::string_view short_name;
};
// In the order in which tables show them.
constexpr AccessMode kAccessModes[] = {
    {"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {kAlone, "RWOP"}};

}  // namespace

void check_access_modes(const Value& spec, std::string missing, const FieldPath& at,
                        FieldErrors& errors) {
  const auto modes = items(spec, "accessModes");
  const FieldPath here = at / "accessModes";
  if (modes.empty()) errors.push_back(FieldError::required(here, std::move(missing)));
  bool alone = false;
  bool shared = false;
  for (const Value& one : modes) {
    const std::string_view mode = value::text_of(one);
    check_text_is_one_of(mode, {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", kAlone}, here,
                         errors);
    if (std::ranges::find(kAccessModes, mode, &AccessMode::name) == std::end(kAccessModes))
      continue;
    (mode == kAlone ? alone : shared) = true;
  }
  if (alone && shared) {
    errors.push_back(
        FieldError::forbidden(here, "may not use ReadWriteOncePod with other access modes"));
  }
}

void check_volume_mode(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  check_one_of(spec, "volumeMode", {"Block", kFilesystem}, at, errors);
}

void check_class_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  add_messages(meta::check_dns1123_subdomain(name), name, at, errors);
}

bool check_driver_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 63;
  if (name.empty()) {
    errors.push_back(FieldError::required(at));
    return false;
  }
  if (name.size() > kMostBytes) errors.push_back(FieldError::too_long(at, kMostBytes));
  const meta::Messages wrong = meta::check_dns1123_subdomain(meta::to_lower_ascii(name));
  add_messages(wrong, name, at, errors);
  return wrong.empty() && name.size() <= kMostBytes;
}

const Value* storage_class_of(const Value& object) {
  if (const Value* annotated = member(object, {"metadata", "annotations", kBetaClassAnnotation}))
    return annotated;
  return member(object, {"spec", "storageClassName"});
}

void warn_of_class_annotation(const Value& object, std::vector<std::string>& warnings) {
  if (member(object, {"metadata", "annotations", kBetaClassAnnotation}) == nullptr) return;
  warnings.push_back(
      fmt::format(R"(metadata.annotations[{}]: deprecated since v1.8; use "storageClassName" )"
                  "attribute instead",
                  kBetaClassAnnotation));
}

std::string short_access_modes(std::span<const Value> modes) {
  std::string out;
  for (const AccessMode& known : kAccessModes) {
    for (const Value& one : modes) {
      if (value::text_of(one) != known.name) continue;
      if (!out.empty()) out += ',';
      out += known.short_name;
      break;
    }
  }
  return out;
}

}  // namespace strake::kinds
