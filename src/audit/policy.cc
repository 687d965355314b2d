#include "audit/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "value/fields.h"
#include "value/known_keys.h"
#include "value/yaml_reader.h"

namespace strake::audit {
namespace {

using api::RequestInfo;
using value::Value;

constexpr std::string_view kLevels[] = {"None", "Metadata", "Request", "RequestResponse"};
constexpr std::string_view kStages[] = {"RequestReceived", "ResponseStarted", "ResponseComplete",
                                        "Panic"};
constexpr std::size_t kMostBytes = 1 << 20;

bool has(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool matches_url(std::string_view pattern, std::string_view path) {
  if (pattern == "*" || pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

// "*", "pods", "pods/log", "pods/*" or "*/scale".
bool names_resource(std::string_view pattern, const RequestInfo& request) {
  if (pattern == "*") return true;
  const std::size_t slash = pattern.find('/');
  if (slash == std::string_view::npos)
    return request.subresource.empty() && pattern == request.resource;
  const std::string_view resource = pattern.substr(0, slash);
  const std::string_view subresource = pattern.substr(slash + 1);
  if (resource == "*") return !request.subresource.empty() && subresource == request.subresource;
  return resource == request.resource && (subresource == "*" || subresource == request.subresource);
}

}  // namespace

std::string_view to_string(Level level) { return kLevels[static_cast<unsigned>(level)]; }
std::string_view to_string(Stage stage) { return kStages[static_cast<unsigned>(stage)]; }

// Reads one file; every error says where.
class PolicyReader {
 public:
  explicit PolicyReader(const value::Document& document) : document_(document) {}

  Result<Policy> read() {
    const Value& root = document_.root();
    const FieldPath top;
    constexpr std::string_view kTop[] = {"apiVersion", "kind",  "metadata",
                                         "omitStages", "rules", "omitManagedFields"};
    STRAKE_CHECK(value::check_known_keys(document_, top, kTop));
    if (value::text_of(root, "apiVersion") != "audit.k8s.io/v1" ||
        value::text_of(root, "kind") != "Policy")
      return wrong(top, "want apiVersion audit.k8s.io/v1 and kind Policy");
    Decision common;
    STRAKE_TRY(common.omitted, stages(root, top));
    common.omit_managed_fields = value::flag_of(root, "omitManagedFields");
    Policy out;
    const Value& rules = root.get("rules");
    if (!rules.is_array() || rules.items().empty())
      return wrong(top / "rules", "want at least one rule");
    for (std::size_t i = 0; i < rules.items().size(); ++i) {
      STRAKE_TRY(Policy::Rule one, rule(rules.items()[i], top / "rules" / i, common));
      out.rules_.push_back(std::move(one));
    }
    return out;
  }

 private:
  std::unexpected<Error> wrong(const FieldPath& at, std::string_view what) const {
    Error error(Code::kInvalid, fmt::format("{}", what));
    return std::unexpected(std::move(error).at(at).at(document_.position(at)));
  }

  Result<std::vector<std::string>> texts(const Value& object, const FieldPath& at,
                                         std::string_view key) const {
    std::vector<std::string> out;
    const Value& list = object.get(key);
    if (list.is_null()) return out;
    if (!list.is_array()) return wrong(at / key, "want a list of strings");
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      if (!list.items()[i].is_string()) return wrong(at / key / i, "want a string");
      out.emplace_back(list.items()[i].as_string());
    }
    return out;
  }

  Result<std::uint8_t> stages(const Value& object, const FieldPath& at) const {
    STRAKE_TRY(const std::vector<std::string> names, texts(object, at, "omitStages"));
    std::uint8_t out = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto* found = std::ranges::find(kStages, names[i]);
      if (found == std::end(kStages))
        return wrong(at / "omitStages" / i,
                     fmt::format("want one of {}", fmt::join(kStages, ", ")));
      out |= static_cast<std::uint8_t>(1u << (found - kStages));
    }
    return out;
  }

  Result<Policy::Rule> rule(const Value& from, const FieldPath& at, const Decision& common) const {
    constexpr std::string_view kKeys[] = {"level",      "users",           "userGroups",
                                          "verbs",      "resources",       "namespaces",
                                          "omitStages", "nonResourceURLs", "omitManagedFields"};
    STRAKE_CHECK(value::check_known_keys(document_, at, kKeys));
    Policy::Rule out;
    const auto* level = std::ranges::find(kLevels, value::text_of(from, "level"));
    if (level == std::end(kLevels))
      return wrong(from.find("level") != nullptr ? at / "level" : at,
                   fmt::format("want a level: {}", fmt::join(kLevels, ", ")));
    out.decision.level = static_cast<Level>(level - kLevels);
    STRAKE_TRY(const std::uint8_t omitted, stages(from, at));
    out.decision.omitted = omitted | common.omitted;
    out.decision.omit_managed_fields = from.find("omitManagedFields") != nullptr
                                           ? value::flag_of(from, "omitManagedFields")
                                           : common.omit_managed_fields;
    STRAKE_TRY(out.users, texts(from, at, "users"));
    STRAKE_TRY(out.groups, texts(from, at, "userGroups"));
    STRAKE_TRY(out.verbs, texts(from, at, "verbs"));
    STRAKE_TRY(out.namespaces, texts(from, at, "namespaces"));
    STRAKE_TRY(out.urls, texts(from, at, "nonResourceURLs"));
    STRAKE_TRY(out.resources, resources(from, at));
    STRAKE_CHECK(check_urls(out, at));
    return out;
  }

  Result<> check_urls(const Policy::Rule& rule, const FieldPath& at) const {
    if (rule.urls.empty()) return {};
    if (!rule.resources.empty() || !rule.namespaces.empty())
      return wrong(at / "nonResourceURLs",
                   "rules cannot apply to both regular resources and non-resource URLs");
    for (std::size_t i = 0; i < rule.urls.size(); ++i) {
      const std::string& url = rule.urls[i];
      const FieldPath here = at / "nonResourceURLs" / i;
      if (url == "*") continue;
      if (!url.starts_with('/'))
        return wrong(here, "non-resource URL rules must begin with a '/' character");
      if (url.substr(0, url.size() - 1).contains('*'))
        return wrong(here,
                     "non-resource URL wildcards '*' must be the final character of the rule");
    }
    return {};
  }

  Result<std::vector<Policy::Resources>> resources(const Value& from, const FieldPath& at) const {
    std::vector<Policy::Resources> out;
    const Value& list = from.get("resources");
    if (list.is_null()) return out;
    if (!list.is_array()) return wrong(at / "resources", "want a list");
    constexpr std::string_view kKeys[] = {"group", "resources", "resourceNames"};
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      const Value& one = list.items()[i];
      const FieldPath here = at / "resources" / i;
      STRAKE_CHECK(value::check_known_keys(document_, here, kKeys));
      Policy::Resources made{.group = std::string(value::text_of(one, "group"))};
      // The classic mistake: a version behind the group.
      if (made.group.contains('/'))
        return wrong(here / "group", "want the group without a version");
      STRAKE_TRY(made.resources, texts(one, here, "resources"));
      STRAKE_TRY(made.names, texts(one, here, "resourceNames"));
      if (!made.names.empty() && made.resources.empty())
        return wrong(here / "resourceNames", "using resourceNames requires at least one resource");
      out.push_back(std::move(made));
    }
    return out;
  }

