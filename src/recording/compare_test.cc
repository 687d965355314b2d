#include "recording/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::recording {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A recording, request by request.
class Script {
 public:
  Script& ask(std::string agent, std::uint64_t connection, std::string what, int status = 200,
              std::string answer = "{}", std::string body = {}) {
    Exchange one;
    const RequestId id = out_.exchanges.size() + 1;
    const std::size_t space = what.find(' ');
    const std::size_t mark = std::min(what.find('?'), what.size());
    one.request = {.id = id,
                   .at = static_cast<double>(id),
                   .connection = connection,
                   .agent = std::move(agent),
                   .method = what.substr(0, space),
                   .path = what.substr(space + 1, mark - space - 1),
                   .query = mark < what.size() ? what.substr(mark + 1) : ""};
    if (!body.empty()) one.request.body = {.form = Body::Form::kJson, .text = std::move(body)};
    one.answer = AnswerLine{
        .id = id, .status = status, .body = {.form = Body::Form::kJson, .text = std::move(answer)}};
    out_.exchanges.push_back(std::move(one));
    return *this;
  }
  Script& watch(std::string agent, std::string what, std::vector<std::string> events) {
    ask(std::move(agent), 1, std::move(what), 200, "null");
    Exchange& one = out_.exchanges.back();
    one.answer->goes_on = true;
    one.answer->body = {};
    for (std::string& text : events)
      one.events.push_back({.body = {.form = Body::Form::kJson, .text = std::move(text)}});
    return *this;
  }
  Script& full() {
    out_.full = true;
    return *this;
  }
  operator const Recording&() const { return out_; }  // NOLINT(google-explicit-constructor)

 private:
  Recording out_;
};

std::string added(std::string_view name, std::string_view colour = "red") {
  return fmt::format(R"({{"type":"ADDED","object":{{"colour":"{}","metadata":{{"name":"{}"}}}}}})",
                     colour, name);
}

TEST(ComparedRecordings, AgreeWhateverTheServerMadeUp) {
  const auto run = [](std::string_view uid, std::string_view version, std::string_view name) {
    return Script()
        .ask(
            "a", 1, "POST /pods", 201,
            fmt::format(R"({{"metadata":{{"generateName":"p-","name":"{}","uid":"{}",)"
                        R"("resourceVersion":"{}","creationTimestamp":"2026-01-0{}T00:00:00Z"}}}})",
                        name, uid, version, version.size()))
        .ask("a", 1, fmt::format("GET /pods/{}?resourceVersion={}", name, version));
  };
  const auto same =
      compare(run("8ad6f9a0-1111-4222-8333-444455556666", "7", "p-aaaaa"),
              run("9bd6f9a0-1111-4222-8333-444455556666", "12", "p-bbbbb"), Order::kArrival);
  EXPECT_FALSE(same.first);
  EXPECT_EQ(same.agree_by, Order::kArrival);
  const auto other =
      compare(run("8ad6f9a0-1111-4222-8333-444455556666", "7", "p-aaaaa"),
              run("8ad6f9a0-1111-4222-8333-444455556666", "0", "p-aaaaa"), Order::kArrival);
  ASSERT_TRUE(other.first);
}

TEST(ComparedRecordings, AgreeByClientWhenOnlyTheInterleavingIsAnother) {
  const auto a = Script().ask("x", 1, "GET /1").ask("y", 2, "GET /2").ask("x", 1, "GET /3");
  const auto b = Script().ask("y", 9, "GET /2").ask("x", 8, "GET /1").ask("x", 8, "GET /3");
  const auto found = compare(a, b, Order::kClient);
  EXPECT_FALSE(found.first);
  EXPECT_EQ(found.agree_by, Order::kClient);
  EXPECT_EQ(found.other_arrival, 0u);
  EXPECT_THAT(describe(found, a, b, Order::kClient),
              HasSubstr("they agree: the requests of each client in one order"));
  EXPECT_TRUE(compare(a, b, Order::kArrival).first);
}

