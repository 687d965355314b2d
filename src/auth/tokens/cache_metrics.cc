#include "auth/tokens/cache_metrics.h"

#include "base/metrics.h"

namespace strake::auth {
namespace {

CounterFamily token_look_ups("authentication_token_cache_request_total",
                             "[ALPHA] Requests to the caches of tokens, by whether the token was "
                             "there.",
                             {"status"});

}  // namespace

void count_token_look_up(bool found) {
  static Counter& hits = token_look_ups.at({"hit"});
  static Counter& misses = token_look_ups.at({"miss"});
  (found ? hits : misses).add();
}

}  // namespace strake::auth
