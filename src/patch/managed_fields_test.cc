#include "patch/managed_fields.h"

#include <gtest/gtest.h>

#include <deque>

#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::read_json;
using value::to_json;
using value::Value;

schema::NodePtr compile(const char* text) {
  return schema::compile(read_json(text)->root()).value();
}

constexpr const char* kSchema = R"({
  "type": "object",
  "properties": {
    "spec": {"type": "object", "properties": {
      "a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"},
      "l": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}}},
    "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}}
  }
})";

// An object that is written again and again.
class ManagedFieldsTest : public ::testing::Test {
 protected:
  ManagedFieldsTest() : schema_(compile(kSchema)) {}

  // Writes "spec", and gives back the entries as text.
  std::string write(const std::string& spec, const std::string& manager) {
    return write_body(fmt::format(R"("spec":{})", spec), manager);
  }
  std::string write_body(const std::string& rest, const std::string& manager) {
    context_.manager = manager;
    std::string metadata = R"("name":"n","uid":"u")";
    if (sent_) metadata += fmt::format(R"(,"managedFields":{})", *sent_);
    const std::string text = fmt::format(R"({{"apiVersion":"{}","kind":"K","metadata":{{{}}},{}}})",
                                         context_.api_version, metadata, rest);
    documents_.push_back(read_json(text).value());
    Value object = documents_.back().root();
    const std::string before = stored_ ? to_json(*stored_) : "";
    update_managed_fields(object, stored_ ? &*stored_ : nullptr, schema_.get(), context_, arena_);
    EXPECT_EQ(stored_ ? to_json(*stored_) : "", before) << "the old object changed";
    stored_ = object;
    return entries();
  }
  std::string entries() const {
    const Value* found = stored_->find("metadata")->find("managedFields");
    if (found == nullptr) return "none";
    std::string out;
    for (const Value& entry : found->items()) {
      const auto text = [&](const char* key) {
        const Value* v = entry.find(key);
        return v != nullptr ? std::string(v->as_string()) : std::string();
      };
      EXPECT_EQ(text("fieldsType"), "FieldsV1");
      out += fmt::format(
          "{}{} {}{}{} {} {}", out.empty() ? "" : "\n", text("manager"), text("operation"),
          text("subresource").empty() ? "" : "/", text("subresource"),
          text("time").empty() ? "" : text("time").substr(17, 2), to_json(*entry.find("fieldsV1")));
    }
    return out;
  }
  void at(const char* seconds) {
    time_ = fmt::format("2024-01-01T00:00:{}Z", seconds);
    context_.time = time_;
  }

  Arena arena_;
  schema::NodePtr schema_;
  std::string time_ = "2024-01-01T00:00:01Z";
  WriteContext context_{.api_version = "example.com/v1", .time = time_};
  std::optional<std::string> sent_;
  std::optional<Value> stored_;
  std::deque<Document> documents_;
};

TEST_F(ManagedFieldsTest, GivesAllOfANewObjectToItsCreator) {
  EXPECT_EQ(write(R"({"a":1,"l":["x"]})", "one"),
            R"(one Update 01 {"f:spec":{".":{},"f:a":{},"f:l":{".":{},"v:\"x\"":{}}}})");
}

TEST_F(ManagedFieldsTest, MovesWhatChangedToWhoChangedIt) {
  write(R"({"a":1,"b":1})", "one");
  at("02");
  EXPECT_EQ(write(R"({"a":1,"b":2})", "two"),
            "one Update 01 {\"f:spec\":{\".\":{},\"f:a\":{}}}\n"
            "two Update 02 {\"f:spec\":{\"f:b\":{}}}");
  at("03");
  EXPECT_EQ(write(R"({"a":1})", "three"), R"(one Update 01 {"f:spec":{".":{},"f:a":{}}})")
      << "who only removes owns nothing";
  at("04");
  EXPECT_EQ(write(R"({"a":2})", "two"),
            "one Update 01 {\"f:spec\":{}}\ntwo Update 04 {\"f:spec\":{\"f:a\":{}}}");
}

TEST_F(ManagedFieldsTest, KeepsTimesWhenNothingChanged) {
  write(R"({"a":1})", "one");
  const Value before = *stored_;
  at("09");
  EXPECT_EQ(write(R"({"a":1})", "two"), R"(one Update 01 {"f:spec":{".":{},"f:a":{}}})");
  EXPECT_TRUE(same_but_for_times(before, *stored_));
  EXPECT_EQ(write(R"({"a":1,"b":1})", "one"),
            R"(one Update 09 {"f:spec":{".":{},"f:a":{},"f:b":{}}})");
}

