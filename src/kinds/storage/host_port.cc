#include "kinds/storage/host_port.h"

#include <cstddef>

namespace strake::kinds {

bool is_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::size_t host_begin = 0;
  std::size_t host_end = colon;
  if (text.starts_with('[')) {
    host_begin = 1;
    host_end = text.find(']');
    if (host_end == std::string_view::npos || host_end + 1 != colon) return false;
  } else if (text.substr(0, colon).contains(':')) {
    return false;
  }
  const std::size_t behind_host = host_begin == 1 ? host_end + 1 : 0;
  return !text.substr(host_begin).contains('[') && !text.substr(behind_host).contains(']');
}

}  // namespace strake::kinds