  const value::Document& document_;
};

Result<Policy> Policy::read(std::string_view text, const std::string& file) {
  value::ReadOptions options;
  options.positions = true;
  options.source_name = file;
  options.limits.bytes = kMostBytes;
  STRAKE_TRY(const value::Document document, value::read_yaml(text, options));
  auto policy = PolicyReader(document).read();
  if (!policy) return std::unexpected(std::move(policy).error().in(file));
  return policy;
}

bool Policy::matches_resource(const Rule& rule, const RequestInfo& request) {
  if (!request.is_resource) return false;
  if (!rule.namespaces.empty() && !has(rule.namespaces, request.namespace_name)) return false;
  if (rule.resources.empty()) return true;
  return std::ranges::any_of(rule.resources, [&](const Resources& one) {
    if (one.group != request.group) return false;
    if (one.resources.empty()) return true;
    if (!one.names.empty() && !has(one.names, request.name)) return false;
    return std::ranges::any_of(one.resources, [&](const std::string& pattern) {
      return names_resource(pattern, request);
    });
  });
}

bool Policy::matches(const Rule& rule, const api::User& user, const RequestInfo& request) {
  if (!rule.users.empty() && !has(rule.users, user.name)) return false;
  if (!rule.groups.empty() &&
      !std::ranges::any_of(rule.groups, [&](const auto& one) { return user.in_group(one); }))
    return false;
  if (!rule.verbs.empty() && !has(rule.verbs, request.verb)) return false;
  if (!rule.namespaces.empty() || !rule.resources.empty()) return matches_resource(rule, request);
  if (rule.urls.empty()) return true;
  if (request.is_resource) return false;
  return std::ranges::any_of(
      rule.urls, [&](const std::string& url) { return matches_url(url, request.path); });
}

Decision Policy::decide(const api::User& user, const RequestInfo& request) const {
  for (const Rule& rule : rules_) {
    if (matches(rule, user, request)) return rule.decision;
  }
  return {};
}

}  // namespace strake::audit