TEST_F(ManagedFieldsTest, ReadsWhatTheClientSent) {
  write(R"({"a":1,"b":1})", "one");
  sent_ =
      R"([{"manager":"x","operation":"Apply","apiVersion":"example.com/v1","fieldsType":"FieldsV1",)"
      R"("fieldsV1":{"f:spec":{"f:a":{}}}}])";
  EXPECT_EQ(write(R"({"a":1,"b":1,"c":1})", "two"),
            "x Apply  {\"f:spec\":{\"f:a\":{}}}\ntwo Update 01 {\"f:spec\":{\"f:c\":{}}}");
  for (
      const char* bad : {
          R"([{"manager":"x"}])",
          R"([{"manager":"x","operation":"Apply","fieldsType":"FieldsV1"}])",
          R"([{"manager":"x","operation":"Apply","apiVersion":"v1"}])",
          R"([{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"V2"}])",
          R"([{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"x":{}}}])",
          R"([{},{}])",
      }) {
    sent_ = bad;
    EXPECT_EQ(write(R"({"a":1,"b":1,"c":1})", "three"),
              "x Apply  {\"f:spec\":{\"f:a\":{}}}\ntwo Update 01 {\"f:spec\":{\"f:c\":{}}}")
        << "invalid entries count as not sent: " << bad;
  }
  sent_ = R"([{}])";
  context_.subresource = "status";
  EXPECT_NE(write(R"({"a":1,"b":1,"c":1})", "three"), "none") << "a subresource cannot set them";
}

TEST_F(ManagedFieldsTest, StaysUntrackedOnceCleared) {
  for (const char* cleared : {"[]", "[{}]"}) {
    stored_.reset();
    sent_.reset();
    write(R"({"a":1})", "one");
    sent_ = cleared;
    EXPECT_EQ(write(R"({"a":2})", "one"), "none");
    sent_.reset();
    EXPECT_EQ(write(R"({"a":3})", "two"), "none");
  }
}

TEST_F(ManagedFieldsTest, NeverOwnsWhatTheEndpointResets) {
  context_.reset = {"status"};
  EXPECT_EQ(write_body(R"("spec":{"a":1},"status":{"ready":true})", "one"),
            R"(one Update 01 {"f:spec":{".":{},"f:a":{}}})");
  context_.reset = {"metadata", "spec"};
  context_.subresource = "status";
  EXPECT_EQ(write_body(R"("spec":{"a":2},"status":{"ready":false})", "one"),
            "one Update 01 {\"f:spec\":{\".\":{},\"f:a\":{}}}\n"
            "one Update/status 01 {\"f:status\":{\"f:ready\":{}}}");
}

TEST_F(ManagedFieldsTest, NeverOwnsWhatIsResetDeepInside) {
  context_.reset = {"spec.b", "status"};
  EXPECT_EQ(write(R"({"a":1,"b":1})", "one"), R"(one Update 01 {"f:spec":{".":{},"f:a":{}}})");
}

TEST_F(ManagedFieldsTest, MergesTheOldestOfManyUpdates) {
  std::string spec = R"("a":0)";
  schema_ = nullptr;
  for (int i = 0; i < 13; ++i) {
    const std::string second = fmt::format("{:02}", i + 10);
    at(second.c_str());
    spec += fmt::format(R"(,"k{}":{})", i, i);
    write("{" + spec + "}", fmt::format("m{}", i));
  }
  const Value& list = *stored_->find("metadata")->find("managedFields");
  EXPECT_EQ(list.size(), 10u);
  EXPECT_EQ(
      entries().substr(0, entries().find('\n')),
      R"(ancient-changes Update 13 {"f:spec":{".":{},"f:a":{},"f:k0":{},"f:k1":{},"f:k2":{},"f:k3":{}}})");
}

TEST_F(ManagedFieldsTest, OrdersEntriesByOperationTimeAndName) {
  sent_ = R"([
    {"manager":"b","operation":"Update","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":{}},"time":"2024-01-01T00:00:05Z"},
    {"manager":"a","operation":"Update","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":{}},"time":"2024-01-01T00:00:05Z"},
    {"manager":"z","operation":"Apply","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":{}},"time":"2024-01-01T00:00:09Z"},
    {"manager":"c","operation":"Update","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":{}},"time":"2024-01-01T00:00:04Z"}])";
  EXPECT_EQ(write("{}", "q"),
            "z Apply 09 {\"f:x\":{}}\nq Update 01 {\"f:spec\":{}}\nc Update 04 {\"f:x\":{}}\n"
            "a Update 05 {\"f:x\":{}}\nb Update 05 {\"f:x\":{}}");
}

