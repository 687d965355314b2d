#include "extension/member_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <set>

#include "base/input_file.h"
#include "base/log.h"
#include "http/url.h"
#include "kube/access.h"
#include "meta/object_meta.h"

namespace strake::extension {
namespace {

constexpr std::string_view kMemberDefinitions =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::uint64_t kMostMemberCaBytes = 1 << 20;

Result<kube::ServicePlace> address_of(const std::string& server) {
  STRAKE_TRY(const http::Url url, http::Url::parse(server));
  if (!url.tls) return fail(Code::kInvalid, "{}: a member must be reached by https", server);
  return kube::ServicePlace{.host = url.host, .port = url.port};
}

Result<std::string> read_authorities(const std::string& file) {
  const Result<InputFile> opened = InputFile::open(file, Pipes::kRefused);
  if (!opened) return std::unexpected(Error(opened.error()).in(file));
  auto text = opened->read_all(kMostMemberCaBytes);
  if (!text) return std::unexpected(std::move(text).error().in(file));
  return text;
}

// Whose an APIService is; empty when it is no member's.
std::string member_of(const value::Value& object) {
  return std::string(meta::ObjectMeta::of(object).label(kMemberLabel));
}

}  // namespace

Result<ReadyMember> make_ready(const Member& member, const async::Loops& loops) {
  ReadyMember out{.member = member};
  if (member.kubeconfig.empty()) {
    STRAKE_TRY(out.address, address_of(member.server));
    STRAKE_TRY(out.ca_pem, read_authorities(member.ca_file));
    return out;
  }
  STRAKE_TRY(
      const kube::Access access,
      kube::find_access({.kubeconfig = member.kubeconfig, .context = {}, .environment = {}}));
  STRAKE_TRY(out.address, address_of(access.server));
  out.ca_pem = access.ca_pem;
  STRAKE_TRY(out.cluster, kube::ClusterClient::make(access, loops, {.user_agent = "strake"}));
  return out;
}

// One member, and what is known of it.
class MemberServices::Followed final : public kube::ObjectSink {
 public:
  Followed(MemberServices& all, ReadyMember ready) : all_(all), ready_(std::move(ready)) {
    for (const auto& [group, versions] : ready_.member.versions)
      definitions_[group] = {.group = group, .versions = versions};
    known_ = ready_.cluster == nullptr;
  }

  void on_list(const std::vector<const value::Value*>& objects) override {
    definitions_.clear();
    for (const value::Value* one : objects) note(*one);
    known_ = true;
    all_.tell();
  }
  void on_set(const value::Value& object) override {
    note(object);
    all_.tell();
  }
  void on_deleted(const value::Value& object) override {
    definitions_.erase(std::string(meta::ObjectMeta::of(object).name()));
    all_.tell();
  }
  void on_trouble(const Error& why) override {
    log::get("extension")
        .error("a member cannot be followed, what it has stays",
               {{"member", ready_.member.name}, {"error", why}});
  }
  void on_recovery() override {
    log::get("extension").info("a member is followed again", {{"member", ready_.member.name}});
  }

  void start(const async::Executor& loop, const async::Backoff& backoff) {
    if (!ready_.cluster) return;
    watch_ = std::make_unique<kube::ObjectWatch>(
        ready_.cluster,
        kube::ObjectWatch::Options{.path = std::string(kMemberDefinitions), .backoff = backoff},
        *this);
    boost::asio::co_spawn(
        loop,
        [](Followed& self) -> boost::asio::awaitable<void> {
          if (const async::Gate::Pass pass = self.running_.enter()) co_await self.watch_->run();
        }(*this),
        boost::asio::detached);
  }
  async::Task<> stop() {
    if (watch_) watch_->stop();
    co_return co_await running_.close();
  }

  bool is_known() const { return known_; }
  const ReadyMember& ready() const { return ready_; }
  // "VERSION.GROUP" and the two of them.
  std::map<std::string, std::pair<std::string, std::string>> versions() const {
    std::map<std::string, std::pair<std::string, std::string>> out;
    for (const auto& [key, one] : definitions_) {
      if (one.group.empty() || !shows(one.group)) continue;
      for (const std::string& version : one.versions)
        out[fmt::format("{}.{}", version, one.group)] = {one.group, version};
    }
    return out;
  }

