#pragma once
// What making something so took.
#include <cstdint>
#include <string_view>

namespace strake::kube {

enum class Ensured : std::uint8_t {
  kUnchanged,  // it was so already: nothing was written
  kCreated,
  kUpdated,
};

constexpr std::string_view to_string(Ensured one) {
  switch (one) {
    case Ensured::kCreated: return "created";
    case Ensured::kUpdated: return "updated";
    case Ensured::kUnchanged: break;
  }
  return "unchanged";
}

}  // namespace strake::kube
