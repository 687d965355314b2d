#pragma once
// Which keys of a Compose service have an effect here.
#include <cstdint>
#include <span>
#include <string_view>

namespace strake::ops::compose {

enum class KeyEffect : std::uint8_t {
  kRead,     // it is converted
  kSilent,   // it has no effect, and none is missed: all containers share one pod that is restarted
  kWarned,   // it has no effect, and would change how the container runs
  kRefused,  // without it the service would be another one
};

struct ServiceKey {
  std::string_view name;
  KeyEffect effect;
  std::string_view hint;  // what to do instead; may be empty
};

std::span<const ServiceKey> service_keys();
const ServiceKey* find_service_key(std::string_view name);  // null when there is none
std::span<const std::string_view> service_key_names();

}  // namespace strake::ops::compose
