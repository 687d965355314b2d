#include "api/flow_control/flow_facts.h"

#include <algorithm>

#include "meta/object_meta.h"
#include "value/document.h"
#include "value/fields.h"

namespace strake::api {
namespace {

using value::text_of;
using value::Value;

constexpr std::string_view kAll = "*";
constexpr std::string_view kAccountPrefix = "system:serviceaccount:";

NameSet names_in(const Value& object, std::string_view key) {
  NameSet out;
  for (const Value& one : object.get(key).items()) {
    const std::string_view name = text_of(one);
    out.all = out.all || name == kAll;
    out.names.emplace_back(name);
  }
  return out;
}

std::int64_t number_in(const Value& object, std::string_view key) {
  const Value& found = object.get(key);
  return found.type() == value::Type::kInt ? found.as_int() : 0;
}

void add_subject(const Value& subject, FlowRule& rule) {
  const auto add = [](std::string_view name, NameSet& to) {
    to.all = to.all || name == kAll;
    to.names.emplace_back(name);
  };
  const std::string_view kind = text_of(subject, "kind");
  if (kind == "User") add(text_of(subject.get("user"), "name"), rule.users);
  if (kind == "Group") add(text_of(subject.get("group"), "name"), rule.groups);
  if (kind != "ServiceAccount") return;
  const Value& account = subject.get("serviceAccount");
  rule.accounts.push_back({.namespace_name = std::string(text_of(account, "namespace")),
                           .name = std::string(text_of(account, "name"))});
}

FlowRule read_rule(const Value& rule) {
  FlowRule out;
  for (const Value& one : rule.get("subjects").items()) add_subject(one, out);
  for (const Value& one : rule.get("resourceRules").items()) {
    out.resources.push_back({.verbs = names_in(one, "verbs"),
                             .groups = names_in(one, "apiGroups"),
                             .resources = names_in(one, "resources"),
                             .namespaces = names_in(one, "namespaces"),
                             .cluster_scope = value::flag_of(one, "clusterScope")});
  }
  for (const Value& one : rule.get("nonResourceRules").items()) {
    out.urls.push_back(
        {.verbs = names_in(one, "verbs"), .paths = names_in(one, "nonResourceURLs").names});
  }
  return out;
}

// Whether `whole` is the resource with its subresource, as rules write it.
bool is_resource(std::string_view whole, const RequestInfo& info) {
  if (!whole.starts_with(info.resource)) return false;
  whole.remove_prefix(info.resource.size());
  if (info.subresource.empty()) return whole.empty();
  return whole.starts_with('/') && whole.substr(1) == info.subresource;
}

bool is_about(const FlowRule::Resources& rule, const RequestInfo& info) {
  if (!rule.verbs.has(info.verb) || !rule.groups.has(info.group)) return false;
  if (!rule.resources.all &&
      std::ranges::none_of(rule.resources.names,
                           [&](const std::string& one) { return is_resource(one, info); })) {
    return false;
  }
  return info.namespace_name.empty() ? rule.cluster_scope
                                     : rule.namespaces.has(info.namespace_name);
}

// As kube-apiserver 1.36 matches: a path stands for what is below it too, with or without "/*".
bool is_below(std::string_view rule, std::string_view path) {
  if (rule == kAll || rule == path) return true;
  if (rule.ends_with('*')) rule.remove_suffix(1);
  if (!path.starts_with(rule)) return false;
  return rule.ends_with('/') || path.substr(rule.size()).starts_with('/');
}

bool is_account(std::string_view user, const FlowRule::Account& account) {
  if (!user.starts_with(kAccountPrefix)) return false;
  user.remove_prefix(kAccountPrefix.size());
  if (!user.starts_with(account.namespace_name)) return false;
  user.remove_prefix(account.namespace_name.size());
  if (!user.starts_with(':')) return false;
  return account.name == kAll || user.substr(1) == account.name;
}

}  // namespace

bool NameSet::has(std::string_view name) const {
  return all || std::ranges::find(names, name) != names.end();
}

bool FlowRule::is_about(const User& user) const {
  if (users.has(user.name) || groups.all) return true;
  for (const std::string& group : user.groups) {
    if (groups.has(group)) return true;
  }
  return std::ranges::any_of(accounts,
                             [&](const Account& one) { return is_account(user.name, one); });
}

bool FlowRule::is_about(const RequestInfo& info) const {
  if (info.is_resource) {
    return std::ranges::any_of(
        resources, [&](const Resources& one) { return strake::api::is_about(one, info); });
  }
  return std::ranges::any_of(urls, [&](const Urls& one) {
    return one.verbs.has(info.verb) && std::ranges::any_of(one.paths, [&](const std::string& path) {
             return is_below(path, info.path);
           });
  });
}

std::string_view FlowSchemaFacts::flow_of(const User& user, const RequestInfo& info) const {
  switch (distinguisher) {
    case Distinguisher::kUser: return user.name;
    case Distinguisher::kNamespace: return info.namespace_name;
    case Distinguisher::kNone: break;
  }
  return {};
}

FlowSchemaFacts read_flow_schema(const Value& object) {
  const auto metadata = meta::ObjectMeta::of(object);
  const Value& spec = object.get("spec");
  FlowSchemaFacts out{.name = std::string(metadata.name()),
                      .uid = std::string(metadata.uid()),
                      .level = std::string(text_of(spec.get("priorityLevelConfiguration"), "name")),
                      .precedence = number_in(spec, "matchingPrecedence"),
                      .rules = {}};
  const std::string_view method = text_of(spec.get("distinguisherMethod"), "type");
  if (method == "ByUser") out.distinguisher = FlowSchemaFacts::Distinguisher::kUser;
  if (method == "ByNamespace") out.distinguisher = FlowSchemaFacts::Distinguisher::kNamespace;
  for (const Value& one : spec.get("rules").items()) out.rules.push_back(read_rule(one));
  return out;
}

PriorityLevelFacts read_priority_level(const Value& object) {
  const auto metadata = meta::ObjectMeta::of(object);
  const Value& spec = object.get("spec");
  const bool exempt = text_of(spec, "type") == "Exempt";
  const Value& of = spec.get(exempt ? "exempt" : "limited");
  PriorityLevelFacts out{.name = std::string(metadata.name()),
                         .uid = std::string(metadata.uid()),
                         .shares = {.shares = number_in(of, "nominalConcurrencyShares"),
                                    .lendable_percent = number_in(of, "lendablePercent")},
                         .settings = {}};
  const Value& borrowing = of.get("borrowingLimitPercent");
  if (borrowing.type() == value::Type::kInt) out.shares.borrowing_percent = borrowing.as_int();
  const Value& response = of.get("limitResponse");
  if (exempt) {
    out.settings.mode = FairQueues::Mode::kExempt;
  } else if (text_of(response, "type") == "Queue") {
    const Value& queuing = response.get("queuing");
    const auto number = [&](std::string_view key) {
      return static_cast<int>(std::max<std::int64_t>(1, number_in(queuing, key)));
    };
    out.settings.mode = FairQueues::Mode::kQueue;
    out.settings.dealer = Dealer(
        number("queues"), std::min({number("handSize"), number("queues"), Dealer::kLargestHand}));
    out.settings.length = number("queueLengthLimit");
  }
  return out;
}

Result<FlowFacts> read_flow_facts(const Object& object) {
  STRAKE_TRY(const value::Document document, parse_stored(*object.bytes()));
  if (std::string_view(object.key()).starts_with(kFlowSchemas))
    return FlowFacts(read_flow_schema(document.root()));
  return FlowFacts(read_priority_level(document.root()));
}

}  // namespace strake::api
