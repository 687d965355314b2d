#include "auth/oidc/issuer_keys.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "async/cancellable.h"
#include "auth/oidc/https_get.h"
#include "base/input_file.h"
#include "base/log.h"
#include "base/quote.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

// Where the keys are. Only who says that it is the issuer may say.
Result<std::string> keys_url(std::string_view discovery, std::string_view issuer) {
  value::ReadOptions options;
  options.limits.depth = 32;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  STRAKE_TRY(const value::Document document, value::read_json(discovery, options));
  const std::string_view says = value::text_of(document.root(), "issuer");
  if (says != issuer) {
    return fail(Code::kInvalid,
                "oidc: issuer did not match the issuer returned by provider, expected {} got {}",
                quote(issuer), quote(says));
  }
  const std::string_view url = value::text_of(document.root(), "jwks_uri");
  if (url.empty()) return fail(Code::kInvalid, "provider did not return JWKS URL");
  return std::string(url);
}

Result<KeySet> read_key_file(const std::string& file) {
  const auto read = [&]() -> Result<KeySet> {
    STRAKE_TRY(const InputFile opened, InputFile::open(file, Pipes::kRefused));
    STRAKE_TRY(const std::string text, opened.read_all(kMostKeySetBytes));
    return KeySet::read(text);
  };
  auto out = read();
  if (!out) return std::unexpected(Error(out.error()).in(file));
  return out;
}

}  // namespace

IssuerKeys::IssuerKeys(Source source, Means means, KeyTimes times)
    : source_(std::move(source)), means_(std::move(means)), times_(times), wake_(means_.loop) {}

void IssuerKeys::begin(async::Gate& gate) {
  async::Gate::Pass pass = gate.enter();
  if (!pass) return;
  {
    const std::lock_guard lock(mu_);
    fetching_ = true;  // about to: who comes now waits for it
  }
  boost::asio::co_spawn(means_.loop, run(shared_from_this(), std::move(pass)),
                        boost::asio::detached);
}

void IssuerKeys::end() {
  ending_.cancel();
  boost::asio::post(means_.loop, [self = shared_from_this()] { self->wake_.notify(); });
}

KeySetPtr IssuerKeys::keys() const {
  const std::lock_guard lock(mu_);
  return keys_;
}

std::string IssuerKeys::fault() const {
  const std::lock_guard lock(mu_);
  return fault_;
}

bool IssuerKeys::may_refresh() const {
  const std::lock_guard lock(mu_);
  return fetching_ || !waiting_.empty() || means_.clock->steady_now() >= next_;
}

async::Task<> IssuerKeys::refresh(CancelToken cancel) {
  async::OneShot<> done;
  bool first = false;
  {
    const std::lock_guard lock(mu_);
    first = !fetching_ && waiting_.empty();
    if (first) {
      const SteadyTime now = means_.clock->steady_now();
      if (now < next_ || ending_.cancelled()) co_return Result<>();
      next_ = now + times_.least;
    }
    waiting_.push_back(done);
  }
  if (first) boost::asio::post(means_.loop, [self = shared_from_this()] { self->wake_.notify(); });
  const CancelRegistration registration = async::end_wait_when(cancel, done);
  co_return co_await done.wait();
}

boost::asio::awaitable<void> IssuerKeys::run(std::shared_ptr<IssuerKeys> self,
                                             async::Gate::Pass pass) {
  const async::Gate::Pass held = std::move(pass);
  while (!self->ending_.cancelled()) {
    {
      const std::lock_guard lock(self->mu_);
      self->fetching_ = true;
    }
    Result<KeySet> fetched = co_await self->fetch();
    const bool good = fetched.has_value();
    if (self->ending_.cancelled()) break;
    self->keep(std::move(fetched));
    const bool by_file = !self->source_.file.empty();
    const auto pause = good && !by_file ? self->times_.refresh : self->times_.retry;
    static_cast<void>(co_await self->wake_.wait(Deadline::after(pause)));
  }
  std::vector<async::OneShot<>> waiting;
  {
    const std::lock_guard lock(self->mu_);
    self->fetching_ = false;
    waiting = std::exchange(self->waiting_, {});
  }
  for (async::OneShot<>& one : waiting) one.set({});
}

void IssuerKeys::keep(Result<KeySet> fetched) {
  const log::Logger log = log::get("auth");
  const std::string fault = fetched ? std::string() : fetched.error().to_string();
  std::vector<async::OneShot<>> waiting;
  bool changed = false;
  bool has_keys = false;
  {
    const std::lock_guard lock(mu_);
    fetching_ = false;
    // The same keys stay the same object: what was verified with them stays verified.
    if (fetched && (!keys_ || keys_->digest() != fetched->digest())) {
      keys_ = std::make_shared<const KeySet>(*std::move(fetched));
      changed = true;
    }
    if (fault_ != fault) {
      fault_ = fault;
      changed = true;
    }
    has_keys = keys_ != nullptr;
    waiting = std::exchange(waiting_, {});
  }
  // Said once, not every ten seconds.
  if (changed && fault.empty()) {
    log.info("fetched the keys of an issuer of tokens", {{"issuer", source_.issuer}});
  } else if (changed) {
    log.error(has_keys ? "the keys of an issuer of tokens could not be fetched, the old ones stay"
                       : "the keys of an issuer of tokens could not be fetched",
              {{"issuer", source_.issuer}, {"error", fault}});
  }
  for (async::OneShot<>& one : waiting) one.set({});
}

async::Task<std::string> IssuerKeys::get(std::string url) const {
  return https_get(means_.client, std::move(url),
                   {.tls = source_.tls,
                    .timeout = times_.timeout,
                    .most_bytes = kMostKeySetBytes,
                    .cancel = ending_.token()});
}

async::Task<KeySet> IssuerKeys::fetch() {
  if (!source_.file.empty())
    co_return co_await means_.workers->run([file = source_.file] { return read_key_file(file); });
  STRAKE_CO_TRY(const std::string discovery, co_await get(source_.discovery_url));
  STRAKE_CO_TRY(std::string url, keys_url(discovery, source_.issuer));
  STRAKE_CO_TRY(const std::string keys, co_await get(std::move(url)));
  co_return KeySet::read(keys);
}

}  // namespace strake::auth
