#include "ops/compose/volumes.h"

#include <algorithm>

#include "base/trim.h"
#include "provider/names/sizes.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

constexpr std::string_view kDefaultAccessMode = "ReadWriteOnce";
constexpr std::string_view kFsTypeAttribute = "fsType";

Outcome<> one_of(std::string_view volume, std::string_view field, std::string_view text,
                 std::initializer_list<std::string_view> known) {
  if (std::ranges::find(known, text) == known.end())
    return refuse(FailureClass::kValidation, "the class of volume {} has the unknown {} \"{}\"",
                  volume, field, text);
  return {};
}

Outcome<BoundVolume> bind(const Plan& plan, const provider::AppVolume& volume,
                          const VolumeBinding& binding) {
  const provider::VolumeClass& given = binding.volume_class;
  // Not trimmed further: the hash in the claim's name is that of the handle as it is listed.
  if (trim(binding.disk.handle).empty())
    return refuse(FailureClass::kValidation, "volume {} has no handle in its binding", volume.name);
  if (trim(given.csi_driver).empty())
    return refuse(FailureClass::kValidation, "no CSI driver for volume {}", volume.name);
  const std::int64_t size = binding.disk.size > 0 ? binding.disk.size : volume.size;
  if (size <= 0)
    return refuse(FailureClass::kValidation, "volume {} and its disk have no size", volume.name);
  BoundVolume out{.volume = volume.name,
                  .claim = plan.names.volume_name(volume.name, binding.disk.handle),
                  .handle = binding.disk.handle,
                  .quantity = provider::size_quantity(size),
                  .volume_class = given,
                  .attributes = {}};
  if (out.volume_class.access_modes.empty())
    out.volume_class.access_modes = {std::string(kDefaultAccessMode)};
  for (const std::string& mode : out.volume_class.access_modes)
    STRAKE_CHECK(one_of(volume.name, "access mode", mode,
                        {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"}));
  if (out.volume_class.reclaim_policy.empty()) out.volume_class.reclaim_policy = "Retain";
  STRAKE_CHECK(
      one_of(volume.name, "reclaim policy", out.volume_class.reclaim_policy, {"Retain", "Delete"}));
  if (!given.volume_mode.empty())
    STRAKE_CHECK(one_of(volume.name, "volume mode", given.volume_mode, {"Filesystem", "Block"}));
  for (const auto& [name, text] : given.attributes) {
    if (!text.empty()) out.attributes.emplace(name, text);
  }
  if (!given.fs_type.empty())
    out.attributes.insert_or_assign(std::string(kFsTypeAttribute), given.fs_type);
  return out;
}

}  // namespace

Outcome<std::vector<BoundVolume>> bind_volumes(const Plan& plan,
                                               std::span<const VolumeBinding> bindings) {
  if (bindings.size() != plan.app_volumes.size())
    return refuse(FailureClass::kValidation,
                  "volume bindings count {} does not match app volumes {}", bindings.size(),
                  plan.app_volumes.size());
  std::vector<BoundVolume> out;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (bindings[i].volume != plan.app_volumes[i].name)
      return refuse(FailureClass::kValidation, "volume binding at index {} is for {}; expected {}",
                    i, bindings[i].volume, plan.app_volumes[i].name);
    STRAKE_TRY(BoundVolume one, bind(plan, plan.app_volumes[i], bindings[i]));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace strake::ops::compose
