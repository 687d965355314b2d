// What a token of a service account costs a request: the first time, and when its signature is
// known.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "async/loops.h"
#include "async/run.h"
#include "auth/tokens/service_account_tokens.h"
#include "store/memory_store.h"

namespace strake::auth {
namespace {

class Accounts {
 public:
  explicit Accounts(std::size_t most_kept)
      : tokens_(hub_, system_clock(), {.most_kept = most_kept},
                {.signing = SigningKey::make().value(), .verifying = {}}) {
    put("serviceaccounts/default/ci");
    put("secrets/default/leash");
    static_cast<void>(async::run_blocking(loops_.at(0), hub_.start()));
    token_ = tokens_
                 .issue({.namespace_name = "default",
                         .account = {.name = "ci", .uid = "u"},
                         .secret = api::TokenIssuer::Reference{.name = "leash", .uid = "u"},
                         .audiences = tokens_.audiences(),
                         .now = system_clock().now(),
                         .life = std::chrono::hours(1),
                         .id = "id"})
                 .value();
  }
  ~Accounts() {
    static_cast<void>(async::run_blocking(loops_.at(0), hub_.stop()));
    loops_.stop();
  }
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;

  bool lets_in() const {
    const auto known = tokens_.authenticate(token_, tokens_.audiences());
    return known && *known;
  }

 private:
  void put(std::string_view key) {
    auto body = std::make_shared<const std::string>(R"({"metadata":{"uid":"u"}})");
    static_cast<void>(async::run_blocking(
        loops_.at(0),
        store_.write(
            {.key = fmt::format("/registry/{}", key), .value = std::move(body), .expected = 0})));
  }
  store::MemoryStore store_{system_clock()};
  async::Loops loops_{1};
  api::Hub hub_{store_, loops_};
  ServiceAccountTokens tokens_;
  std::string token_;
};

void known_token(benchmark::State& state) {
  const Accounts accounts(1'000);
  for (auto _ : state) {
    if (!accounts.lets_in()) state.SkipWithError("refused");
  }
}
BENCHMARK(known_token);

// Nothing is kept, so that each is verified anew.
void new_token(benchmark::State& state) {
  const Accounts accounts(0);
  for (auto _ : state) {
    if (!accounts.lets_in()) state.SkipWithError("refused");
  }
}
BENCHMARK(new_token);

}  // namespace
}  // namespace strake::auth
