#pragma once
// The keys of one issuer: found through its discovery document, kept, and fetched again now and
// then, so that a rotation is followed. While the issuer is out of reach, the keys that are known
// stay in use. Made by std::make_shared.
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/gate.h"
#include "async/one_shot.h"
#include "async/signal.h"
#include "async/workers.h"
#include "auth/jwt/key_set.h"
#include "base/cancel.h"
#include "base/time.h"
#include "http/client.h"

namespace strake::auth {

struct KeyTimes {
  std::chrono::milliseconds refresh = std::chrono::minutes(10);
  std::chrono::milliseconds retry = std::chrono::seconds(10);  // after a failure
  // Between fetches that tokens ask for: nobody can make us ask the issuer all the time.
  std::chrono::milliseconds least = std::chrono::seconds(10);
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // of one answer
};

class IssuerKeys : public std::enable_shared_from_this<IssuerKeys> {
 public:
  struct Source {
    std::string issuer;
    std::string discovery_url;  // whole
    std::shared_ptr<const http::TlsContext> tls;
    std::string file;  // a key set instead, read again when it changes
  };
  struct Means {
    std::shared_ptr<http::Client> client;
    async::Executor loop;     // one of the client's
    async::Workers* workers;  // for the file
    const Clock* clock;
  };
  IssuerKeys(Source source, Means means, KeyTimes times);

  // Begins to fetch, until end(). The gate must outlive that.
  void begin(async::Gate& gate);
  void end();  // from any thread

  // Null until they were fetched once.
  KeySetPtr keys() const;
  // Why the last fetch failed; empty when it did not.
  std::string fault() const;

  // Whether refresh() would ask the issuer.
  bool may_refresh() const;
  // Fetches them now, or waits for who does, unless that was done a moment ago. Nobody waits any
  // longer once the token is cancelled.
  async::Task<> refresh(CancelToken cancel);

 private:
  static boost::asio::awaitable<void> run(std::shared_ptr<IssuerKeys> self, async::Gate::Pass pass);
  async::Task<std::string> get(std::string url) const;
  async::Task<KeySet> fetch();
  void keep(Result<KeySet> fetched);

  const Source source_;
  const Means means_;
  const KeyTimes times_;
  CancelSource ending_;
  async::Signal wake_;  // on the loop

  mutable std::mutex mu_;
  KeySetPtr keys_;                         // guarded by mu_
  std::string fault_;                      // guarded by mu_
  bool fetching_ = false;                  // guarded by mu_
  SteadyTime next_{};                      // guarded by mu_: when a token may ask for a fetch
  std::vector<async::OneShot<>> waiting_;  // guarded by mu_
};

}  // namespace strake::auth
