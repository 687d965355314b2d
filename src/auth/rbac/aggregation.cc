#include "auth/rbac/aggregation.h"

#include <algorithm>

#include "api/verbs/write.h"

namespace strake::auth {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kPrefix = "/registry/clusterroles/";
constexpr std::chrono::milliseconds kDone{0};
constexpr std::chrono::milliseconds kTryAgain{1000};

Result<ClusterRoleFacts> read_cluster_role(const api::Object& object) {
  STRAKE_TRY(const Document document, api::parse_stored(*object.bytes()));
  ClusterRoleFacts out;
  out.name = object.name();
  for (const auto& [key, text] : object.labels()) out.labels.emplace_back(key, text);
  out.rules = read_rules(document.root());
  const Value* sum = document.root().find("aggregationRule");
  const Value* selectors =
      sum != nullptr && sum->is_object() ? sum->find("clusterRoleSelectors") : nullptr;
  if (selectors == nullptr || !selectors->is_array()) return out;
  for (const Value& one : selectors->items()) {
    STRAKE_TRY(meta::LabelSelector selector, meta::LabelSelector::from_value(&one));
    out.sums_up.push_back(std::move(selector));
  }
  return out;
}

bool is_summed_up(const ClusterRoleFacts& role, const meta::LabelSelector& selector) {
  return selector.matches_with([&](std::string_view key) -> std::optional<std::string_view> {
    const auto found =
        std::ranges::find(role.labels, key, &std::pair<std::string, std::string>::first);
    return found != role.labels.end() ? std::optional<std::string_view>(found->second)
                                      : std::nullopt;
  });
}

}  // namespace

ClusterRoleInformer::ClusterRoleInformer(api::Hub& hub)
    : Informer(hub, {.prefixes = {std::string(kPrefix)},
                     .read = read_cluster_role,
                     .indexes = {{"is", [](const ClusterRoleFacts& facts) {
                                    std::vector<std::string> out = {"role"};
                                    if (!facts.sums_up.empty()) out.emplace_back("sum");
                                    return out;
                                  }}}}) {}

std::vector<PolicyRule> ClusterRoleInformer::sum_of(const View& now, const ClusterRoleFacts& sum) {
  std::vector<PolicyRule> out;
  for (const meta::LabelSelector& selector : sum.sums_up) {
    // The index is in the order of keys, and so of names.
    now.for_each("is", "role", [&](const Known& role) {
      if (role->name == sum.name || !is_summed_up(*role, selector)) return;
      for (const PolicyRule& rule : role->rules) {
        if (std::ranges::find(out, rule) == out.end()) out.push_back(rule);
      }
    });
  }
  return out;
}

std::vector<ClusterRoleInformer::Sum> ClusterRoleInformer::wrong_sums() {
  std::vector<Sum> out;
  const View now = view();
  now.for_each("is", "sum", [&](const Known& role) {
    Sum wanted{.name = role->name, .rules = sum_of(now, *role)};
    if (wanted.rules != role->rules) out.push_back(std::move(wanted));
  });
  return out;
}

boost::asio::awaitable<std::chrono::milliseconds> RoleAggregation::sync(std::string,
                                                                        api::ObjectPtr) {
  // Any role may be a part of any sum. Many changes that come together are looked at once.
  const api::Revision now = roles_.changed();
  if (now == settled_) co_return kDone;
  const api::EndpointPtr endpoint = core().registry.find(kRbacGroup, "clusterroles");
  if (!endpoint) co_return kTryAgain;
  bool done = true;
  for (const ClusterRoleInformer::Sum& wanted : roles_.wrong_sums()) {
    api::Call call = api::internal_call(core(), endpoint, "", wanted.name);
    const auto written = co_await api::edit_object(
        core(), call, {.manager = "clusterrole-aggregation-controller", .apply = [&](Document& to) {
                         to.root().set("rules", write_rules(wanted.rules, to.arena()), to.arena());
                       }});
    done = done && (written || written.error().reason == "NotFound");
  }
  if (done) settled_ = now;
  co_return done ? kDone : kTryAgain;
}

}  // namespace strake::auth
