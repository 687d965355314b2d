#include "auth/authentication_file.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "base/input_file.h"
#include "base/log.h"

namespace strake::auth {
namespace {

constexpr std::uint64_t kMostFileBytes = 1 << 20;
// A file that is written in several steps is read when they are done.
constexpr std::chrono::milliseconds kQuiet{100};

Result<std::string> read_config(const std::string& path) {
  const auto read = [&]() -> Result<std::string> {
    STRAKE_TRY(const InputFile file, InputFile::open(path, Pipes::kRefused));
    return file.read_all(kMostFileBytes);
  };
  auto out = read();
  if (!out) return std::unexpected(Error(out.error()).in(path));
  return out;
}

}  // namespace

Result<> AuthenticationFile::load() {
  const std::lock_guard lock(mu_);
  STRAKE_TRY(std::string text, read_config(options_.path));
  if (seen_ == text) return last_;
  const bool is_first = !seen_;
  last_ = use(text);
  seen_ = std::move(text);
  if (last_ && !is_first)
    log::get("auth").info("reloaded the authentication configuration", {{"file", options_.path}});
  return last_;
}

Result<> AuthenticationFile::use(const std::string& text) {
  STRAKE_TRY(const AuthenticationConfig config, AuthenticationConfig::read(text, options_.path));
  auto issuers = compile_authentication(config, options_.disallowed);
  if (!issuers) return std::unexpected(Error(issuers.error()).in(options_.path));
  if (config.anonymous && options_.anonymous) {
    return std::unexpected(Error(Code::kInvalid,
                                 "--anonymous-auth flag cannot be set when anonymous field is "
                                 "configured in authentication configuration file")
                               .in(options_.path));
  }
  issuers_.set(*std::move(issuers));
  requests_.set_anonymous(config.anonymous.value_or(
      AnonymousConfig{.enabled = options_.anonymous.value_or(true), .paths = {}}));
  return {};
}

Result<> AuthenticationFile::follow(const async::Executor& loop, async::Workers& workers) {
  STRAKE_TRY(watch_, async::FileWatch::open(loop, {options_.path}));
  loop_ = loop;
  boost::asio::co_spawn(loop, run(workers, running_.enter()), boost::asio::detached);
  return {};
}

async::Task<> AuthenticationFile::stop() {
  if (watch_) boost::asio::post(*loop_, [watch = watch_] { watch->close(); });
  co_return co_await running_.close();
}

boost::asio::awaitable<void> AuthenticationFile::run(async::Workers& workers,
                                                     async::Gate::Pass pass) {
  const async::Gate::Pass held = std::move(pass);
  std::string said;
  // It may have changed since it was loaded, before it was watched.
  do {
    const Result<> loaded = co_await workers.run([this] { return load(); });
    const std::string fault = loaded ? std::string() : loaded.error().to_string();
    if (!fault.empty() && fault != said)
      log::get("auth").error("the authentication configuration was not reloaded, the old one stays",
                             {{"error", fault}});
    said = fault;
  } while (co_await watch_->wait(kQuiet));
}

}  // namespace strake::auth
