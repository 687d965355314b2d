#pragma once
// Paths that everyone may ask for, whoever decides about the rest: "/healthz", "/public/*". As
// --authorization-always-allow-paths of Kubernetes' extension servers has them. Pure.
#include <string>
#include <vector>

#include "api/request/request_info.h"
#include "base/result.h"

namespace strake::auth {

class AllowedPaths {
 public:
  AllowedPaths() = default;
  // A star stands at the end, for every path that begins so. Fails with kInvalid when it stands
  // anywhere else.
  static Result<AllowedPaths> parse(const std::vector<std::string>& paths);
  // Never a resource.
  bool allow(const api::RequestInfo& request) const;

 private:
  std::vector<std::string> whole_;     // without the slash that they begin with
  std::vector<std::string> prefixes_;  // likewise, without the star
};

}  // namespace strake::auth
