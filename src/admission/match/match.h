#pragma once
// Which requests a webhook, a policy or a binding is about: rules, rules of what is left out,
// selectors, and whether a request for another version of the same resource counts.
#include <string>
#include <vector>

#include "admission/match/attributes.h"
#include "admission/match/namespaces.h"
#include "admission/match/rule.h"
#include "meta/selectors.h"

namespace strake::admission {

class Match {
 public:
  // A webhook of a configuration. Without rules it is about nothing.
  static Match of_webhook(const value::Value& webhook);
  // MatchResources of a policy or a binding. Without resourceRules it is about everything.
  static Match of_resources(const value::Value& resources);

  // The version in which it is about the request; null when it is not. Refuses when a selector asks
  // for a namespace that is not there.
  api::Answer<const kinds::ServedVersion*> find(const Attributes& request,
                                                const Namespaces& namespaces) const;
  // Whether it could be about any request for the resource: false is quick and final.
  bool concerns(const kinds::Resource& resource) const;

 private:
  explicit Match(const value::Value& holder);
  const kinds::ServedVersion* find_by(const std::vector<Rule>& rules,
                                      const Attributes& request) const;
  api::Answer<bool> selects_namespace(const Attributes& request,
                                      const Namespaces& namespaces) const;
  api::Answer<bool> selects_object(const Attributes& request) const;

  std::vector<Rule> rules_;
  std::vector<Rule> excluded_;
  bool everything_ = false;  // when there are no rules
  bool equivalent_ = false;  // other versions count
  // Of an object that was stored unchecked a selector may be no good: said when it is needed.
  Result<meta::LabelSelector> namespaces_;
  Result<meta::LabelSelector> objects_;
};

// The versions of the resource that stand for one another, in the order in which kube-apiserver
// 1.36 tries them: those that have the subresource.
std::vector<const kinds::ServedVersion*> equivalent_versions(const kinds::Resource& resource,
                                                             std::string_view subresource);

}  // namespace strake::admission
