#pragma once
// RuleWithOperations, and NamedRuleWithOperations of policies: which operations on which resources
// somebody wants to hear of.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "admission/match/attributes.h"

namespace strake::admission {

class Rule {
 public:
  // From an object that has been validated; what is not there is empty.
  explicit Rule(const value::Value& rule);

  // Whether it is about the request, were it made in this version of its resource.
  bool matches(const Attributes& request, const kinds::ServedVersion& version) const;
  // Whether it could be about any request for the resource or its subresources.
  bool concerns(const kinds::Resource& resource) const;

 private:
  enum class Scope : std::uint8_t { kAny, kCluster, kNamespaced, kUnknown };
  struct Resource {
    std::string name;         // "*" for all
    std::string subresource;  // "*" for all and for none
  };
  bool has_scope(const Attributes& request) const;
  bool has_resource(const Attributes& request) const;

  unsigned operations_ = 0;  // a bit for each
  Scope scope_ = Scope::kAny;
  std::vector<std::string> groups_;
  std::vector<std::string> versions_;
  std::vector<Resource> resources_;
  std::vector<std::string> names_;  // none for all
};

std::vector<Rule> read_admission_rules(const value::Value& holder, std::string_view key);

}  // namespace strake::admission
