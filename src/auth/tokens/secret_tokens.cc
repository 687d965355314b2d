#include "auth/tokens/secret_tokens.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "api/verbs/by_worker.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using api::ObjectPtr;
using meta::ObjectMeta;
using std::chrono::milliseconds;
using value::Document;
using value::text_of;
using value::Value;

constexpr std::string_view kSecrets = "/registry/secrets/";
constexpr std::string_view kAccounts = "/registry/serviceaccounts/";
constexpr std::string_view kByAccount = "account";
constexpr std::string_view kNameAnnotation = "kubernetes.io/service-account.name";
constexpr std::string_view kUidAnnotation = "kubernetes.io/service-account.uid";
constexpr milliseconds kDone{0};
constexpr milliseconds kTryAgain{1000};

std::string_view annotation(const Value& secret, std::string_view key) {
  return text_of(secret.get("metadata").get("annotations"), key);
}

// What a Secret still lacks.
struct Lacks {
  bool authority = false;
  bool space = false;
  bool token = false;
  bool anything() const { return authority || space || token; }
};

Lacks lacks(const Value& secret, std::string_view root_ca) {
  const Value& data = secret.get("data");
  return {.authority = !root_ca.empty() && text_of(data, "ca.crt") != root_ca,
          .space = text_of(data, "namespace").empty(),
          .token = text_of(data, "token").empty()};
}

}  // namespace

// Fills Secrets, and deletes those whose account is not there.
class SecretTokens::Filler final : public api::Controller {
 public:
  Filler(api::Core& core, api::Informer<Facts>& objects, const ServiceAccountTokens& tokens,
         std::string root_ca_pem, const async::Executor& executor)
      : Controller(core, objects, executor),
        objects_(objects),
        tokens_(tokens),
        root_ca_(base64_encode(root_ca_pem)) {}

 private:
  boost::asio::awaitable<milliseconds> sync(std::string key, ObjectPtr object) override {
    if (!key.starts_with(kAccounts)) {
      co_return object ? co_await sync_secret(object) : kDone;
    }
    std::vector<std::string> secrets;
    objects_.view().for_each(kByAccount, std::string_view(key).substr(kAccounts.size()),
                             [&](const auto& known) { secrets.push_back(known.key()); });
    milliseconds again = kDone;
    for (const std::string& one : secrets) {
      const ObjectPtr secret = core().hub.cache(kSecrets).get(one);
      if (secret) again = std::max(again, co_await sync_secret(secret));
    }
    co_return again;
  }

  boost::asio::awaitable<milliseconds> sync_secret(ObjectPtr object) {
    const Result<Document> document = api::parse_stored(*object->bytes());
    if (!document || text_of(document->root(), "type") != kTokenSecretType) co_return kDone;
    const Value& secret = document->root();
    const std::string name(annotation(secret, kNameAnnotation));
    if (name.empty() || object->is_being_deleted()) co_return kDone;
    const api::EndpointPtr endpoint = core().registry.find("", "secrets");
    if (!endpoint) co_return kTryAgain;
    api::Call call = api::internal_call(core(), endpoint, *object);
    const std::string uid = uid_of_account(object->namespace_name(), name);
    const std::string_view wanted = annotation(secret, kUidAnnotation);
    if (uid.empty() || (!wanted.empty() && wanted != uid)) {
      const auto removed =
          co_await api::remove_object(core(), call, std::string(object->name()),
                                      {.uid = std::string(ObjectMeta::of(secret).uid())});
      const bool settled = removed || removed.error().code == 404 || removed.error().code == 409;
      co_return settled ? kDone : kTryAgain;
    }
    if (!lacks(secret, root_ca_).anything()) co_return kDone;
    co_return co_await fill(*object, call, {.name = name, .uid = uid});
  }

  // Empty when there is none.
  std::string uid_of_account(std::string_view namespace_name, std::string_view name) {
    const ObjectPtr account =
        core().hub.cache(kAccounts).get(fmt::format("{}{}/{}", kAccounts, namespace_name, name));
    const Result<Document> document =
        account ? api::parse_stored(*account->bytes()) : Result<Document>(Document());
    return account && document ? std::string(ObjectMeta::of(document->root()).uid())
                               : std::string();
  }

