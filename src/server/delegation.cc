#include "server/delegation.h"

#include <atomic>

#include "base/log.h"
#include "kinds/resource.h"

namespace strake::server {
namespace {

Result<kube::Access> access_of(const std::string& file, const std::string& otherwise) {
  return kube::find_access(
      {.kubeconfig = file.empty() ? otherwise : file, .context = {}, .environment = {}});
}

}  // namespace

// Shows those whom the main server sends the groups that are only defined here. Everything else,
// such as definitions and namespaces, is for administrators: the main server has its own.
class Delegation::Groups final : public api::Exposure {
 public:
  explicit Groups(const std::vector<std::string>& groups) : wanted_(groups.begin(), groups.end()) {
    for (const kinds::ResourcePtr& one : kinds::builtin_resources()) builtin_.insert(one->group);
  }
  bool is_whole(const http::Request& request) const override {
    const std::shared_ptr<const std::set<std::string>> own = own_.load();
    return request.peer && own && own->contains(request.peer->authority_sha256);
  }
  bool shows(std::string_view group) const override {
    return !builtin_.contains(group) && (wanted_.empty() || wanted_.contains(group));
  }
  void set_own(std::set<std::string> sums) {
    own_.store(std::make_shared<const std::set<std::string>>(std::move(sums)));
  }

 private:
  std::set<std::string, std::less<>> builtin_;
  std::set<std::string, std::less<>> wanted_;
  std::atomic<std::shared_ptr<const std::set<std::string>>> own_;
};

Delegation::Delegation(DelegationOptions options, Means means)
    : options_(std::move(options)),
      means_(means),
      exposure_(std::make_unique<Groups>(options_.groups)) {}

Result<std::unique_ptr<Delegation>> Delegation::make(DelegationOptions options, Means means) {
  std::unique_ptr<Delegation> out(new Delegation(std::move(options), means));
  const DelegationOptions& given = out->options_;
  STRAKE_TRY(const kube::Access main, access_of(given.main_kubeconfig, {}));
  auto cluster = kube::ClusterClient::make(main, means.loops, {.user_agent = "strake-extension"});
  if (!cluster) return std::unexpected(std::move(cluster).error().in(given.main_kubeconfig));
  out->cluster_ = *std::move(cluster);
  STRAKE_TRY(out->authorization_access_,
             access_of(given.authorization_kubeconfig, given.main_kubeconfig));
  STRAKE_TRY(kube::Access authentication,
             access_of(given.authentication_kubeconfig, given.main_kubeconfig));
  std::shared_ptr<const kube::ClusterClient> informant = out->cluster_;
  if (!given.authentication_kubeconfig.empty()) {
    STRAKE_TRY(informant, kube::ClusterClient::make(authentication, means.loops,
                                                    {.user_agent = "strake-extension"}));
  }
  STRAKE_TRY(out->tokens_,
             auth::TokenWebhook::make(
                 {.access = std::move(authentication),
                  .path = "/apis/authentication.k8s.io/v1/tokenreviews",
                  .version = "v1",
                  .kept = given.tokens_kept,
                  .errors_kept = std::chrono::seconds(1),
                  .timeout = auth::kDelegatedTimeout},
                 {.loops = means.loops, .workers = means.workers, .clock = means.clock}));
  if (!given.skips_lookup) {
    Delegation* self = out.get();
    out->watch_ = std::make_unique<auth::ClusterTrustWatch>(auth::ClusterTrustWatch::Options{
        .cluster = informant,
        .told = [self](auth::ClusterTrust trust) -> boost::asio::awaitable<void> {
          {
            const std::lock_guard lock(self->mu_);
            self->trust_ = std::move(trust);
          }
          static_cast<void>(co_await self->means_.workers.run([self]() -> Result<> {
            self->changed_();
            return {};
          }));
        }});
  }
  if (given.mirrors_namespaces)
    out->namespaces_ = std::make_unique<extension::NamespaceMirror>(
        extension::NamespaceMirror::Options{.cluster = out->cluster_});
  return out;
}

Delegation::~Delegation() = default;

const api::Exposure& Delegation::exposure() const { return *exposure_; }
bool Delegation::shows(std::string_view group) const { return exposure_->shows(group); }

Result<auth::AuthorizationConfiguration> Delegation::authorization() const {
  return auth::DelegatedAuthorization{.access = authorization_access_,
                                      .allowed_kept = options_.allowed_kept,
                                      .refused_kept = options_.refused_kept,
                                      .open_paths = options_.open_paths}
      .to_configuration();
}

void Delegation::set_own_authorities(std::set<std::string> sums) {
  exposure_->set_own(std::move(sums));
}

auth::ClusterTrust Delegation::trust() const {
  const std::lock_guard lock(mu_);
  return trust_;
}

async::Task<> Delegation::begin(api::Core& core) {
  if (watch_) {
    Result<auth::ClusterTrust> trust = co_await watch_->begin();
    if (!trust && !options_.tolerates_failure) co_return std::unexpected(trust.error());
    if (!trust)
      log::get("server").warn("starting without knowing whom the main server believes",
                              {{"error", trust.error()}});
    if (trust) {
      const std::lock_guard lock(mu_);
      trust_ = *std::move(trust);
    }
  }
  if (namespaces_) STRAKE_CO_CHECK(co_await namespaces_->start(core));
  co_return Result<>();
}

boost::asio::awaitable<void> Delegation::follow(std::function<void()> changed) {
  changed_ = std::move(changed);
  if (watch_) co_await watch_->start();
}

async::Task<> Delegation::stop() {
  if (watch_) static_cast<void>(co_await watch_->stop());
  if (namespaces_) static_cast<void>(co_await namespaces_->stop());
  const Result<> stopped = co_await tokens_->stop();
  // No connection may outlive the loops.
  watch_.reset();
  namespaces_.reset();
  cluster_.reset();
  co_return stopped;
}

}  // namespace strake::server
