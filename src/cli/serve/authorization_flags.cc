#include "cli/serve/authorization_flags.h"

#include <algorithm>

#include "cli/serve/flag_values.h"

namespace strake::cli {

Result<> read_authorization(const Arguments& args, server::Options& out) {
  constexpr std::string_view kOthers[] = {
      "authorization-mode", "authorization-webhook-config-file", "authorization-webhook-version",
      "authorization-webhook-cache-authorized-ttl", "authorization-webhook-cache-unauthorized-ttl"};
  out.authorization_config_file = args.text("authorization-config");
  if (!out.authorization_config_file.empty() &&
      std::ranges::any_of(kOthers, [&](std::string_view one) { return args.given(one); }))
    return fail(Code::kUsage,
                "--authorization-config can not be specified when --authorization-mode or "
                "--authorization-webhook-* flags are defined");
  auth::AuthorizationFlags& flags = out.authorization;
  flags.modes = read_list(args, "authorization-mode");
  flags.webhook_config_file = args.text("authorization-webhook-config-file");
  flags.webhook_version = args.text("authorization-webhook-version");
  STRAKE_TRY(flags.authorized_ttl, parse_time(args, "authorization-webhook-cache-authorized-ttl"));
  STRAKE_TRY(flags.unauthorized_ttl,
             parse_time(args, "authorization-webhook-cache-unauthorized-ttl"));
  return {};
}

}  // namespace strake::cli