TEST(ComparedRecordings, AgreeByClientWhenAProgramUsesItsConnectionsDifferently) {
  const auto a = Script().ask("x", 1, "GET /1").ask("x", 2, "GET /2").ask("x", 1, "GET /3");
  const auto b = Script().ask("x", 1, "GET /1").ask("x", 1, "GET /2").ask("x", 2, "GET /3");
  EXPECT_FALSE(compare(a, b, Order::kClient).first);
  // Two workers with a connection each come in any order.
  const auto c = Script().ask("x", 1, "GET /1").ask("x", 2, "GET /9").ask("x", 1, "GET /2");
  const auto d = Script().ask("x", 1, "GET /1").ask("x", 1, "GET /2").ask("x", 2, "GET /9");
  EXPECT_FALSE(compare(c, d, Order::kClient).first);
}

TEST(ComparedRecordings, AgreeByObjectWhenWorkersOfOneClientOvertakeEachOther) {
  const auto a = Script().ask("x", 1, "GET /1").ask("x", 1, "GET /2").ask("x", 1, "PUT /1");
  const auto b = Script().ask("x", 1, "GET /1").ask("x", 1, "PUT /1").ask("x", 1, "GET /2");
  const auto found = compare(a, b, Order::kClient);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->kind, Difference::Kind::kRequest);
  EXPECT_EQ(found.first->a, 1u);
  EXPECT_EQ(found.first->a_in_b, 2u);
  EXPECT_EQ(found.first->b_in_a, 2u);
  EXPECT_EQ(found.agree_by, Order::kObject);
  EXPECT_FALSE(compare(a, b, Order::kObject).first);
  const std::string text = describe(found, a, b, Order::kClient);
  EXPECT_THAT(text, HasSubstr("in B, the request of A comes as request 3"));
  EXPECT_THAT(text, HasSubstr("they agree otherwise: the requests of each client about each"));
}

TEST(ComparedRecordings, PartAtAnAnswerAndNameWhoCameBefore) {
  const auto a = Script()
                     .ask("operator", 1, "GET /w", 200, R"({"size":1})")
                     .ask("operator", 1, "PUT /w", 200, R"({"size":2})", R"({"size":2})")
                     .ask("kubectl", 2, "PATCH /w", 200, R"({"size":3})");
  const auto b =
      Script()
          .ask("operator", 1, "GET /w", 200, R"({"size":1})")
          .ask("kubectl", 2, "PATCH /w", 200, R"({"size":3})")
          .ask("operator", 1, "PUT /w", 409, R"({"reason":"Conflict"})", R"({"size":2})");
  const auto found = compare(a, b, Order::kClient);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->kind, Difference::Kind::kAnswer);
  EXPECT_EQ(found.first->a, 1u);
  EXPECT_EQ(found.first->b, 2u);
  EXPECT_THAT(found.first->details,
              ElementsAre("status: 200 in A, 409 in B", ".reason: nothing in A, \"Conflict\" in B",
                          ".size: 2 in A, nothing in B"));
  EXPECT_FALSE(found.agree_by);
  ASSERT_EQ(found.overtaking.size(), 1u);
  EXPECT_FALSE(found.overtaking[0].in_a);
  EXPECT_EQ(found.overtaking[0].place, 1u);
  EXPECT_THAT(describe(found, a, b, Order::kClient),
              HasSubstr("came before it in one of them only:\n  B:     2     2.000s  kubectl"));
}

TEST(ComparedRecordings, PartAtTheBodyOfARequest) {
  const auto found =
      compare(Script().ask("x", 1, "PUT /w", 200, "{}", R"({"a":{"b":[1,2]}})"),
              Script().ask("x", 1, "PUT /w", 200, "{}", R"({"a":{"b":[1,3]}})"), Order::kClient);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->kind, Difference::Kind::kRequest);
  EXPECT_THAT(found.first->details, ElementsAre(".a.b[1]: 2 in A, 3 in B"));
}

