#include "admission/match/match.h"

#include <algorithm>

#include "kinds/fields.h"
#include "meta/object_meta.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::refuse;
using meta::LabelSelector;
using meta::ObjectMeta;
using meta::Status;
using value::Value;

std::unexpected<Status> bad_selector(const Error& error) {
  return refuse(Status::internal_error(error.message()));
}

bool selected(const LabelSelector& selector, const Value* object) {
  return object != nullptr && selector.matches(ObjectMeta::of(*object).labels());
}

}  // namespace

Match::Match(const Value& holder)
    : equivalent_(value::text_of(holder, "matchPolicy") == "Equivalent"),
      namespaces_(LabelSelector::from_value(holder.find("namespaceSelector"))),
      objects_(LabelSelector::from_value(holder.find("objectSelector"))) {}

Match Match::of_webhook(const Value& webhook) {
  Match out(webhook);
  out.rules_ = read_admission_rules(webhook, "rules");
  return out;
}

Match Match::of_resources(const Value& resources) {
  Match out(resources);
  out.rules_ = read_admission_rules(resources, "resourceRules");
  out.excluded_ = read_admission_rules(resources, "excludeResourceRules");
  out.everything_ = out.rules_.empty();
  return out;
}

std::vector<const kinds::ServedVersion*> equivalent_versions(const kinds::Resource& resource,
                                                             std::string_view subresource) {
  std::vector<const kinds::ServedVersion*> out;
  for (const kinds::ServedVersion& one : resource.versions) {
    // Versions of a definition count also when they are not served.
    const bool there = one.served || resource.definition != nullptr;
    if (there && (subresource.empty() || one.subresource(subresource) != nullptr))
      out.push_back(&one);
  }
  std::ranges::sort(out, [](const auto* a, const auto* b) {
    return std::pair(a->declared, a) < std::pair(b->declared, b);
  });
  return out;
}

const kinds::ServedVersion* Match::find_by(const std::vector<Rule>& rules,
                                           const Attributes& request) const {
  for (const Rule& rule : rules) {
    if (rule.matches(request, request.version)) return &request.version;
  }
  if (!equivalent_ || rules.empty() || request.resource.versions.size() < 2) return nullptr;
  // An earlier rule counts more than an earlier version.
  const auto versions = equivalent_versions(request.resource, request.subresource);
  for (const Rule& rule : rules) {
    for (const kinds::ServedVersion* version : versions) {
      if (version != &request.version && rule.matches(request, *version)) return version;
    }
  }
  return nullptr;
}

Answer<bool> Match::selects_namespace(const Attributes& request,
                                      const Namespaces& namespaces) const {
  // What is outside of namespaces cannot be left out by one.
  if (request.namespace_name.empty() && !request.resource.is_namespace) return true;
  if (!namespaces_) return bad_selector(namespaces_.error());
  if (namespaces_->empty()) return true;
  // A Namespace is judged by the labels that it is about to have.
  if (request.resource.is_namespace && request.subresource.empty() &&
      request.operation != Attributes::Operation::kDelete) {
    return selected(*namespaces_, request.object);
  }
  const api::ObjectPtr found = namespaces.find(request.namespace_name);
  if (!found) {
    return refuse(
        Status::not_found(kinds::namespace_resource().group_resource(), request.namespace_name));
  }
  return found->matches(*namespaces_);
}

Answer<bool> Match::selects_object(const Attributes& request) const {
  if (!objects_) return bad_selector(objects_.error());
  return objects_->empty() || selected(*objects_, request.object) ||
         selected(*objects_, request.old);
}

Answer<const kinds::ServedVersion*> Match::find(const Attributes& request,
                                                const Namespaces& namespaces) const {
  constexpr const kinds::ServedVersion* kNone = nullptr;
  if (find_by(excluded_, request) != nullptr) return kNone;
  const kinds::ServedVersion* version = everything_ ? &request.version : find_by(rules_, request);
  if (version == nullptr) return kNone;
  // Who is left out by one selector does not hear of what is wrong with the other.
  const Answer<bool> by_namespace = selects_namespace(request, namespaces);
  if (by_namespace && !*by_namespace) return kNone;
  const Answer<bool> by_object = selects_object(request);
  if (by_object && !*by_object) return kNone;
  if (!by_namespace) return refuse(by_namespace.error());
  if (!by_object) return refuse(by_object.error());
  return version;
}

bool Match::concerns(const kinds::Resource& resource) const {
  return everything_ ||
         std::ranges::any_of(rules_, [&](const Rule& rule) { return rule.concerns(resource); });
}

}  // namespace strake::admission
