#include "api/request/proxy_name.h"

#include <fmt/format.h>

#include <vector>

#include "base/quote.h"

namespace strake::api {

Answer<ProxyName> parse_proxy_name(std::string_view id, std::string_view what) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = id;;) {
    const std::size_t colon = rest.find(':');
    parts.push_back(rest.substr(0, colon));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  const bool has_scheme = parts.size() == 3;
  const std::string_view scheme = has_scheme ? parts[0] : "";
  const std::string_view name = parts[has_scheme ? 1 : 0];
  const bool fine = parts.size() <= 3 && !name.empty() &&
                    (scheme.empty() || scheme == "http" || scheme == "https");
  if (!fine)
    return refuse(meta::Status::bad_request(fmt::format("invalid {} request {}", what, quote(id))));
  return ProxyName{.scheme = std::string(scheme),
                   .name = std::string(name),
                   .port = std::string(parts.size() > 1 ? parts.back() : "")};
}

}  // namespace strake::api
