#include "cli/serve/front_proxy_flags.h"

#include <algorithm>

#include "cli/serve/flag_values.h"

namespace strake::cli {

Result<> read_front_proxy(const Arguments& args, server::Options& out) {
  out.requestheader_client_ca_file = args.text("requestheader-client-ca-file");
  const std::pair<std::string_view, std::vector<std::string>*> lists[] = {
      {"requestheader-allowed-names", &out.front_proxy.allowed_names},
      {"requestheader-username-headers", &out.front_proxy.username_headers},
      {"requestheader-group-headers", &out.front_proxy.group_headers},
      {"requestheader-uid-headers", &out.front_proxy.uid_headers},
      {"requestheader-extra-headers-prefix", &out.front_proxy.extra_prefixes},
  };
  for (const auto& [flag, list] : lists) {
    if (args.given(flag)) *list = read_list(args, flag);
  }
  const auto is_standard = [](const std::string& one) {
    return http::equals_ignoring_case(one, "X-Remote-Uid");
  };
  if (!out.front_proxy.uid_headers.empty() &&
      std::ranges::none_of(out.front_proxy.uid_headers, is_standard))
    return fail(Code::kUsage, "--requestheader-uid-headers must include X-Remote-Uid");
  return {};
}

}  // namespace strake::cli
