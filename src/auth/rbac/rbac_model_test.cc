// Decisions over roles and bindings that keep changing, compared with a second reading of the same
// objects: slow, and obvious.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "async/loops.h"
#include "async/run.h"
#include "auth/rbac/random_rules.h"
#include "auth/rbac/rbac_authorizer.h"
#include "meta/service_account.h"
#include "store/memory_store.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

// A role or a binding, as it is written.
struct Written {
  std::string kind;
  std::string namespace_name;  // empty for cluster-scoped ones
  std::string name;
  std::vector<PolicyRule> rules = {};  // of a role
  std::string role_kind = {};          // of a binding
  std::string role_name = {};
  struct Subject {
    std::string kind;
    std::string name;
    std::string namespace_name;
  };
  std::vector<Subject> subjects = {};

  bool is_binding() const { return kind.ends_with("Binding"); }
  std::string key() const {
    const std::string plural = kind == "Role"          ? "roles"
                               : kind == "ClusterRole" ? "clusterroles"
                               : kind == "RoleBinding" ? "rolebindings"
                                                       : "clusterrolebindings";
    return namespace_name.empty() ? fmt::format("/registry/{}/{}", plural, name)
                                  : fmt::format("/registry/{}/{}/{}", plural, namespace_name, name);
  }
  std::string json() const {
    std::string out = fmt::format(R"({{"kind":"{}","metadata":{{"name":"{}","namespace":"{}"}})",
                                  kind, name, namespace_name);
    if (!is_binding()) {
      Arena arena;
      return fmt::format(R"({},"rules":{}}})", out, value::to_json(write_rules(rules, arena)));
    }
    out +=
        fmt::format(R"(,"roleRef":{{"kind":"{}","name":"{}"}},"subjects":[)", role_kind, role_name);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      out += fmt::format(R"({}{{"kind":"{}","name":"{}","namespace":"{}"}})", i > 0 ? "," : "",
                         subjects[i].kind, subjects[i].name, subjects[i].namespace_name);
    }
    return out + "]}";
  }
};

using World = std::map<std::string, Written>;

// The documentation of RBAC, sentence by sentence.
class Plain {
 public:
  explicit Plain(const World& world) : world_(world) {}

  bool may(const api::User& user, const api::RequestInfo& request) const {
    if (user.in_group("system:masters")) return true;
    for (const auto& [key, one] : world_) {
      if (!one.is_binding()) continue;
      if (one.kind == "RoleBinding" &&
          (!request.is_resource || request.namespace_name != one.namespace_name))
        continue;
      if (!names(one, user)) continue;
      const Written* role = role_of(one);
      if (role == nullptr) continue;
      for (const PolicyRule& rule : role->rules) {
        if (covers(rule, request)) return true;
      }
    }
    return false;
  }

 private:
  static bool names(const Written& binding, const api::User& user) {
    for (const Written::Subject& one : binding.subjects) {
      if (one.kind == "User" && one.name == user.name) return true;
      if (one.kind == "Group" && user.in_group(one.name)) return true;
      if (one.kind != "ServiceAccount") continue;
      const std::string in =
          one.namespace_name.empty() ? binding.namespace_name : one.namespace_name;
      if (!in.empty() && user.name == "system:serviceaccount:" + in + ":" + one.name) return true;
    }
    return false;
  }
  const Written* role_of(const Written& binding) const {
    for (const auto& [key, one] : world_) {
      if (one.kind != binding.role_kind || one.name != binding.role_name) continue;
      if (one.kind == "ClusterRole" || one.namespace_name == binding.namespace_name) return &one;
    }
    return nullptr;
  }
  static bool has(const std::vector<std::string>& words, const std::string& word) {
    for (const std::string& one : words) {
      if (one == "*" || one == word) return true;
    }
    return false;
  }
  static bool covers(const PolicyRule& rule, const api::RequestInfo& request) {
    if (!has(rule.verbs, request.verb)) return false;
    if (!request.is_resource) {
      for (const std::string& one : rule.non_resource_urls) {
        if (one == request.path) return true;
        if (one.ends_with("*") && request.path.starts_with(one.substr(0, one.size() - 1)))
          return true;
      }
      return false;
    }
    bool named = rule.resource_names.empty();
    for (const std::string& one : rule.resource_names) named = named || one == request.name;
    if (!named || !has(rule.api_groups, request.group)) return false;
    if (request.subresource.empty()) return has(rule.resources, request.resource);
    return has(rule.resources, request.resource + "/" + request.subresource) ||
           has(rule.resources, "*/" + request.subresource);
  }
  const World& world_;
};

