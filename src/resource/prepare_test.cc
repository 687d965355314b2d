#include "resource/prepare.h"

#include <gtest/gtest.h>

#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::resource {
namespace {

using value::Document;

Document parsed(std::string_view json) { return value::read_json(json).value(); }
std::string text(const Document& document) { return value::to_json(document.root()); }

TEST(FillNew, WipesWhatClientsMayNotSayAndFillsInWhatTheServerGives) {
  Document object = parsed(
      R"({"metadata":{"creationTimestamp":"x","deletionGracePeriodSeconds":1,"deletionTimestamp":"x","generation":7,"name":"a","selfLink":"x","uid":"x"}})");
  Document offline = object.fork();
  fill_new(object.root(), {.uid = "u", .time = "t", .keeps_generation = true}, object.arena());
  EXPECT_EQ(text(object),
            R"({"metadata":{"creationTimestamp":"t","generation":1,"name":"a","uid":"u"}})");
  fill_new(offline.root(), {}, offline.arena());
  EXPECT_EQ(text(offline), R"({"metadata":{"name":"a"}})");
}

TEST(FillNew, MakesMetadataWhenThereIsNone) {
  Document object = parsed("{}");
  fill_new(object.root(), {.uid = "u", .time = "t"}, object.arena());
  EXPECT_EQ(text(object), R"({"metadata":{"creationTimestamp":"t","uid":"u"}})");
}

TEST(CarryOver, KeepsWhatAnUpdateMayNotChange) {
  Document object = parsed(
      R"({"metadata":{"creationTimestamp":"x","deletionTimestamp":"x","generation":9,"name":"a","selfLink":"x"}})");
  const Document old = parsed(
      R"({"metadata":{"creationTimestamp":"t","deletionGracePeriodSeconds":0,"deletionTimestamp":"d","generation":3,"uid":"u"}})");
  carry_over(object.root(), old.root(), object.arena());
  EXPECT_EQ(
      text(object),
      R"({"metadata":{"creationTimestamp":"t","deletionGracePeriodSeconds":0,"deletionTimestamp":"d","generation":3,"name":"a","uid":"u"}})");
}

TEST(CarryOver, LeavesAUidAndAGracePeriodThatWereSentToBeCompared) {
  Document object = parsed(R"({"metadata":{"deletionGracePeriodSeconds":5,"uid":"mine"}})");
  const Document old = parsed(R"({"metadata":{"deletionGracePeriodSeconds":0,"uid":"u"}})");
  const std::string before = text(object);
  carry_over(object.root(), old.root(), object.arena());
  EXPECT_EQ(text(object), before);
}

TEST(CountChange, CountsWhatIsNeitherMetadataNorReset) {
  const std::string old = R"({"metadata":{"generation":4},"spec":{"a":1},"status":{"b":1}})";
  const struct {
    std::string_view object;
    std::vector<std::string> resets;
    std::string_view generation;
  } cases[] = {
      {R"({"metadata":{"generation":4,"labels":{"x":"y"}},"spec":{"a":1},"status":{"b":1}})",
       {},
       "4"},
      {R"({"metadata":{"generation":4},"spec":{"a":2},"status":{"b":1}})", {}, "5"},
      {R"({"metadata":{"generation":4},"spec":{"a":1},"status":{"b":2}})", {}, "5"},
      {R"({"metadata":{"generation":4},"spec":{"a":1},"status":{"b":2}})", {"status"}, "4"},
      {R"({"metadata":{"generation":4},"spec":{"a":1}})", {"status"}, "4"},
      {R"({"metadata":{"generation":4},"status":{"b":1}})", {"status"}, "5"},
      {R"({"metadata":{"generation":4},"more":1,"spec":{"a":1},"status":{"b":1}})", {}, "5"},
  };
  for (const auto& one : cases) {
    Document object = parsed(one.object);
    const Document before = parsed(old);
    count_change(object.root(), before.root(), one.resets, object.arena());
    EXPECT_EQ(value::to_json(object.root().get("metadata").get("generation")), one.generation)
        << one.object;
  }
}

TEST(SettleNamespace, FillsInTheOneOfTheRequestAndRefusesAnother) {
  const struct {
    std::string_view object;
    bool namespaced;
    bool fits;
    std::string_view after;
  } cases[] = {
      {R"({"metadata":{}})", true, true, R"({"metadata":{"namespace":"ns"}})"},
      {R"({})", true, true, R"({"metadata":{"namespace":"ns"}})"},
      {R"({"metadata":{"namespace":"ns"}})", true, true, R"({"metadata":{"namespace":"ns"}})"},
      {R"({"metadata":{"namespace":"x"}})", true, false, R"({"metadata":{"namespace":"x"}})"},
      {R"({"metadata":{"namespace":"x"}})", false, true, R"({"metadata":{}})"},
  };
  for (const auto& one : cases) {
    Document object = parsed(one.object);
    EXPECT_EQ(settle_namespace(object.root(), one.namespaced, "ns", object.arena()), one.fits);
    EXPECT_EQ(text(object), one.after);
  }
}

TEST(GeneratedName, LeavesRoomForItsSuffix) {
  EXPECT_EQ(generated_name("a-", "bcdfg"), "a-bcdfg");
  EXPECT_EQ(generated_name(std::string(70, 'x'), "bcdfg"), std::string(58, 'x') + "bcdfg");
  EXPECT_TRUE(needs_generated_name(parsed(R"({"metadata":{"generateName":"a-"}})").root()));
  EXPECT_FALSE(
      needs_generated_name(parsed(R"({"metadata":{"generateName":"a-","name":"b"}})").root()));
  EXPECT_FALSE(needs_generated_name(parsed("{}").root()));
}

TEST(NamesResourceVersion, ButNotWithZero) {
  EXPECT_TRUE(names_resource_version(parsed(R"({"metadata":{"resourceVersion":"7"}})").root()));
  EXPECT_FALSE(names_resource_version(parsed(R"({"metadata":{"resourceVersion":"0"}})").root()));
  EXPECT_FALSE(names_resource_version(parsed(R"({"metadata":{}})").root()));
}

TEST(PrepareCustomResource, KeepsTheStatusToItsOwnEndpoint) {
  const std::string_view sent = R"({"spec":1,"status":2})";
  const Document old = parsed(R"({"spec":0,"status":1})");
  Document object = parsed(sent);
  prepare_create(object.root(), false);
  EXPECT_EQ(text(object), sent);
  prepare_update(object.root(), old.root(), false, object.arena());
  EXPECT_EQ(text(object), sent);
  prepare_update(object.root(), old.root(), true, object.arena());
  EXPECT_EQ(text(object), R"({"spec":1,"status":1})");
  prepare_create(object.root(), true);
  EXPECT_EQ(text(object), R"({"spec":1})");
}

TEST(PrepareCustomResource, TakesTheStatusAloneAtItsOwnEndpoint) {
  Document object = parsed(
      R"({"apiVersion":"g/v2","metadata":{"labels":{"a":"b"},"managedFields":[1],"resourceVersion":"5"},"spec":9,"status":2})");
  const Document old = parsed(
      R"({"apiVersion":"g/v1","metadata":{"managedFields":[0],"name":"n","resourceVersion":"4"},"spec":1,"status":1})");
  prepare_status(object.root(), old.root(), object.arena());
  EXPECT_EQ(
      text(object),
      R"({"apiVersion":"g/v2","metadata":{"managedFields":[1],"name":"n","resourceVersion":"5"},"spec":1,"status":2})");
  Document without = parsed(R"({"apiVersion":"g/v1","metadata":{},"spec":1})");
  prepare_status(without.root(), old.root(), without.arena());
  EXPECT_EQ(
      text(without),
      R"({"apiVersion":"g/v1","metadata":{"managedFields":[0],"name":"n","resourceVersion":"4"},"spec":1})");
}

}  // namespace
}  // namespace strake::resource
