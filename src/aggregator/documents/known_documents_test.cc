#include "aggregator/documents/known_documents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace strake::aggregator {
namespace {

RemoteService service(std::string_view group, int priority = 100, bool available = true) {
  RemoteService out;
  out.name = fmt::format("v1.{}", group);
  out.group = group;
  out.version = "v1";
  out.group_priority = priority;
  out.version_priority = 1;
  out.server = fmt::format("server of {}", group);
  out.available = available;
  return out;
}

Text text(std::string_view of) { return std::make_shared<const std::string>(of); }

// Everything that the snapshot says, as text.
std::string told(const KnownDocuments& known) {
  const api::RemoteSnapshotPtr snapshot = known.snapshot();
  if (snapshot == nullptr) return "nothing";
  std::string out;
  for (const publish::RemoteVersion& one : snapshot->versions) {
    out += fmt::format("{}/{} {} {} {}{}; ", one.group, one.version, one.group_priority,
                       one.version_priority, one.resources == nullptr ? "-" : *one.resources,
                       one.stale ? " stale" : "");
  }
  for (const auto& [path, hash] : snapshot->openapi_v3) out += fmt::format("{}={} ", path, hash);
  for (const Text& part : snapshot->openapi_v2) out += *part + " ";
  return out;
}

TEST(KnownDocuments, AreNothingWhileThereAreNoServices) {
  KnownDocuments known(1000);
  EXPECT_EQ(known.snapshot(), nullptr);
  EXPECT_TRUE(known.set_services({}).empty());
  EXPECT_EQ(known.snapshot(), nullptr);
}

TEST(KnownDocuments, ShowAServiceBeforeItsServerHasAnswered) {
  KnownDocuments known(1000);
  EXPECT_EQ(known.set_services({service("a.example")}).size(), 1);
  EXPECT_EQ(told(known), "a.example/v1 100 1 - stale; ");
  known.learn_resources(service("a.example"), text("[1]"), "");
  EXPECT_EQ(told(known), "a.example/v1 100 1 [1]; ");
}

TEST(KnownDocuments, KeepTheLastOnesOfAServerThatDoesNotAnswer) {
  KnownDocuments known(1000);
  known.set_services({service("a.example")});
  known.learn_resources(service("a.example"), text("[1]"), "tag");
  known.learn_v3(service("a.example"), "AB", "tag");
  known.learn_v2(service("a.example"), text("{}"), "CD", "tag");
  EXPECT_EQ(known.discovery_etag({service("a.example")}), "tag");
  EXPECT_TRUE(known.learn_failure(service("a.example")));
  EXPECT_FALSE(known.learn_failure(service("a.example")));
  EXPECT_EQ(told(known), "a.example/v1 100 1 [1] stale; apis/a.example/v1=AB {} ");
  // What it may not say again is not taken for an answer.
  EXPECT_EQ(known.discovery_etag({service("a.example")}), "");
  known.learn_no_change(service("a.example"));
  EXPECT_EQ(told(known), "a.example/v1 100 1 [1]; apis/a.example/v1=AB {} ");
}

TEST(KnownDocuments, AreStaleWhileTheServiceIsUnavailable) {
  KnownDocuments known(1000);
  known.set_services({service("a.example")});
  known.learn_resources(service("a.example"), text("[1]"), "tag");
  EXPECT_TRUE(known.set_services({service("a.example", 100, false)}).empty());
  EXPECT_EQ(told(known), "a.example/v1 100 1 [1] stale; ");
  EXPECT_TRUE(known.servers().empty());
  EXPECT_EQ(known.set_services({service("a.example")}).size(), 1);
  EXPECT_EQ(told(known), "a.example/v1 100 1 [1]; ");
}

TEST(KnownDocuments, AreNotThoseOfAServiceThatHasChangedMeanwhile) {
  KnownDocuments known(1000);
  const RemoteService before = service("a.example");
  RemoteService after = before;
  after.server = "another";
  known.set_services({before});
  known.learn_resources(before, text("[1]"), "tag");
  EXPECT_EQ(known.set_services({after}), std::set<std::string>{"another"});
  EXPECT_EQ(known.discovery_etag({after}), "");
  known.learn_resources(before, text("[2]"), "tag");
  EXPECT_EQ(told(known), "a.example/v1 100 1 [1]; ");
  known.set_services({});
  known.learn_resources(after, text("[3]"), "tag");
  EXPECT_EQ(told(known), "");
}

TEST(KnownDocuments, ChangeTheirGenerationWithTheirContentAlone) {
  KnownDocuments known(1000);
  known.set_services({service("a.example")});
  known.learn_resources(service("a.example"), text("[1]"), "tag");
  const std::uint64_t generation = known.snapshot()->generation;
  known.learn_resources(service("a.example"), text("[1]"), "other tag");
  known.learn_no_change(service("a.example"));
  EXPECT_TRUE(known.set_services({service("a.example")}).empty());
  EXPECT_EQ(known.snapshot()->generation, generation);
  known.set_services({service("a.example", 101)});
  EXPECT_GT(known.snapshot()->generation, generation);
}

TEST(KnownDocuments, TellWhatChangesTheV2Document) {
  KnownDocuments known(1000);
  known.set_services({service("a.example")});
  const auto generation = [&] { return known.snapshot()->openapi_v2_generation; };
  known.learn_v2(service("a.example"), text("{1}"), "", "");
  const std::uint64_t first = generation();
  known.learn_resources(service("a.example"), text("[1]"), "");
  known.learn_failure(service("a.example"));
  known.set_services({service("a.example", 101)});
  EXPECT_EQ(generation(), first);
  known.learn_v2(service("a.example"), text("{2}"), "", "");
  EXPECT_GT(generation(), first);
  const std::uint64_t second = generation();
  known.set_services({});
  EXPECT_GT(generation(), second);
}

TEST(KnownDocuments, DoNotDependOnTheOrderInWhichTheyAreLearnt) {
  const std::vector<RemoteService> services = {service("a.example"), service("b.example", 200),
                                               service("c.example"), service("d.example", 50)};
  std::mt19937 random(11);
  std::string first;
  for (int i = 0; i < 50; ++i) {
    KnownDocuments known(1000);
    std::vector<RemoteService> order = services;
    std::ranges::shuffle(order, random);
    known.set_services(order);
    std::ranges::shuffle(order, random);
    for (const RemoteService& one : order) {
      known.learn_v2(one, text("part of " + one.group), "", "");
      known.learn_resources(one, text("[\"" + one.group + "\"]"), "");
      if (random() % 2 == 0) known.learn_resources(one, text("[\"" + one.group + "\"]"), "");
      known.learn_v3(one, "hash of " + one.group, "");
    }
    if (first.empty()) first = told(known);
    EXPECT_EQ(told(known), first);
  }
  EXPECT_NE(first.find("part of b.example part of a.example part of c.example part of d.example"),
            std::string::npos)
      << first;
}

TEST(KnownDocuments, OfAServiceThatIsGoneLeaveNothingBehind) {
  KnownDocuments with(1000);
  KnownDocuments without(1000);
  with.set_services({service("a.example"), service("b.example")});
  without.set_services({service("a.example")});
  for (KnownDocuments* known : {&with, &without}) {
    known->learn_resources(service("a.example"), text("[1]"), "");
    known->learn_v2(service("a.example"), text("{1}"), "", "");
    known->learn_resources(service("b.example"), text("[2]"), "");
    known->learn_v2(service("b.example"), text("{2}"), "", "");
    known->learn_v3(service("b.example"), "AB", "");
  }
  EXPECT_NE(told(with), told(without));
  with.set_services({service("a.example")});
  EXPECT_EQ(told(with), told(without));
  // Nor when it comes back.
  with.set_services({service("a.example"), service("b.example")});
  without.set_services({service("a.example"), service("b.example")});
  EXPECT_EQ(told(with), told(without));
}

TEST(KnownDocuments, ShowTheHashOfV2WhereV3IsMadeOfIt) {
  KnownDocuments known(100);
  known.set_services({service("a.example"), service("b.example")});
  known.learn_v2(service("a.example"), text("{a}"), "AA", "");
  known.learn_v2(service("b.example"), text("{}"), "", "");
  EXPECT_TRUE(known.snapshot()->openapi_v3.empty());
  EXPECT_EQ(known.v2_instead_of_v3("apis/a.example/v1"), nullptr);
  known.learn_v3_is_made_of_v2(service("a.example"));
  known.learn_v3_is_made_of_v2(service("b.example"));
  EXPECT_EQ(known.snapshot()->openapi_v3.at("apis/a.example/v1"), "AA");
  EXPECT_EQ(known.snapshot()->openapi_v3.size(), 1) << "without paths there is nothing to show";
  EXPECT_EQ(*known.v2_instead_of_v3("apis/a.example/v1"), "{a}");
  known.learn_v3(service("a.example"), "BB", "");
  EXPECT_EQ(known.snapshot()->openapi_v3.at("apis/a.example/v1"), "BB");
  EXPECT_EQ(known.v2_instead_of_v3("apis/a.example/v1"), nullptr);
}

TEST(KnownDocuments, LeaveOutPartsOfLowPriorityWhenTheyAreTooLargeTogether) {
  KnownDocuments known(25);
  known.set_services({service("a.example", 1), service("b.example", 3), service("c.example", 2)});
  for (const std::string_view group : {"a.example", "b.example", "c.example"})
    known.learn_v2(service(group, group == "a.example"   ? 1
                                  : group == "b.example" ? 3
                                                         : 2),
                   text(std::string(10, group[0])), "", "");
  EXPECT_TRUE(told(known).ends_with("bbbbbbbbbb cccccccccc ")) << told(known);
}

}  // namespace
}  // namespace strake::aggregator
