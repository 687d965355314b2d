#include "aggregator/documents/known_documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"

namespace strake::aggregator {
namespace {

std::string openapi_path(const RemoteService& service) {
  return fmt::format("apis/{}/{}", service.group, service.version);
}

// What its documents depend on; priorities only order them.
bool same_documents(const RemoteService& a, const RemoteService& b) {
  return a.group == b.group && a.version == b.version && a.server == b.server &&
         a.revision == b.revision && a.available == b.available;
}

bool same_text(const Text& a, const Text& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool same_content(const api::RemoteSnapshot& a, const api::RemoteSnapshot& b) {
  return a.versions == b.versions && a.openapi_v3 == b.openapi_v3 &&
         std::ranges::equal(a.openapi_v2, b.openapi_v2, same_text);
}

// Which versions are other servers' decides which of this server's own are in the v2 document.
bool same_v2(const api::RemoteSnapshot& a, const api::RemoteSnapshot& b) {
  const auto same_version = [](const publish::RemoteVersion& one,
                               const publish::RemoteVersion& other) {
    return one.group == other.group && one.version == other.version;
  };
  return std::ranges::equal(a.openapi_v2, b.openapi_v2, same_text) &&
         std::ranges::equal(a.versions, b.versions, same_version);
}

}  // namespace

std::set<std::string> KnownDocuments::set_services(std::vector<RemoteService> services) {
  const std::lock_guard lock(mu_);
  std::set<std::string> to_ask;
  std::map<std::string, Known, std::less<>> next;
  for (RemoteService& service : services) {
    const std::string name = service.name;
    Known known{.service = std::move(service)};
    const auto before = known_.find(name);
    const bool is_old = before != known_.end() &&
                        before->second.service.group == known.service.group &&
                        before->second.service.version == known.service.version;
    if (is_old) {
      RemoteService now = std::move(known.service);
      known = std::move(before->second);
      // Another server's documents may have the same tag.
      if (known.service.server != now.server || known.service.revision != now.revision)
        known.etag = known.v2_etag = known.v3_etag = {};
      if (now.available && !same_documents(known.service, now)) to_ask.insert(now.server);
      known.service = std::move(now);
    } else if (known.service.available) {
      to_ask.insert(known.service.server);
    }
    next.insert_or_assign(name, std::move(known));
  }
  known_ = std::move(next);
  make_snapshot();
  return to_ask;
}

std::vector<RemoteService> KnownDocuments::services_of(std::string_view server) const {
  const std::lock_guard lock(mu_);
  std::vector<RemoteService> out;
  for (const auto& [name, known] : known_) {
    if (known.service.server == server && known.service.available) out.push_back(known.service);
  }
  return out;
}

std::set<std::string> KnownDocuments::servers() const {
  const std::lock_guard lock(mu_);
  std::set<std::string> out;
  for (const auto& [name, known] : known_) {
    if (known.service.available) out.insert(known.service.server);
  }
  return out;
}

std::optional<RemoteService> KnownDocuments::service_of_path(std::string_view path) const {
  const std::lock_guard lock(mu_);
  for (const auto& [name, known] : known_) {
    if (openapi_path(known.service) == path) return known.service;
  }
  return std::nullopt;
}

KnownDocuments::Known* KnownDocuments::same(const RemoteService& service) {
  const auto found = known_.find(service.name);
  if (found == known_.end() || !same_documents(found->second.service, service)) return nullptr;
  return &found->second;
}

void KnownDocuments::learn_resources(const RemoteService& service, Text resources,
                                     std::string etag) {
  const std::lock_guard lock(mu_);
  Known* known = same(service);
  if (known == nullptr) return;
  known->resources = std::move(resources);
  known->failed = known->failure_told = false;
  known->etag = std::move(etag);
  make_snapshot();
}

bool KnownDocuments::learn_failure(const RemoteService& service) {
  const std::lock_guard lock(mu_);
  Known* known = same(service);
  if (known == nullptr) return false;
  const bool is_news = !known->failure_told;
  known->failed = known->failure_told = true;
  known->etag.clear();
  make_snapshot();
  return is_news;
}

void KnownDocuments::learn_no_change(const RemoteService& service) {
  const std::lock_guard lock(mu_);
  Known* known = same(service);
  if (known == nullptr || known->resources == nullptr) return;
  known->failed = known->failure_told = false;
  make_snapshot();
}

void KnownDocuments::learn_v2(const RemoteService& service, Text part, std::string hash,
                              std::string etag) {
  const std::lock_guard lock(mu_);
  Known* known = same(service);
  if (known == nullptr) return;
  known->v2 = std::move(part);
  known->v2_hash = std::move(hash);
  known->v2_etag = std::move(etag);
  make_snapshot();
}

void KnownDocuments::learn_v3(const RemoteService& service, std::string hash, std::string etag) {
  const std::lock_guard lock(mu_);
  Known* known = same(service);
  if (known == nullptr) return;
  known->v3_hash = std::move(hash);
  known->v3_etag = std::move(etag);
  known->v3_is_made_of_v2 = false;
  make_snapshot();
}

void KnownDocuments::learn_v3_is_made_of_v2(const RemoteService& service) {
  const std::lock_guard lock(mu_);
  Known* known = same(service);
  if (known == nullptr) return;
  known->v3_hash.clear();
  known->v3_etag.clear();
  known->v3_is_made_of_v2 = true;
  make_snapshot();
}

Text KnownDocuments::v2_instead_of_v3(std::string_view path) const {
  const std::lock_guard lock(mu_);
  for (const auto& [name, known] : known_) {
    if (known.v3_is_made_of_v2 && openapi_path(known.service) == path) return known.v2;
  }
  return nullptr;
}

template <typename Read>
std::string KnownDocuments::common(const std::vector<RemoteService>& services, Read read) const {
  const std::lock_guard lock(mu_);
  std::optional<std::string> out;
  for (const RemoteService& service : services) {
    const auto found = known_.find(service.name);
    if (found == known_.end()) return {};
    const std::string& etag = read(found->second);
    if (out && *out != etag) return {};
    out = etag;
  }
  return out.value_or("");
}

std::string KnownDocuments::discovery_etag(const std::vector<RemoteService>& services) const {
  return common(services, [](const Known& known) -> const std::string& { return known.etag; });
}
std::string KnownDocuments::v2_etag(const std::vector<RemoteService>& services) const {
  return common(services, [](const Known& known) -> const std::string& { return known.v2_etag; });
}
std::string KnownDocuments::v3_etag(const std::vector<RemoteService>& services) const {
  return common(services, [](const Known& known) -> const std::string& { return known.v3_etag; });
}

api::RemoteSnapshotPtr KnownDocuments::snapshot() const {
  const std::lock_guard lock(mu_);
  return snapshot_;
}

// Everything in it is sorted: what it says depends on what is known and not on when it was learnt.
void KnownDocuments::make_snapshot() {
  std::vector<const Known*> by_priority;
  auto made = std::make_shared<api::RemoteSnapshot>();
  for (const auto& [name, known] : known_) {
    by_priority.push_back(&known);
    const RemoteService& service = known.service;
    publish::RemoteVersion version;
    version.group = service.group;
    version.version = service.version;
    version.group_priority = service.group_priority;
    version.version_priority = service.version_priority;
    version.stale = known.failed || !service.available;
    version.resources = known.resources;
    made->versions.push_back(std::move(version));
    const std::string& v3_hash = known.v3_is_made_of_v2 ? known.v2_hash : known.v3_hash;
    if (!v3_hash.empty()) made->openapi_v3.emplace(openapi_path(service), v3_hash);
  }
  // As kube-apiserver 1.36 merges them; by name where the priorities are equal.
  std::ranges::sort(by_priority, [](const Known* a, const Known* b) {
    if (a->service.group_priority != b->service.group_priority)
      return a->service.group_priority > b->service.group_priority;
    return a->service.name < b->service.name;
  });
  std::size_t bytes = 0;
  std::string left_out;
  for (const Known* known : by_priority) {
    if (known->v2 == nullptr) continue;
    bytes += known->v2->size();
    if (bytes > most_v2_bytes_) {
      left_out = known->service.name;
      break;
    }
    made->openapi_v2.push_back(known->v2);
  }
  // Once there was one, an empty snapshot says that there are none any more.
  if (known_.empty() && snapshot_ == nullptr) return;
  if (snapshot_ != nullptr && same_content(*snapshot_, *made)) return;
  if (!left_out.empty()) {
    log::get("aggregator")
        .warn("OpenAPI documents of APIServices are too large together", {{"without", left_out}});
  }
  made->generation = ++generation_;
  made->openapi_v2_generation = snapshot_ != nullptr && same_v2(*snapshot_, *made)
                                    ? snapshot_->openapi_v2_generation
                                    : generation_;
  snapshot_ = std::move(made);
}

}  // namespace strake::aggregator
