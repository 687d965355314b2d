#include "api/request/roles.h"

#include <algorithm>

namespace strake::api {
namespace {

void write_rule_list(value::Value& rule, std::string_view key,
                     const std::vector<std::string>& texts, Arena& arena) {
  if (texts.empty()) return;
  value::Value list = value::Value::array({});
  for (const std::string& one : texts) list.append(value::Value::string(arena.copy(one)), arena);
  rule.set(key, list, arena);
}

}  // namespace

bool User::in_group(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

boost::asio::awaitable<Authorizer::Decision> Authorizer::ask(User user, RequestInfo request,
                                                             CancelToken) const {
  co_return authorize(user, request);
}

value::Value write_rules(std::span<const PolicyRule> rules, Arena& arena) {
  value::Value out = value::Value::array({});
  for (const PolicyRule& one : rules) {
    value::Value rule = value::Value::object({});
    write_rule_list(rule, "apiGroups", one.api_groups, arena);
    write_rule_list(rule, "nonResourceURLs", one.non_resource_urls, arena);
    write_rule_list(rule, "resourceNames", one.resource_names, arena);
    write_rule_list(rule, "resources", one.resources, arena);
    write_rule_list(rule, "verbs", one.verbs, arena);
    out.append(rule, arena);
  }
  return out;
}

}  // namespace strake::api