TEST_F(ManagedFieldsTest, ComparesOtherVersionsInTheirOwnSchema) {
  const schema::NodePtr v2 = compile(
      R"({"type":"object","properties":{"spec":{"type":"object","x-kubernetes-map-type":"atomic","properties":)"
      R"({"a":{"type":"integer"},"b":{"type":"integer"}}}}})");
  const SameShapeVersions versions({{"example.com/v1", schema_}, {"example.com/v2", v2}});
  const char* entry =
      R"({{"manager":"{}","operation":"Update","apiVersion":"example.com/{}","fieldsType":"FieldsV1",)"
      R"("fieldsV1":{{"f:spec":{{}}}}}})";
  const std::string two = fmt::format(fmt::runtime(entry), "two", "v2");
  const std::string gone = fmt::format(fmt::runtime(entry), "gone", "v0");
  write(R"({"a":1})", "one");
  sent_ = "[" + two + "," + gone + "]";
  const Value before = *stored_;
  EXPECT_EQ(write(R"({"a":2})", "one"),
            "gone Update  {\"f:spec\":{}}\ntwo Update  {\"f:spec\":{}}\n"
            "one Update 01 {\"f:spec\":{\"f:a\":{}}}")
      << "left alone when the versions are not known";
  stored_ = before;
  context_.others = &versions;
  EXPECT_EQ(write(R"({"a":2})", "one"), R"(one Update 01 {"f:spec":{"f:a":{}}})")
      << "in v2 all of spec changed, and v0 is no more";
  stored_ = before;
  EXPECT_EQ(write(R"({"a":1})", "one"), "two Update  {\"f:spec\":{}}");
}

TEST_F(ManagedFieldsTest, DropsAllEntriesWhenAnObjectDoesNotFit) {
  write(R"({"a":1})", "one");
  EXPECT_EQ(write(R"({"a":"x"})", "one"), "none");
}

TEST(SameButForTimes, PassesOverTimesAndVersions) {
  const auto same = [](const char* a, const char* b) {
    return same_but_for_times(read_json(a)->root(), read_json(b)->root());
  };
  EXPECT_TRUE(
      same(R"({"metadata":{"resourceVersion":"1","managedFields":[{"manager":"a","time":"x"}]}})",
           R"({"metadata":{"resourceVersion":"2","managedFields":[{"manager":"a"}]}})"));
  EXPECT_FALSE(same(R"({"metadata":{"managedFields":[{"manager":"a"}]}})",
                    R"({"metadata":{"managedFields":[{"manager":"b"}]}})"));
  EXPECT_FALSE(same(R"({"metadata":{"managedFields":[{"manager":"a"}]}})", R"({"metadata":{}})"));
  EXPECT_FALSE(same(R"({"metadata":{"labels":{"a":"b"}}})", R"({"metadata":{}})"));
  EXPECT_FALSE(same(R"({"metadata":{},"spec":1})", R"({"metadata":{},"spec":1.0})"));
  EXPECT_FALSE(same(R"({"spec":1})", R"({"spec":1,"x":2})"));
  EXPECT_TRUE(same(R"({"spec":1})", R"({"spec":1})"));
}

TEST(ManagerFromUserAgent, TakesWhatStandsBeforeTheSlash) {
  EXPECT_EQ(manager_from_user_agent("kubectl/v1.36.0 (linux/amd64)"), "kubectl");
  EXPECT_EQ(manager_from_user_agent("Python-urllib/3.11"), "Python-urllib");
  EXPECT_EQ(manager_from_user_agent("a\tb\x01 c/1"), "ab c");
  EXPECT_EQ(manager_from_user_agent(""), "unknown");
  EXPECT_EQ(manager_from_user_agent("/x"), "unknown");
  EXPECT_EQ(manager_from_user_agent(std::string(200, 'x')), std::string(128, 'x'));
  EXPECT_EQ(manager_from_user_agent(std::string(127, 'x') + "é/1"), std::string(127, 'x'));
}

}  // namespace
}  // namespace strake::patch
