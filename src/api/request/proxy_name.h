#pragma once
// What the path of a request that is sent on names: "https:web:443".
#include <string>
#include <string_view>

#include "api/request/answer.h"

namespace strake::api {

struct ProxyName {
  std::string scheme;  // "http", "https" or empty
  std::string name;
  std::string port;  // a number or a name; empty when it is not said
};

// [scheme:]name[:port]. Refuses what is nothing of this form: "invalid <what> request ...".
Answer<ProxyName> parse_proxy_name(std::string_view id, std::string_view what);

}  // namespace strake::api
