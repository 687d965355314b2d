#pragma once
// The answers of /healthz, /livez and /readyz, each check by name.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace strake::api {

class Health {
 public:
  struct Check {
    std::string name;
    std::function<Result<>()> run;
    // Shown by /readyz alone, and never a reason to fail.
    bool for_information = false;
  };
  void add(Check check) { checks_.push_back(std::move(check)); }

  // "/readyz", and "/readyz/etcd" for one check.
  static bool is_health_path(std::string_view path);
  // Nothing when the path is none of them, or names a check that is not there.
  std::optional<http::Response> serve(std::string_view path, const http::Query& query) const;

 private:
  std::vector<Check> checks_;
};

}  // namespace strake::api