TEST(ComparedRecordings, PartAtTheFormOfABodyUnlessItIsProtobuf) {
  const auto run = [](std::string type) {
    Recording out = Script().ask("x", 1, "PATCH /w");
    out.exchanges[0].request.content_type = std::move(type);
    return out;
  };
  const Recording json = run("application/json");
  EXPECT_FALSE(compare(json, run("application/vnd.kubernetes.protobuf"), Order::kArrival).first);
  const auto found = compare(json, run("application/merge-patch+json"), Order::kArrival);
  ASSERT_TRUE(found.first);
  EXPECT_THAT(
      found.first->details,
      ElementsAre("content type: application/json in A, application/merge-patch+json in B"));
}

TEST(ComparedRecordings, PartWhereOnlyOneGoesOnUnlessTheOtherWasFull) {
  const auto a = Script().ask("x", 1, "GET /1").ask("x", 1, "GET /2");
  auto b = Script().ask("x", 1, "GET /1");
  const auto found = compare(a, b, Order::kClient);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->kind, Difference::Kind::kMissing);
  EXPECT_EQ(found.first->a, 1u);
  EXPECT_FALSE(found.first->b);
  EXPECT_FALSE(compare(a, b.full(), Order::kClient).first);
}

TEST(ComparedRecordings, CompareEventsByObjectAsFarAsBothHaveThem) {
  const auto run = [](std::vector<std::string> events) {
    return Script().watch("x", "GET /w?watch=1&timeoutSeconds=31", std::move(events));
  };
  const auto a = run({added("one"), added("two")});
  EXPECT_FALSE(compare(a, run({added("two"), added("one")}), Order::kClient).first);
  EXPECT_TRUE(compare(a, run({added("two"), added("one")}), Order::kArrival).first);
  EXPECT_FALSE(compare(a,
                       run({added("one"), R"({"type":"BOOKMARK","object":{}})", added("two"),
                            added("three")}),
                       Order::kArrival)
                   .first);
  const auto found = compare(a, run({added("two", "blue"), added("one")}), Order::kClient);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->kind, Difference::Kind::kEvents);
  EXPECT_THAT(found.first->details,
              ElementsAre("event 1 of /two:", ".object.colour: \"red\" in A, \"blue\" in B"));
}

TEST(ComparedRecordings, AreRepetitionsWhoseNamesWereMadeAnew) {
  const auto run = [](std::string_view name, int status) {
    return Script()
        .ask("x", 1, "POST /p", 201,
             fmt::format(R"({{"metadata":{{"generateName":"p-","name":"{}"}}}})", name))
        .ask("x", 1, "DELETE /p", status, fmt::format(R"({{"details":{{"name":"{}"}}}})", name));
  };
  const Recording then = run("p-aaaaa", 200);
  const Recording now = run("p-bbbbb", 200);
  GeneratedNames names_then;
  GeneratedNames names_now;
  EXPECT_TRUE(compare(then.exchanges[1], names_then, now.exchanges[1], names_now));
  note_names(then.exchanges[0], names_then);
  note_names(now.exchanges[0], names_now);
  EXPECT_FALSE(compare(then.exchanges[1], names_then, now.exchanges[1], names_now));
  const Recording other = run("p-bbbbb", 404);
  const auto found = compare(then.exchanges[1], names_then, other.exchanges[1], names_now);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->details, ElementsAre("status: 200 then, 404 now"));
}

TEST(ComparedRecordings, ShowTheFirstOfSeveralDifferences) {
  const auto a = Script().ask("x", 1, "GET /1").ask("y", 2, "GET /2").ask("y", 2, "GET /3");
  const auto b = Script().ask("x", 1, "GET /1", 404).ask("y", 2, "GET /2", 404);
  EXPECT_EQ(compare(a, b, Order::kClient).first->a, 0u);
}

}  // namespace
}  // namespace strake::recording
