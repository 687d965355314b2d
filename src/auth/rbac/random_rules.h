#pragma once
// Random rules and requests for tests, made of few words, so that they meet often.
#include <random>
#include <string>
#include <vector>

#include "auth/rbac/policy_rule.h"

namespace strake::auth {

inline api::RequestInfo resource(std::string verb, std::string group, std::string name_of_kind,
                                 std::string name = "", std::string subresource = "") {
  api::RequestInfo out;
  out.is_resource = true;
  out.verb = std::move(verb);
  out.group = std::move(group);
  out.resource = std::move(name_of_kind);
  out.name = std::move(name);
  out.subresource = std::move(subresource);
  return out;
}

inline api::RequestInfo url(std::string verb, std::string path) {
  api::RequestInfo out;
  out.verb = std::move(verb);
  out.path = std::move(path);
  return out;
}

class RandomRules {
 public:
  explicit RandomRules(unsigned seed) : random_(seed) {}

  PolicyRule rule() {
    PolicyRule out{.verbs = some({"get", "list", "create", "*"})};
    if (at_most(3) == 0) {
      out.non_resource_urls = some({"/a", "/a/*", "/a*", "*", "/b", "/a/b"});
      return out;
    }
    out.api_groups = some({"", "apps", "x.io", "*"});
    out.resources = some({"pods", "pods/log", "*/log", "*", "nodes", "log", "*/status"});
    if (at_most(2) == 0) out.resource_names = some({"a", "b", "c"});
    return out;
  }
  api::RequestInfo request() {
    if (at_most(3) == 0) return url(one({"get", "list"}), one({"/a", "/a/", "/a/b", "/b", "/ab"}));
    return resource(one({"get", "list", "create", "delete"}), one({"", "apps", "x.io"}),
                    one({"pods", "nodes", "log"}), one({"", "a", "b"}),
                    one({"", "", "log", "status"}));
  }
  std::vector<PolicyRule> rules() {
    std::vector<PolicyRule> out;
    for (std::size_t i = at_most(4); i > 0; --i) out.push_back(rule());
    return out;
  }

 private:
  std::size_t at_most(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }
  std::string one(std::vector<std::string> of) { return of[at_most(of.size() - 1)]; }
  std::vector<std::string> some(const std::vector<std::string>& of) {
    std::vector<std::string> out;
    for (const std::string& one : of) {
      if (at_most(2) == 0) out.push_back(one);
    }
    if (out.empty()) out.push_back(one(of));
    return out;
  }
  std::mt19937 random_;
};

}  // namespace strake::auth
