#include "admission/quota/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "meta/object_meta.h"

namespace strake::admission {
namespace {

// Empty for objects outside of namespaces.
std::string_view namespace_in(std::string_view key, std::string_view prefix) {
  key.remove_prefix(prefix.size());
  const std::size_t slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

template <typename T>
T* find_in(std::vector<std::pair<const api::ResourceCache*, T>>& all,
           const api::ResourceCache& of) {
  const auto found = std::ranges::find(all, &of, [](const auto& one) { return one.first; });
  return found == all.end() ? nullptr : &found->second;
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
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

void Usage::follow(std::string_view namespace_name, const api::ResourceCache& of) {
  const std::lock_guard lock(mu_);
  auto& all = followed_[std::string(namespace_name)];
  if (find_in(all, of) == nullptr) all.emplace_back(&of, News());
}

void Usage::unfollow(std::string_view namespace_name, const api::ResourceCache& of) {
  const std::lock_guard lock(mu_);
  const auto found = followed_.find(namespace_name);
  if (found == followed_.end()) return;
  std::erase_if(found->second, [&](const auto& one) { return one.first == &of; });
  if (found->second.empty()) followed_.erase(found);
}

Usage::News Usage::take(std::string_view namespace_name, const api::ResourceCache& of) {
  const std::lock_guard lock(mu_);
  News* news = news_of(namespace_name, of);
  return news != nullptr ? std::exchange(*news, News()) : News();
}

void Usage::on_drift(std::function<void(std::set<std::string>)> tell) {
  const std::lock_guard lock(mu_);
  on_drift_ = std::move(tell);
}

void Usage::on_change(api::ResourceCache& cache, const api::Change& change) {
  // Quotas do not count events.
  if (&cache == &events_) return;
  const bool created = !change.deleted && !change.previous;
  const std::string& key = change.object->key();
  const std::string_view where = namespace_in(key, cache.prefix());
  if (where.empty()) return;
  const std::lock_guard lock(mu_);
  if (created || change.deleted) count_more(where, cache, &Counted::stored, created ? 1 : -1);
  const bool charged = created && end_stored_charge(*change.object);
  if (!created) end_charges_before(key, change.revision);
  News* news = news_of(where, cache);
  if (news != nullptr)
    news->objects.insert_or_assign(key, change.deleted ? nullptr : change.object);
  // How many objects there are does not change otherwise, but a quota does.
  const bool matters = created || change.deleted || &cache == &quotas_ || news != nullptr;
  if (matters && !charged && (has_quotas(where) || followed_.contains(where)))
    drifted_.emplace(where);
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

// What has come to nothing is forgotten, so that namespaces that are gone leave nothing here.
void Usage::count_more(std::string_view namespace_name, const api::ResourceCache& of,
                       std::int64_t Counted::* number, std::int64_t more) {
  auto found = counts_.find(namespace_name);
  if (found == counts_.end())
    found = counts_.emplace(std::string(namespace_name), ByResource<Counted>()).first;
  Counted* counted = find_in(found->second, of);
  if (counted == nullptr) counted = &found->second.emplace_back(&of, Counted()).second;
  counted->*number += more;
  if (counted->stored != 0 || counted->charged != 0) return;
  std::erase_if(found->second, [&](const auto& one) { return one.first == &of; });
  if (found->second.empty()) counts_.erase(found);
}

bool Usage::has_quotas(std::string_view namespace_name) const {
  const auto found = counts_.find(namespace_name);
  return found != counts_.end() && std::ranges::any_of(found->second, [&](const auto& one) {
           return one.first == &quotas_ && one.second.stored > 0;
         });
}

Usage::News* Usage::news_of(std::string_view namespace_name, const api::ResourceCache& of) {
  const auto found = followed_.find(namespace_name);
  return found == followed_.end() ? nullptr : find_in(found->second, of);
}

// When several want the same name one gets it: that which made this object. The others may still
// get it when it is deleted again, or end by themselves.
bool Usage::end_stored_charge(const api::Object& created) {
  const auto found = waiting_.find(created.key());
  if (found == waiting_.end()) return false;
  const auto own = std::ranges::find_if(found->second, [&](const Charge* one) {
    return one->base_ == 0 && created.bytes()->contains(fmt::format("\"uid\":\"{}\"", one->uid_));
  });
  if (own == found->second.end()) return false;
  end_charge(**own);
  return true;
}

// One of them has been stored. The others want to change what is not there any more.
void Usage::end_charges_before(const std::string& key, api::Revision revision) {
  const auto found = waiting_.find(key);
  if (found == waiting_.end()) return;
  for (Charge* one : std::vector<Charge*>(found->second)) {
    if (one->base_ != 0 && one->base_ < revision) end_charge(*one);
  }
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

void Usage::end_charge(Charge& charge) {
  wait_no_longer(charge);
  if (charge.counted_) {
    count_more(charge.namespace_name_, charge.of_, &Counted::charged, -1);
  } else if (News* news = news_of(charge.namespace_name_, charge.of_)) {
    news->ended.push_back(charge.id_);
  }
}

Usage::Charge::Charge(std::shared_ptr<Usage> usage, std::string namespace_name,
                      const Demand& demand)
    : usage_(std::move(usage)),
      namespace_name_(std::move(namespace_name)),
      of_(*demand.cache),
      counted_(demand.evaluator == nullptr),
      base_(demand.base),
      uid_(meta::ObjectMeta::of(*demand.object).uid()),
      id_(next_id()),
      key_(demand.key) {}

std::unique_ptr<Usage::Charge> Usage::Charge::make(std::shared_ptr<Usage> usage,
                                                   std::string namespace_name,
                                                   const Demand& demand) {
  Usage& to = *usage;
  std::unique_ptr<Charge> out(new Charge(std::move(usage), std::move(namespace_name), demand));
  // Changes after this one are told when the charge can hear of them.
  const std::lock_guard lock(to.mu_);
  if (out->base_ != 0) {
    const api::ObjectPtr current = demand.cache->get(demand.key);
    if (!current || current->revision() != out->base_) return nullptr;
  }
  if (out->counted_) to.count_more(out->namespace_name_, out->of_, &Counted::charged, 1);
  to.wait_for_object(*out);
  return out;
}

Usage::Charge::~Charge() {
  std::function<void(std::set<std::string>)> tell;
  {
    const std::lock_guard lock(usage_->mu_);
    if (!waiting_) return;
    usage_->end_charge(*this);
    tell = usage_->on_drift_;
  }
  if (tell) tell({namespace_name_});
}

bool Usage::Charge::move_to(const api::ResourceCache& of, std::string key) {
  const std::lock_guard lock(usage_->mu_);
  if (!waiting_ || base_ != 0 || &of_ != &of) return false;
  usage_->wait_no_longer(*this);
  key_ = std::move(key);
  usage_->wait_for_object(*this);
  return true;
}

}  // namespace strake::admission