  boost::asio::awaitable<milliseconds> fill(const api::Object& object, api::Call& call,
                                            api::TokenIssuer::Reference account) {
    const std::string space(object.namespace_name());
    Result<std::string> token = std::string();
    const auto sign = [&] {
      token = tokens_.issue_for_secret(space, account, object.name());
      return api::Answer<>();
    };
    if (!co_await api::by_worker(core(), sign) || !token) co_return kTryAgain;
    const auto write = [&](Document& to) {
      Arena& arena = to.arena();
      const Lacks wants = lacks(to.root(), root_ca_);
      Value& data = to.root().object_at("data", arena);
      const auto set = [&](std::string_view key, std::string_view text) {
        data.set(key, Value::string(arena.copy(text)), arena);
      };
      if (wants.authority) set("ca.crt", root_ca_);
      if (wants.space) set("namespace", base64_encode(space));
      if (wants.token) set("token", base64_encode(*token));
      Value& annotations = to.root().object_at("metadata", arena).object_at("annotations", arena);
      annotations.set(kNameAnnotation, Value::string(arena.copy(account.name)), arena);
      annotations.set(kUidAnnotation, Value::string(arena.copy(account.uid)), arena);
    };
    const auto written = co_await api::edit_object(
        core(), call, {.manager = "kube-controller-manager", .apply = write});
    co_return written || written.error().reason == "NotFound" ? kDone : kTryAgain;
  }

  api::Informer<Facts>& objects_;
  const ServiceAccountTokens& tokens_;
  const std::string root_ca_;  // as it stands in a Secret; empty for none
};

SecretTokens::SecretTokens(api::Hub& hub, ServiceAccountTokens& tokens)
    : objects_(hub, {.prefixes = {std::string(kSecrets), std::string(kAccounts)},
                     .read = [](const api::Object& object) -> Result<Facts> {
                       if (object.key().starts_with(kAccounts)) return Facts();
                       STRAKE_TRY(const Document document, api::parse_stored(*object.bytes()));
                       const std::string_view name = annotation(document.root(), kNameAnnotation);
                       return Facts{.account = fmt::format("{}/{}", object.namespace_name(), name)};
                     },
                     .indexes = {{.name = std::string(kByAccount),
                                  .values =
                                      [](const Facts& facts) {
                                        return facts.account.empty()
                                                   ? std::vector<std::string>()
                                                   : std::vector<std::string>{facts.account};
                                      }}},
                     // Other Secrets are not read at all.
                     .wants =
                         [](const api::Object& object) {
                           return object.key().starts_with(kAccounts) ||
                                  object.bytes()->contains(kTokenSecretType);
                         }}),
      tokens_(tokens) {
  tokens.on_use([this](const std::string& key) { note(key); });
}

SecretTokens::~SecretTokens() = default;

void SecretTokens::note(const std::string& key) {
  bool first = false;
  {
    const std::lock_guard lock(mu_);
    if (!signal_) return;
    first = used_.empty();
    used_.insert(key);
  }
  if (first) boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

async::Task<> SecretTokens::start(api::Core& core, bool fills, std::string root_ca_pem) {
  core_ = &core;
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  {
    const std::lock_guard lock(mu_);
    executor_ = executor;
    signal_ = std::make_shared<async::Signal>(executor);
  }
  if (fills) {
    filler_ = std::make_unique<Filler>(core, objects_, tokens_, std::move(root_ca_pem), executor);
    boost::asio::co_spawn(executor, fill(), boost::asio::detached);
  }
  boost::asio::co_spawn(executor, label(), boost::asio::detached);
  co_return Result<>();
}

boost::asio::awaitable<void> SecretTokens::fill() {
  const async::Gate::Pass pass = running_.enter();
  if (pass) co_await filler_->run();
}

boost::asio::awaitable<void> SecretTokens::label() {
  const async::Gate::Pass pass = running_.enter();
  while (pass && !stopping_) {
    std::set<std::string> used;
    {
      const std::lock_guard lock(mu_);
      used.swap(used_);
    }
    for (const std::string& key : used) co_await label_one(key);
    if (used.empty() && !co_await signal_->wait(Deadline::never())) co_return;
  }
}

// A label that cannot be set is missing for a day: nobody is refused for that.
boost::asio::awaitable<void> SecretTokens::label_one(std::string key) {
  const api::EndpointPtr endpoint = core_->registry.find("", "secrets");
  const ObjectPtr object = core_->hub.cache(kSecrets).get(key);
  if (!endpoint || !object) co_return;
  api::Call call = api::internal_call(*core_, endpoint, *object);
  const std::string today = call.now_text().substr(0, 10);
  const auto write = [&](Document& to) {
    Arena& arena = to.arena();
    to.root()
        .object_at("metadata", arena)
        .object_at("labels", arena)
        .set(kLastUsedLabel, Value::string(arena.copy(today)), arena);
  };
  static_cast<void>(
      co_await api::edit_object(*core_, call, {.manager = "kube-apiserver", .apply = write}));
}

async::Task<> SecretTokens::stop() {
  stopping_ = true;
  if (filler_) filler_->stop();
  if (signal_) signal_->notify();
  co_return co_await running_.close();
}

}  // namespace strake::auth
