#pragma once
// `serve --controllers operate`: the controllers of operations run beside the server, over its own
// API, as its administrator.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"
#include "cli/io/io.h"
#include "ops/controllers/operate.h"
#include "provider/registry.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr std::string_view kOperate = "operate";

// Takes "operate" and "-operate" out of the names of --controllers, and tells whether it is on, by
// the first that is there. It is no controller of the API, so `*` does not stand for it; and where
// nothing else is named, the others are as without the flag.
bool take_operate(std::vector<std::string>& controllers);

struct OperateChoice {
  bool on = false;
  std::chrono::nanoseconds look_again{0};
};
// Fails with kUsage.
Result<OperateChoice> read_operate(const Arguments& args);

// Runs until it is stopped; the server must still be there then.
class OperateBeside {
 public:
  // Fails when the server's own kubeconfig cannot be used.
  static Result<std::unique_ptr<OperateBeside>> start(const server::Server& server,
                                                      const OperateChoice& choice, const Io& io);
  void stop() { controllers_->stop(); }

 private:
  OperateBeside() = default;

  provider::DriverEnvironment environment_;
  std::unique_ptr<ops::OperateControllers> controllers_;
};

}  // namespace strake::cli
