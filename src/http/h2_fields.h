#pragma once
// What both ends of HTTP/2 need to speak with nghttp2. Internal to http.
#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <string_view>

namespace strake::http {

// What one stream may hold that nobody has read yet.
inline constexpr std::uint32_t kStreamWindow = 256 * 1024;

inline std::string_view view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// nghttp2 copies both, and makes the name lower case; its interface is older than const.
inline nghttp2_nv name_value(std::string_view name, std::string_view value) {
  return {const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(name.data())),
          const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(value.data())),
          name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

}  // namespace strake::http
