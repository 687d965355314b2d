#pragma once
// What a caller is shown of the API, where that is not everything: an extension server shows those
// whom its main server has sent the groups that it is there for, and its own administrators all.
#include <string_view>

#include "http/message.h"

namespace strake::api {

class Exposure {
 public:
  virtual ~Exposure() = default;
  // Whether whoever sent this sees everything that is served. From any thread, and quick.
  virtual bool is_whole(const http::Request& request) const = 0;
  // Whether all others see this group; "" is that of /api.
  virtual bool shows(std::string_view group) const = 0;
};

}  // namespace strake::api
