#include "auth/authentication_config_map.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "api/verbs/write.h"
#include "base/log.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kNamespace = "kube-system";
constexpr std::string_view kName = "extension-apiserver-authentication";
constexpr std::string_view kKey =
    "/registry/configmaps/kube-system/extension-apiserver-authentication";
constexpr std::chrono::milliseconds kSettled{0};
constexpr std::chrono::milliseconds kSoon{1000};

using Data = std::map<std::string, std::string>;

std::string json_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& one : texts) {
    if (out.size() > 1) out += ',';
    value::write_json_string(one, out);
  }
  return out + "]";
}

// Keys of others stay.
bool put(Document& document, const Data& data) {
  Value& root = document.root();
  Arena& arena = document.arena();
  Value* present = root.find("data");
  if (present == nullptr || !present->is_object())
    present = &root.set("data", Value::object({}), arena);
  bool changed = false;
  for (const auto& [key, text] : data) {
    if (value::text_of(*present, key) == text && present->find(key) != nullptr) continue;
    present->set(arena.copy(key), Value::string(arena.copy(text)), arena);
    changed = true;
  }
  return changed;
}

}  // namespace

Data authentication_data(const std::string& client_ca_pem, const std::string& proxy_ca_pem,
                         const FrontProxyOptions* proxy) {
  Data out = {{"client-ca-file", client_ca_pem}};
  if (proxy == nullptr) return out;
  out["requestheader-client-ca-file"] = proxy_ca_pem;
  out["requestheader-allowed-names"] = json_list(proxy->allowed_names);
  out["requestheader-username-headers"] = json_list(proxy->username_headers);
  out["requestheader-uid-headers"] = json_list(proxy->uid_headers);
  out["requestheader-group-headers"] = json_list(proxy->group_headers);
  out["requestheader-extra-headers-prefix"] = json_list(proxy->extra_prefixes);
  return out;
}

class AuthenticationConfigMap::Keeper final : public api::Controller {
 public:
  Keeper(api::Core& core, api::InformerBase& informer, const async::Executor& executor, Data data)
      : Controller(core, informer, executor), data_(std::move(data)) {}

  Data data() const {
    const std::lock_guard lock(mu_);
    return data_;
  }
  void set(Data data) {
    const std::lock_guard lock(mu_);
    data_ = std::move(data);
  }

  // Makes it, or what is wrong about it right.
  async::Task<> put_right() {
    const api::EndpointPtr endpoint = core().registry.find("", "configmaps");
    if (!endpoint) co_return fail(Code::kInternal, "ConfigMaps are not served");
    const Data wanted = data();
    api::Call call = api::internal_call(core(), endpoint, kNamespace, kName);
    const api::ObjectPtr present = endpoint->cache().get(endpoint->key(kNamespace, kName));
    if (present) {
      Result<Document> document = api::parse_stored(*present->bytes());
      if (document && !put(*document, wanted)) co_return Result<>();
      const auto edited = co_await api::edit_object(
          core(), call, {.manager = "kube-apiserver", .apply = [&](Document& current) {
                           static_cast<void>(put(current, wanted));
                         }});
      if (!edited) co_return fail(Code::kInternal, "{}", edited.error().message);
      co_return Result<>();
    }
    Document document;
    document.root() = Value::object({});
    Arena& arena = document.arena();
    Value metadata = Value::object({});
    metadata.set("name", Value::string(kName), arena);
    metadata.set("namespace", Value::string(kNamespace), arena);
    document.root().set("apiVersion", Value::string("v1"), arena);
    document.root().set("kind", Value::string("ConfigMap"), arena);
    document.root().set("metadata", metadata, arena);
    static_cast<void>(put(document, wanted));
    const auto made = co_await api::create_object(core(), call, std::move(document), {});
    if (!made && made.error().reason != "AlreadyExists")
      co_return fail(Code::kInternal, "{}", made.error().message);
    co_return Result<>();
  }

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key, api::ObjectPtr) override {
    if (key != kKey) co_return kSettled;
    const Result<> done = co_await put_right();
    co_return done ? kSettled : kSoon;
  }

  mutable std::mutex mu_;
  Data data_;  // guarded by mu_
};

AuthenticationConfigMap::AuthenticationConfigMap(api::Hub& hub)
    : informer_(hub, {.prefixes = {"/registry/configmaps/"},
                      .read = [](const api::Object&) { return Result<Nothing>(Nothing()); },
                      .wants = [](const api::Object& object) { return object.key() == kKey; }}) {}

async::Task<> AuthenticationConfigMap::start(api::Core& core, Data data) {
  executor_ = co_await boost::asio::this_coro::executor;
  keeper_ = std::make_shared<Keeper>(core, informer_, *executor_, std::move(data));
  STRAKE_CO_CHECK(co_await keeper_->put_right());
  boost::asio::co_spawn(*executor_, keep(), boost::asio::detached);
  co_return Result<>();
}

void AuthenticationConfigMap::set(Data data) {
  if (!keeper_) return;
  keeper_->set(std::move(data));
  boost::asio::co_spawn(*executor_, change(), boost::asio::detached);
}

boost::asio::awaitable<void> AuthenticationConfigMap::change() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  if (const Result<> changed = co_await keeper_->put_right(); !changed)
    log::get("auth").warn("the ConfigMap for extension servers could not be changed",
                          {{"error", changed.error()}});
}

boost::asio::awaitable<void> AuthenticationConfigMap::keep() {
  const async::Gate::Pass pass = running_.enter();
  if (pass) co_await keeper_->run();
}

async::Task<> AuthenticationConfigMap::stop() {
  if (keeper_) keeper_->stop();
  co_return co_await running_.close();
}

}  // namespace strake::auth
