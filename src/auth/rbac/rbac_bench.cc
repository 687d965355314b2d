// How long a decision takes with 10,000 bindings of 1,000 roles, for a user who has a few of them.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "async/loops.h"
#include "async/run.h"
#include "auth/rbac/rbac_authorizer.h"
#include "store/memory_store.h"

namespace strake::auth {
namespace {

constexpr int kRoles = 1'000;
constexpr int kBindings = 10'000;
constexpr int kNamespaces = 100;

class Cluster {
 public:
  Cluster() {
    for (int i = 0; i < kRoles; ++i) {
      put(fmt::format("clusterroles/role-{}", i),
          fmt::format(
              R"({{"kind":"ClusterRole","metadata":{{"name":"role-{0}"}},"rules":[)"
              R"({{"apiGroups":["g{0}.example.com"],"resources":["widgets","widgets/status"],)"
              R"("verbs":["get","list","watch"]}},)"
              R"({{"apiGroups":[""],"resources":["configmaps"],"verbs":["create","patch"]}}]}})",
              i));
    }
    for (int i = 0; i < kBindings; ++i) {
      const std::string body = fmt::format(
          R"({{"kind":"RoleBinding","metadata":{{"name":"b{0}"}},"roleRef":{{"kind":"ClusterRole",)"
          R"("name":"role-{1}"}},"subjects":[{{"kind":"User","name":"user-{2}"}},)"
          R"({{"kind":"Group","name":"group-{3}"}}]}})",
          i, i % kRoles, i % 2'000, i % 500);
      put(fmt::format("rolebindings/ns-{}/b{}", i % kNamespaces, i), body);
    }
    static_cast<void>(async::run_blocking(loops_.at(0), hub_.start()));
  }
  ~Cluster() {
    static_cast<void>(async::run_blocking(loops_.at(0), hub_.stop()));
    loops_.stop();
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  const RbacAuthorizer& authorizer() const { return authorizer_; }

 private:
  void put(std::string key, std::string body) {
    static_cast<void>(async::run_blocking(
        loops_.at(0), store_.write({.key = "/registry/" + std::move(key),
                                    .value = std::make_shared<const std::string>(std::move(body)),
                                    .expected = 0})));
  }
  store::MemoryStore store_{system_clock()};
  async::Loops loops_{1};
  api::Hub hub_{store_, loops_};
  RoleIndex roles_{hub_};
  RbacAuthorizer authorizer_{roles_};
};

void decide(benchmark::State& state, std::string_view verb, bool allowed) {
  static const Cluster cluster;
  const api::User user{.name = "user-42",
                       .uid = {},
                       .groups = {"group-42", "developers", "system:authenticated"},
                       .extra = {}};
  api::RequestInfo request;
  request.is_resource = true;
  request.verb = verb;
  request.resource = "configmaps";
  request.namespace_name = "ns-42";
  for (auto _ : state) {
    const auto decision = cluster.authorizer().authorize(user, request);
    if (decision.allowed != allowed) state.SkipWithError("another decision than expected");
  }
}

void allow(benchmark::State& state) { decide(state, "create", true); }
void refuse(benchmark::State& state) { decide(state, "delete", false); }
BENCHMARK(allow);
BENCHMARK(refuse);

}  // namespace
}  // namespace strake::auth
