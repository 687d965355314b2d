#include "admission/match/rule.h"

#include <algorithm>

#include "kinds/fields.h"

namespace strake::admission {
namespace {

using value::Value;

constexpr std::string_view kAll = "*";

unsigned bit(Attributes::Operation operation) { return 1U << static_cast<unsigned>(operation); }

unsigned bits_of(std::string_view text) {
  using Operation = Attributes::Operation;
  if (text == kAll) return ~0U;
  for (const Operation one :
       {Operation::kCreate, Operation::kUpdate, Operation::kDelete, Operation::kConnect}) {
    if (api::to_string(one) == text) return bit(one);
  }
  return 0;
}

std::vector<std::string> texts_of(const Value& rule, std::string_view key) {
  std::vector<std::string> out;
  for (const Value& one : kinds::items(rule, key)) out.emplace_back(one.as_string());
  return out;
}

bool has(const std::vector<std::string>& texts, std::string_view wanted) {
  return std::ranges::any_of(
      texts, [wanted](const std::string& one) { return one == kAll || one == wanted; });
}

}  // namespace

Rule::Rule(const Value& rule)
    : groups_(texts_of(rule, "apiGroups")),
      versions_(texts_of(rule, "apiVersions")),
      names_(texts_of(rule, "resourceNames")) {
  for (const Value& one : kinds::items(rule, "operations")) operations_ |= bits_of(one.as_string());
  const std::string_view scope = value::text_of(rule, "scope");
  scope_ = scope.empty() || scope == kAll ? Scope::kAny
           : scope == "Cluster"           ? Scope::kCluster
           : scope == "Namespaced"        ? Scope::kNamespaced
                                          : Scope::kUnknown;
  for (const Value& one : kinds::items(rule, "resources")) {
    const std::string_view text = one.as_string();
    const std::size_t slash = text.find('/');
    const bool whole = slash == std::string_view::npos;
    resources_.push_back({.name = std::string(text.substr(0, slash)),
                          .subresource = whole ? "" : std::string(text.substr(slash + 1))});
  }
}

bool Rule::has_scope(const Attributes& request) const {
  // Namespaces are outside of namespaces, though a request for one names it as its own.
  const bool inside = !request.resource.is_namespace && !request.namespace_name.empty();
  switch (scope_) {
    case Scope::kAny: return true;
    case Scope::kCluster: return !inside;
    case Scope::kNamespaced: return inside;
    case Scope::kUnknown: break;
  }
  return false;
}

bool Rule::has_resource(const Attributes& request) const {
  return std::ranges::any_of(resources_, [&](const Resource& one) {
    return (one.name == kAll || one.name == request.resource.plural) &&
           (one.subresource == kAll || one.subresource == request.subresource);
  });
}

bool Rule::matches(const Attributes& request, const kinds::ServedVersion& version) const {
  return has_scope(request) && (operations_ & bit(request.operation)) != 0 &&
         has(groups_, request.resource.group) && has(versions_, version.name) &&
         has_resource(request) &&
         (names_.empty() || std::ranges::find(names_, request.name) != names_.end());
}

bool Rule::concerns(const kinds::Resource& resource) const {
  return has(groups_, resource.group) && std::ranges::any_of(resources_, [&](const Resource& one) {
           return one.name == kAll || one.name == resource.plural;
         });
}

std::vector<Rule> read_admission_rules(const Value& holder, std::string_view key) {
  std::vector<Rule> out;
  for (const Value& one : kinds::items(holder, key)) out.emplace_back(one);
  return out;
}

}  // namespace strake::admission
