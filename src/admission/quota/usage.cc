#include "admission/quota/usage.h"

#include <algorithm>
#include <utility>

namespace strake::admission {
namespace {

// Empty for objects outside of namespaces.
std::string_view namespace_in(std::string_view key, std::string_view prefix) {
  key.remove_prefix(prefix.size());
  const std::size_t slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

}  // namespace

Usage::Usage(api::Hub& hub)
    : hub_(hub),
      quotas_(hub.cache("/registry/resourcequotas/")),
      events_(hub.cache("/registry/events/")) {
  hub_.listen(*this, {});
}

void Usage::end() { hub_.ignore(*this); }

std::int64_t Usage::count(std::string_view namespace_name, const api::ResourceCache& of) const {
  const std::lock_guard lock(mu_);
  const auto found = counts_.find(namespace_name);
  if (found == counts_.end()) return 0;
  for (const auto& [cache, counted] : found->second) {
    if (cache == &of) return counted.stored + counted.charged;
  }
  return 0;
}

void Usage::on_drift(std::function<void(std::set<std::string>)> tell) {
  const std::lock_guard lock(mu_);
  on_drift_ = std::move(tell);
}

void Usage::on_change(api::ResourceCache& cache, const api::Change& change) {
  // Quotas do not count events.
  if (&cache == &events_) return;
  const bool created = !change.deleted && !change.previous;
  // What is in a namespace does not change otherwise, but a quota does.
  if (!created && !change.deleted && &cache != &quotas_) return;
  const std::string& key = change.object->key();
  const std::string_view where = namespace_in(key, cache.prefix());
  if (where.empty()) return;
  const std::lock_guard lock(mu_);
  bool charged = false;
  if (created || change.deleted) {
    Counted& counts = counted(where, cache);
    counts.stored += created ? 1 : -1;
    if (created) {
      // When several want the same name one gets it, whichever it is: the others end by themselves.
      if (const auto waits = waiting_.find(key); waits != waiting_.end()) {
        charged = true;
        --counts.charged;
        wait_no_longer(*waits->second.front());
      }
    }
  }
  if (!charged && has_quotas(where)) drifted_.emplace(where);
}

void Usage::on_told(api::Revision) {
  std::set<std::string> drifted;
  std::function<void(std::set<std::string>)> tell;
  {
    const std::lock_guard lock(mu_);
    if (drifted_.empty() || !on_drift_) return;
    drifted.swap(drifted_);
    tell = on_drift_;
  }
  tell(std::move(drifted));
}

Usage::Counted& Usage::counted(std::string_view namespace_name, const api::ResourceCache& of) {
  auto found = counts_.find(namespace_name);
  if (found == counts_.end()) found = counts_.emplace(std::string(namespace_name), Counts()).first;
  for (auto& [cache, counts] : found->second) {
    if (cache == &of) return counts;
  }
  return found->second.emplace_back(&of, Counted()).second;
}

bool Usage::has_quotas(std::string_view namespace_name) const {
  const auto found = counts_.find(namespace_name);
  return found != counts_.end() && std::ranges::any_of(found->second, [&](const auto& one) {
           return one.first == &quotas_ && one.second.stored > 0;
         });
}

void Usage::wait_for_object(Charge& charge) {
  waiting_[charge.key_].push_back(&charge);
  charge.waiting_ = true;
}

void Usage::wait_no_longer(Charge& charge) {
  const auto found = waiting_.find(charge.key_);
  std::erase(found->second, &charge);
  if (found->second.empty()) waiting_.erase(found);
  charge.waiting_ = false;
}

Usage::Charge::Charge(std::shared_ptr<Usage> usage, std::string namespace_name,
                      const api::ResourceCache& of, std::string key)
    : usage_(std::move(usage)),
      namespace_name_(std::move(namespace_name)),
      of_(of),
      key_(std::move(key)) {
  const std::lock_guard lock(usage_->mu_);
  ++usage_->counted(namespace_name_, of_).charged;
  usage_->wait_for_object(*this);
}

Usage::Charge::~Charge() {
  std::function<void(std::set<std::string>)> tell;
  {
    const std::lock_guard lock(usage_->mu_);
    if (!waiting_) return;
    usage_->wait_no_longer(*this);
    --usage_->counted(namespace_name_, of_).charged;
    tell = usage_->on_drift_;
  }
  if (tell) tell({namespace_name_});
}

bool Usage::Charge::move_to(std::string key) {
  const std::lock_guard lock(usage_->mu_);
  if (!waiting_) return false;
  usage_->wait_no_longer(*this);
  key_ = std::move(key);
  usage_->wait_for_object(*this);
  return true;
}

}  // namespace strake::admission
