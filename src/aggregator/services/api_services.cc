#include "aggregator/services/api_services.h"

#include <algorithm>

#include "base/base64.h"
#include "kinds/fields.h"
#include "meta/gvk.h"
#include "value/document.h"
#include "value/fields.h"

namespace strake::aggregator {
namespace {

using value::text_of;
using value::Value;

constexpr std::string_view kApiServices = "/registry/apiregistration.k8s.io/apiservices/";
constexpr std::string_view kAll = "all";

Result<ApiServicePtr> read_api_service(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  const Value& metadata = document.root().get("metadata");
  const Value& spec = document.root().get("spec");
  auto out = std::make_shared<ApiService>();
  out->name = object.name();
  out->uid = text_of(metadata, "uid");
  out->group = text_of(spec, "group");
  out->version = text_of(spec, "version");
  out->group_priority = kinds::integer(spec, "groupPriorityMinimum");
  out->version_priority = kinds::integer(spec, "versionPriority");
  if (const Value* service = kinds::member(spec, "service")) {
    out->service = {.namespace_name = std::string(text_of(*service, "namespace")),
                    .name = std::string(text_of(*service, "name")),
                    .port = static_cast<std::uint16_t>(kinds::integer(*service, "port"))};
  }
  STRAKE_TRY(out->ca_bundle, base64_decode(text_of(spec, "caBundle")));
  out->skips_tls_verify = value::flag_of(spec, "insecureSkipTLSVerify");
  out->automanaged = text_of(metadata.get("labels"), kAutomanaged);
  for (const Value& one : kinds::items(document.root().get("status"), "conditions")) {
    if (text_of(one, "type") != "Available") continue;
    out->available = {.status = std::string(text_of(one, "status")),
                      .reason = std::string(text_of(one, "reason")),
                      .message = std::string(text_of(one, "message"))};
    break;
  }
  return out;
}

bool group_goes_before(const ApiServicePtr& a, const ApiServicePtr& b) {
  if (a->group_priority != b->group_priority) return a->group_priority > b->group_priority;
  return a->name < b->name;
}

bool version_goes_before(const ApiServicePtr& a, const ApiServicePtr& b) {
  if (a->version_priority != b->version_priority) return a->version_priority > b->version_priority;
  return meta::version_precedes(a->version, b->version);
}

}  // namespace

class ApiServices::Entries final : public api::Informer<ApiServicePtr> {
 public:
  explicit Entries(api::Hub& hub)
      : Informer(hub, {.prefixes = {std::string(kApiServices)},
                       .read = read_api_service,
                       .indexes = {{std::string(kAll), [](const ApiServicePtr&) {
                                      return std::vector<std::string>{std::string(kAll)};
                                    }}}}) {}
};

const ApiServices::Snapshot::Group* ApiServices::Snapshot::find(std::string_view group) const {
  const auto found = places_.find(group);
  return found == places_.end() ? nullptr : &groups[found->second];
}

ApiServicePtr ApiServices::Snapshot::find(std::string_view group, std::string_view version) const {
  const Group* of = find(group);
  if (of == nullptr) return nullptr;
  const auto found = std::ranges::find(of->versions, version, [](const ApiServicePtr& one) {
    return std::string_view(one->version);
  });
  return found == of->versions.end() ? nullptr : *found;
}

ApiServices::ApiServices(api::Hub& hub)
    : entries_(std::make_unique<Entries>(hub)), current_(std::make_shared<const Snapshot>()) {}

ApiServices::~ApiServices() = default;

ApiServices::SnapshotPtr ApiServices::snapshot() {
  if (built_.load(std::memory_order_acquire) != entries_->changed()) build();
  return current_.load(std::memory_order_acquire);
}

bool ApiServices::any_remote() {
  if (built_.load(std::memory_order_acquire) != entries_->changed()) build();
  return may_be_remote_.load(std::memory_order_acquire);
}

ApiServicePtr ApiServices::find_remote(std::string_view group, std::string_view version) {
  if (!any_remote()) return nullptr;
  ApiServicePtr found = snapshot()->find(group, version);
  return found && !found->is_local() ? found : nullptr;
}

api::InformerBase& ApiServices::changes() { return *entries_; }

void ApiServices::build() {
  const std::lock_guard lock(building_);
  // Read before the view is taken: what comes in between is built again.
  const api::Revision revision = entries_->changed();
  if (built_.load(std::memory_order_acquire) == revision) return;
  std::vector<ApiServicePtr> all;
  {
    const Entries::View view = entries_->view();
    view.for_each(kAll, kAll, [&](const auto& one) {
      if (one) all.push_back(*one);
    });
  }
  std::ranges::sort(all, group_goes_before);
  auto made = std::make_shared<Snapshot>();
  made->generation = ++generation_;
  // Names of the groups lie in the entries that the snapshot holds.
  for (const ApiServicePtr& one : all) {
    const auto [place, is_new] = made->places_.try_emplace(one->group, made->groups.size());
    if (is_new) made->groups.push_back({.name = one->group, .versions = {}});
    made->groups[place->second].versions.push_back(one);
    made->any_remote = made->any_remote || !one->is_local();
  }
  for (Snapshot::Group& one : made->groups) std::ranges::sort(one.versions, version_goes_before);
  const bool any_remote = made->any_remote;
  current_.store(std::move(made), std::memory_order_release);
  may_be_remote_.store(any_remote, std::memory_order_release);
  built_.store(revision, std::memory_order_release);
}

}  // namespace strake::aggregator