class RandomWorld {
 public:
  explicit RandomWorld(unsigned seed) : random_(seed), rules_(seed) {}

  Written object() {
    Written out;
    const bool in_namespace = at_most(1) == 0;
    if (in_namespace) out.namespace_name = one({"dev", "prod"});
    if (at_most(1) == 0) {
      out.kind = in_namespace ? "Role" : "ClusterRole";
      out.name = one({"a", "b", "c"});
      out.rules = rules_.rules();
      return out;
    }
    out.kind = in_namespace ? "RoleBinding" : "ClusterRoleBinding";
    out.name = one({"x", "y", "z"});
    out.role_kind = in_namespace ? one({"Role", "ClusterRole"}) : "ClusterRole";
    out.role_name = one({"a", "b", "c"});
    for (std::size_t i = at_most(2); i > 0; --i) {
      out.subjects.push_back({.kind = one({"User", "Group", "ServiceAccount"}),
                              .name = one({"eve", "adam", "staff"}),
                              .namespace_name = one({"", "dev", "prod"})});
    }
    return out;
  }
  api::User user() {
    const std::string name = one({"eve", "adam", "staff", "nobody"});
    api::User out{.name = name, .uid = {}, .groups = {}, .extra = {}};
    if (at_most(2) == 0) out.name = meta::service_account_user(one({"dev", "prod"}), name);
    if (at_most(1) == 0) out.groups.push_back(one({"staff", "eve", "others"}));
    if (at_most(99) == 0) out.groups.push_back("system:masters");
    return out;
  }
  api::RequestInfo request() {
    api::RequestInfo out = rules_.request();
    if (out.is_resource) out.namespace_name = one({"", "dev", "prod", "test"});
    return out;
  }
  bool yes() { return at_most(1) == 0; }

 private:
  std::size_t at_most(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }
  std::string one(std::vector<std::string> of) { return of[at_most(of.size() - 1)]; }
  std::mt19937 random_;
  RandomRules rules_;
};

class ChangingRoles : public ::testing::Test {
 protected:
  ChangingRoles() { static_cast<void>(async::run_blocking(loops_.at(0), hub_.start())); }
  ~ChangingRoles() override {
    static_cast<void>(async::run_blocking(loops_.at(0), hub_.stop()));
    loops_.stop();
  }
  // Null deletes it.
  void write(const std::string& key, store::Bytes text) {
    const store::Written written =
        async::run_blocking(
            loops_.at(0),
            store_.write({.key = key, .value = std::move(text), .expected = revisions_[key]}))
            .value();
    ASSERT_TRUE(written.applied) << key;
    revisions_[key] = world.contains(key) ? written.revision : 0;
  }
  void put(const Written& one) {
    world[one.key()] = one;
    write(one.key(), std::make_shared<const std::string>(one.json()));
  }
  void remove(const std::string& key) {
    world.erase(key);
    write(key, nullptr);
  }

  World world;

 private:
  store::MemoryStore store_{system_clock()};
  async::Loops loops_{1};
  api::Hub hub_{store_, loops_};
  RoleIndex roles_{hub_};
  std::map<std::string, store::Revision> revisions_;

 protected:
  RbacAuthorizer authorizer_{roles_};
};

TEST_F(ChangingRoles, AllowWhatThePlainReadingAllows) {
  RandomWorld random(5);
  std::size_t allowed = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (i % 4 == 0) {
      const Written one = random.object();
      if (world.contains(one.key()) && random.yes()) {
        remove(one.key());
      } else {
        put(one);
      }
    }
    const api::User user = random.user();
    const api::RequestInfo request = random.request();
    const bool got = authorizer_.authorize(user, request).allowed;
    allowed += got;
    ASSERT_EQ(got, Plain(world).may(user, request))
        << i << ": " << user.name << " " << fmt::format("{}", user.groups) << " " << request.verb
        << " " << request.group << " " << request.resource << "/" << request.subresource << " "
        << request.name << request.path << " in " << request.namespace_name;
  }
  EXPECT_GT(allowed, 4'000u);
  EXPECT_LT(allowed, 50'000u);
}

}  // namespace
}  // namespace strake::auth
