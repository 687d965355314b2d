#include "cli/serve/operate_controllers.h"

#include <optional>

#include "cli/cluster/driver_environment.h"
#include "cli/serve/flag_values.h"
#include "kube/access.h"

namespace strake::cli {

bool take_operate(std::vector<std::string>& controllers) {
  std::optional<bool> on;
  std::erase_if(controllers, [&on](const std::string& one) {
    if (one != kOperate && one != "-operate") return false;
    if (!on) on = one == kOperate;
    return true;
  });
  return on.value_or(false);
}

Result<OperateChoice> read_operate(const Arguments& args) {
  OperateChoice out;
  std::vector<std::string> names = read_list(args, "controllers");
  out.on = take_operate(names);
  if (!out.on && args.given("operate-look-again"))
    return fail(Code::kUsage, "--operate-look-again needs --controllers operate");
  STRAKE_TRY(out.look_again, parse_time(args, "operate-look-again"));
  if (out.on && out.look_again < std::chrono::seconds(1))
    return fail(Code::kUsage, "--operate-look-again must be at least 1s");
  return out;
}

Result<std::unique_ptr<OperateBeside>> OperateBeside::start(const server::Server& server,
                                                            const OperateChoice& choice,
                                                            const Io& io) {
  auto out = std::unique_ptr<OperateBeside>(new OperateBeside());
  out->environment_ = driver_environment(io.environment());
  ops::OperateOptions options;
  STRAKE_TRY(options.term.server, kube::access_of_kubeconfig(Secret(server.kubeconfig())));
  options.term.drivers = &provider::Registry::global();
  options.term.environment = &out->environment_;
  options.term.look_again = choice.look_again;
  out->controllers_ = std::make_unique<ops::OperateControllers>(std::move(options));
  return out;
}

}  // namespace strake::cli
