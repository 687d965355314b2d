#include "api/filters/request_log.h"

#include <algorithm>

#include "base/log.h"

namespace strake::api {
namespace {

// Longer text of a client is cut: a line has a limit.
constexpr std::size_t kMostText = 256;
constexpr std::size_t kMostPath = 1024;

std::string_view cut(std::string_view text, std::size_t most = kMostText) {
  return text.substr(0, most);
}

const log::Logger& logger() {
  static const log::Logger logger = log::get("api");
  return logger;
}

}  // namespace

bool RequestLog::take(bool stranger, Time now, std::uint64_t& suppressed) {
  const std::lock_guard lock(mu_);
  Budget& budget = stranger ? strangers_ : known_;
  const auto seconds = std::max<std::int64_t>(
      0, std::chrono::floor<std::chrono::seconds>(now - budget.filled).count());
  if (seconds > 0) {
    budget.left = static_cast<std::uint32_t>(std::min<std::int64_t>(kBurst, budget.left + seconds));
    budget.filled = now;
  }
  if (budget.left == 0) {
    ++budget.suppressed;
    return false;
  }
  --budget.left;
  suppressed = std::exchange(budget.suppressed, 0);
  return true;
}

void RequestLog::note(const Call& call, const Outcome& outcome, Time now) {
  const bool refused = outcome.status == 401 || outcome.status == 403;
  const auto limit = settings_.slow.load(std::memory_order_relaxed);
  const bool slow = limit.count() > 0 && outcome.time > limit;
  const bool all = settings_.all.load(std::memory_order_relaxed);
  const log::Level usual = all ? log::Level::kInfo : log::Level::kDebug;
  const log::Level level = refused || slow ? log::Level::kWarn : usual;
  if (!logger().enabled(level)) return;
  std::uint64_t suppressed = 0;
  // Who asks for every request gets every request.
  if (refused && !slow && !logger().enabled(usual)) {
    const bool stranger = !call.asking || call.asking->in_group("system:unauthenticated");
    if (!take(stranger, now, suppressed)) return;
  }
  if (suppressed > 0)
    logger().warn("refused requests that were not logged", {{"count", suppressed}});
  const http::Request& request = call.request;
  const log::Fields fields = {
      // Acting as another user: both are named.
      {"user", call.asking ? cut(call.asking->name) : ""},
      {"as", call.user && call.user != call.asking ? cut(call.user->name) : ""},
      {"agent", cut(request.headers.get("User-Agent"))},
      {"source", request.remote_address},
      {"verb", cut(call.info.verb.empty() ? request.method : call.info.verb)},
      {"path", cut(request.path, kMostPath)},
      {"code", outcome.status},
      {"ms", outcome.time},
      {"audit", cut(outcome.audit_id)},
  };
  if (refused) {
    logger().warn("request refused", fields);
  } else if (slow) {
    logger().warn("slow request", fields);
  } else if (all) {
    logger().info("request", fields);
  } else {
    logger().debug("request", fields);
  }
}

}  // namespace strake::api
