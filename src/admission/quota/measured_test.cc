#include "admission/quota/measured.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "value/json_reader.h"

namespace strake::admission {
namespace {

using value::Document;

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

Document parsed(std::string_view json) { return *value::read_json(json); }
WallTime time_of(std::string_view text) { return parse_rfc3339(text)->to_wall(); }
Scopes scopes(std::string_view name) {
  return kinds::read_quota_scopes(parsed(fmt::format(R"({{"scopes":["{}"]}})", name)).root());
}
const kinds::QuotaEvaluator& evaluator(std::string_view plural) {
  return *kinds::find_quota_evaluator({"", std::string(plural)});
}
// "cpu=1 pods=1"
std::string show(const Amounts& amounts) {
  std::string out;
  for (const auto& [name, amount] : amounts)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, amount.to_string());
  return out;
}
std::string pod(std::string_view cpu, std::string_view spec = "",
                std::string_view metadata = "{}") {
  return fmt::format(
      R"({{"metadata":{},"spec":{{"containers":[{{"resources":{{"requests":{{"cpu":"{}"}}}}}}]{}}}}})",
      metadata, cpu, spec);
}
constexpr std::string_view kEnds = R"(,"activeDeadlineSeconds":5)";

// Of pods: all of them, and those that end.
struct Pods {
  Measured measured{evaluator("pods"), {Scopes(), scopes("Terminating")}};

  void put(std::string_view name, std::string_view json) {
    measured.put(name, measured.measure(parsed(json).root(), time_of(kNow)));
  }
  void charge(std::uint64_t id, std::string_view json, std::string_view old = "") {
    const Document object = parsed(json);
    const Document before = parsed(old.empty() ? "{}" : old);
    measured.charge(id, std::make_shared<const Measured::Pending>(
                            Demand{.evaluator = &evaluator("pods"),
                                   .object = &object.root(),
                                   .old = old.empty() ? nullptr : &before.root(),
                                   .now = time_of(kNow)}));
  }
  std::string all() const { return show(measured.used({})); }
  std::string ending() const { return show(measured.used(scopes("Terminating"))); }
};

TEST(Measured, AddsUpWhatIsStoredByScopes) {
  Pods pods;
  pods.put("a", pod("1"));
  pods.put("b", pod("2", kEnds));
  pods.put("c", pod("2", kEnds));
  EXPECT_EQ(pods.all(), "count/pods=3 cpu=5 pods=3 requests.cpu=5");
  EXPECT_EQ(pods.ending(), "count/pods=2 cpu=4 pods=2 requests.cpu=4");
  pods.put("b", pod("500m"));
  EXPECT_EQ(pods.all(), "count/pods=3 cpu=3500m pods=3 requests.cpu=3500m");
  EXPECT_EQ(pods.ending(), "count/pods=1 cpu=2 pods=1 requests.cpu=2");
  pods.measured.remove("c");
  pods.measured.remove("unknown");
  EXPECT_EQ(pods.ending(), "");
  pods.measured.remove("a");
  pods.measured.remove("b");
  EXPECT_EQ(pods.all(), "");
}

TEST(Measured, CountsAChargeUntilItEnds) {
  Pods pods;
  pods.charge(1, pod("1"));
  EXPECT_EQ(pods.all(), "count/pods=1 cpu=1 pods=1 requests.cpu=1");
  EXPECT_EQ(pods.ending(), "");
  pods.put("a", pod("1"));
  pods.measured.end_charge(1);
  pods.measured.end_charge(1);
  EXPECT_EQ(pods.all(), "count/pods=1 cpu=1 pods=1 requests.cpu=1");
  // What an update adds, but all of it where the object was not before.
  pods.charge(2, pod("3", kEnds), pod("1"));
  EXPECT_EQ(pods.all(), "count/pods=1 cpu=3 pods=1 requests.cpu=3");
  EXPECT_EQ(pods.ending(), "count/pods=1 cpu=3 pods=1 requests.cpu=3");
  pods.measured.end_charge(2);
  EXPECT_EQ(pods.all(), "count/pods=1 cpu=1 pods=1 requests.cpu=1");
  EXPECT_EQ(pods.ending(), "");
}

TEST(Measured, CountsChargesInScopesThatAreAskedAboutLater) {
  Pods pods;
  pods.charge(1, pod("1", kEnds));
  pods.charge(2, pod("3", kEnds), pod("2", kEnds));
  Measured other(evaluator("pods"), {scopes("NotTerminating"), scopes("Terminating")});
  for (const auto& [id, pending] : pods.measured.pendings()) other.charge(id, pending);
  EXPECT_FALSE(other.has({}));
  EXPECT_EQ(show(other.used(scopes("NotTerminating"))), "");
  EXPECT_EQ(show(other.used(scopes("Terminating"))), "count/pods=1 cpu=2 pods=1 requests.cpu=2");
}

TEST(Measured, CountsAPodNoMoreWhenItsTimeIsOver) {
  Pods pods;
  constexpr std::string_view kDeleted =
      R"({"deletionTimestamp":"2024-01-02T00:00:00Z","deletionGracePeriodSeconds":30})";
  pods.put("a", pod("1", "", kDeleted));
  pods.put("a", pod("1", "", kDeleted));
  pods.put("b", pod("1", "", kDeleted));
  pods.put("gone", pod("1", "", kDeleted));
  pods.measured.remove("gone");
  const Instant at = *parse_rfc3339("2024-01-02T00:00:31Z");
  EXPECT_EQ(pods.measured.next_change(), at);
  pods.measured.pass_time(Instant{.seconds = at.seconds - 1});
  EXPECT_EQ(pods.all(), "count/pods=2 cpu=2 pods=2 requests.cpu=2");
  pods.put("b", pod("1"));
  pods.measured.pass_time(at);
  EXPECT_EQ(pods.all(), "count/pods=2 cpu=1 pods=1 requests.cpu=1");
  EXPECT_EQ(pods.measured.next_change(), std::nullopt);
}

// Names of storage classes are anybody's, and amounts are kept by what they look like as text.
TEST(Measured, TellsAmountsOfAnyNameApart) {
  Measured claims(evaluator("persistentvolumeclaims"), {Scopes()});
  const auto claim = [&](std::string_view name, std::string_view class_name,
                         std::string_view storage) {
    claims.put(
        name,
        claims.measure(
            parsed(
                fmt::format(
                    R"({{"spec":{{"storageClassName":"{}","resources":{{"requests":{{"storage":"{}"}}}}}}}})",
                    class_name, storage))
                .root(),
            time_of(kNow)));
  };
  claim("a", "x", "1");
  claim("b", "1 1:x=1 x", "1");
  claim("c", "", "5");
  claims.remove("b");
  EXPECT_EQ(show(claims.used({})),
            "count/persistentvolumeclaims=2 persistentvolumeclaims=2 requests.storage=6 "
            "x.storageclass.storage.k8s.io/persistentvolumeclaims=1 "
            "x.storageclass.storage.k8s.io/requests.storage=1");
}

}  // namespace
}  // namespace strake::admission