 private:
  bool shows(const std::string& group) const {
    const std::vector<std::string>& groups = ready_.member.groups;
    return groups.empty() || std::ranges::find(groups, group) != groups.end();
  }
  void note(const value::Value& object) {
    definitions_[std::string(meta::ObjectMeta::of(object).name())] = Served::by(object);
  }

  MemberServices& all_;
  const ReadyMember ready_;
  std::map<std::string, Served> definitions_;
  bool known_ = false;
  std::unique_ptr<kube::ObjectWatch> watch_;
  async::Gate running_;
};

MemberServices::MemberServices(Options options)
    : options_(std::move(options)),
      api_services_(std::make_unique<KeptObjects>(KeptObjects::Options{
          .cluster = options_.front,
          .what = "APIService",
          .collection = "/apis/apiregistration.k8s.io/v1/apiservices",
          .is_own = [](const value::Value& object) { return !member_of(object).empty(); },
          .may_go = [this](const value::Value& object) { return may_go(object); },
          // A member that has not been heard yet may still serve what it has.
          .may_become =
              [this](const value::Value& there, const value::Value& wanted) {
                return member_of(there) == member_of(wanted) || may_go(there);
              },
          .manager = "strake-members",
          .backoff = options_.backoff})) {}

MemberServices::~MemberServices() = default;

boost::asio::awaitable<void> MemberServices::start() { co_await api_services_->start(); }

async::Task<> MemberServices::use(std::vector<ReadyMember> members,
                                  std::vector<std::string> unready) {
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  unready_ = std::move(unready);
  in_use_ = true;
  std::map<std::string, std::unique_ptr<Followed>> next;
  std::vector<Followed*> fresh;
  for (ReadyMember& one : members) {
    const std::string name = one.member.name;
    auto old = members_.find(name);
    if (old != members_.end() && old->second->ready().member == one.member &&
        old->second->ready().address == one.address && old->second->ready().ca_pem == one.ca_pem) {
      next[name] = std::move(old->second);
      members_.erase(old);
      continue;
    }
    next[name] = std::make_unique<Followed>(*this, std::move(one));
    fresh.push_back(next[name].get());
  }
  // Those whose files cannot be used are followed as they were.
  for (const std::string& name : unready_) {
    if (auto old = members_.extract(name); !old.empty()) next.insert(std::move(old));
  }
  members_.swap(next);
  for (Followed* one : fresh) one->start(loop, options_.backoff);
  tell();
  for (const auto& [name, one] : next) {
    if (one) STRAKE_CO_CHECK(co_await one->stop());
  }
  co_return Result<>();
}

bool MemberServices::may_go(const value::Value& object) const {
  if (!in_use_) return false;
  const std::string name(meta::ObjectMeta::of(object).label(kMemberLabel));
  const auto found = members_.find(name);
  if (found != members_.end()) return found->second->is_known();
  return std::ranges::find(unready_, name) == unready_.end();
}

void MemberServices::tell() {
  kube::ServicePlaces addresses;
  std::map<std::string, std::string> wanted;
  std::map<std::string, std::string> owners;
  for (const auto& [name, one] : members_) {
    addresses[fmt::format("{}/{}", kMembersNamespace, name)] = one->ready().address;
    RegistrationOptions with;
    with.label = kMemberLabel;
    with.server_id = name;
    with.service = {.namespace_name = std::string(kMembersNamespace), .name = name};
    with.ca_pem = one->ready().ca_pem;
    for (const auto& [service, version] : one->versions()) {
      if (const auto [first, fresh] = owners.emplace(service, name); !fresh) {
        log::get("extension")
            .error("two members serve the same version of a group, the first does",
                   {{"apiservice", service}, {"member", first->second}, {"ignored", name}});
        continue;
      }
      wanted.emplace(service, api_service_json(with, version.first, version.second));
    }
  }
  if (addresses != told_) {
    told_ = std::move(addresses);
    options_.tell(told_);
  }
  api_services_->want(std::move(wanted));
  api_services_->look_again();
}

async::Task<> MemberServices::stop() {
  for (const auto& [name, one] : members_) static_cast<void>(co_await one->stop());
  static_cast<void>(co_await api_services_->stop());
  members_.clear();
  api_services_.reset();
  co_return Result<>();
}

}  // namespace strake::extension
