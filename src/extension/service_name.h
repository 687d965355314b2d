#pragma once
// The service that leads to an extension server.
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::extension {

struct ServiceName {
  std::string namespace_name;
  std::string name;
  // "NAMESPACE/NAME". Fails with kInvalid.
  static Result<ServiceName> parse(std::string_view text);
  std::string to_string() const;  // the same
  std::string host() const;       // whom the serving certificate must name
};

}  // namespace strake::extension
