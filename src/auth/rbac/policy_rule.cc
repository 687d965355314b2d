#include "auth/rbac/policy_rule.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/quote.h"

namespace strake::auth {
namespace {

using value::Value;
using Texts = std::vector<std::string>;

constexpr std::string_view kAnything = "*";

bool has(const Texts& texts, std::string_view one) {
  return std::ranges::find(texts, one) != texts.end();
}

bool has_or_all(const Texts& texts, std::string_view one) {
  return std::ranges::any_of(texts, [&](const std::string& t) { return t == kAnything || t == one; });
}

// "pods/log" is asked for by itself, and matched by "*/log".
bool matches_resource(const PolicyRule& rule, const api::RequestInfo& request) {
  const std::string& resource = request.resource;
  const std::string& sub = request.subresource;
  return std::ranges::any_of(rule.resources, [&](std::string_view one) {
    if (one == kAnything) return true;
    if (sub.empty()) return one == resource;
    if (!one.ends_with(sub) || one.size() <= sub.size()) return false;
    one.remove_suffix(sub.size());
    if (one.back() != '/') return false;
    one.remove_suffix(1);
    return one == kAnything || one == resource;
  });
}

bool matches_url(std::string_view pattern, std::string_view path) {
  if (pattern == kAnything || pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

Texts read_texts(const Value& rule, std::string_view key) {
  Texts out;
  const Value* list = rule.find(key);
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& one : list->items()) {
    if (one.is_string()) out.emplace_back(one.as_string());
  }
  return out;
}

std::string describe(const PolicyRule& rule) {
  std::string out = "{";
  const auto part = [&](std::string_view name, const Texts& texts) {
    if (texts.empty()) return;
    if (out.size() > 1) out += ", ";
    out.append(name).append(":").append(quote_list(texts));
  };
  part("APIGroups", rule.api_groups);
  part("Resources", rule.resources);
  part("NonResourceURLs", rule.non_resource_urls);
  part("ResourceNames", rule.resource_names);
  part("Verbs", rule.verbs);
  return out + "}";
}

}  // namespace

std::vector<PolicyRule> read_rules(const Value& role) {
  std::vector<PolicyRule> out;
  const Value* rules = role.find("rules");
  if (rules == nullptr || !rules->is_array()) return out;
  for (const Value& one : rules->items()) {
    if (!one.is_object()) continue;
    out.push_back({.verbs = read_texts(one, "verbs"),
                   .api_groups = read_texts(one, "apiGroups"),
                   .resources = read_texts(one, "resources"),
                   .resource_names = read_texts(one, "resourceNames"),
                   .non_resource_urls = read_texts(one, "nonResourceURLs")});
  }
  return out;
}

bool allows(const PolicyRule& rule, const api::RequestInfo& request) {
  if (!has_or_all(rule.verbs, request.verb)) return false;
  if (!request.is_resource) {
    return std::ranges::any_of(rule.non_resource_urls, [&](const std::string& url) {
      return matches_url(url, request.path);
    });
  }
  return has_or_all(rule.api_groups, request.group) && matches_resource(rule, request) &&
         (rule.resource_names.empty() || has(rule.resource_names, request.name));
}

std::string describe(std::span<const PolicyRule> rules) {
  // Parts that differ in nothing but the verb are one line.
  std::map<std::tuple<std::string, std::string, Texts>, PolicyRule> of_one_resource;
  std::set<std::string> lines;
  for (const PolicyRule& rule : rules) {
    const bool simple = rule.api_groups.size() == 1 && rule.resources.size() == 1 &&
                        rule.resource_names.size() <= 1 && rule.non_resource_urls.empty();
    if (!simple) {
      lines.insert(describe(rule));
      continue;
    }
    const auto [place, is_new] = of_one_resource.try_emplace(
        {rule.api_groups.front(), rule.resources.front(), rule.resource_names}, rule);
    if (!is_new)
      place->second.verbs.insert(place->second.verbs.end(), rule.verbs.begin(), rule.verbs.end());
  }
  for (const auto& [key, rule] : of_one_resource) lines.insert(describe(rule));
  std::string out;
  for (const std::string& line : lines) out.append(out.empty() ? "" : "\n").append(line);
  return out;
}

}  // namespace strake::auth
