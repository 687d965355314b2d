// Kinds that do not go at once: how the object is marked, whoever deletes it.
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "api/verbs/decode.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api::testing {
namespace {

class PreparedDeletion : public ::testing::Test {
 protected:
  Call call_about(std::string_view group, std::string_view plural) {
    Call call;
    call.endpoint = server.core().registry.find(group, plural);
    call.version = &call.resource().versions.front();
    call.now = server.clock().now();
    call.user = std::make_shared<const User>();
    return call;
  }
  static kinds::Deletion prepare_delete(const Call& call, value::Document& document,
                                        bool deleting) {
    const std::string now = call.now_text();
    return call.strategy().prepare_delete(document.root(), deleting, document.arena(),
                                          call.write_request(now));
  }
  static std::string text(const value::Value& one) { return value::to_json(one); }
  TestServer server;
};

TEST_F(PreparedDeletion, HoldsANamespaceByItsOwnList) {
  const Call call = call_about("", "namespaces");
  struct Case {
    std::string_view object;
    bool deleting;
    bool held;
    std::string_view after;
  };
  const Case cases[] = {
      {R"({"metadata":{"name":"n"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})",
       false, true,
       R"({"metadata":{"deletionTimestamp":"2024-01-01T00:00:00Z","name":"n"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}})"},
      {R"({"metadata":{"name":"n"},"spec":{}})", false, false,
       R"({"metadata":{"deletionTimestamp":"2024-01-01T00:00:00Z","name":"n"},"spec":{},"status":{"phase":"Terminating"}})"},
      {R"({"metadata":{"deletionTimestamp":"then","name":"n"},"spec":{"finalizers":["x"]}})", true,
       true, R"({"metadata":{"deletionTimestamp":"then","name":"n"},"spec":{"finalizers":["x"]}})"},
  };
  for (const Case& one : cases) {
    value::Document document = value::read_json(one.object).value();
    const kinds::Deletion deletion = prepare_delete(call, document, one.deleting);
    ASSERT_EQ(deletion.refused, "") << one.object;
    EXPECT_EQ(deletion.held, one.held) << one.object;
    EXPECT_EQ(text(document.root()), one.after);
  }
}

TEST_F(PreparedDeletion, RefusesTheNamespacesThatStay) {
  const Call call = call_about("", "namespaces");
  for (const std::string_view name : {"default", "kube-system", "kube-public"}) {
    value::Document document =
        value::read_json(fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name)).value();
    EXPECT_NE(prepare_delete(call, document, false).refused, "") << name;
  }
}

TEST_F(PreparedDeletion, GivesADefinitionItsFinalizerAndCondition) {
  const Call call = call_about("apiextensions.k8s.io", "customresourcedefinitions");
  value::Document document =
      value::read_json(R"({"metadata":{"name":"a.b","finalizers":["x.y/z"]},"status":{}})").value();
  EXPECT_TRUE(prepare_delete(call, document, false).held);
  EXPECT_EQ(text(document.root().get("metadata").get("finalizers")),
            R"(["x.y/z","customresourcecleanup.apiextensions.k8s.io"])");
  EXPECT_EQ(text(document.root().get("status").get("conditions").items()[0].get("type")),
            R"("Terminating")");
  // Again it changes nothing, and stays for as long as the finalizer does.
  const std::string before = text(document.root());
  EXPECT_TRUE(prepare_delete(call, document, true).held);
  EXPECT_EQ(text(document.root()), before);
  value::Document cleaned = value::read_json(R"({"metadata":{"name":"a.b"}})").value();
  EXPECT_FALSE(prepare_delete(call, cleaned, true).held);
}

TEST_F(PreparedDeletion, LeavesOtherKindsAlone) {
  const Call call = call_about("", "configmaps");
  value::Document document = value::read_json(R"({"metadata":{"name":"a"}})").value();
  EXPECT_FALSE(prepare_delete(call, document, false).held);
  EXPECT_EQ(text(document.root()), R"({"metadata":{"name":"a"}})");
}

}  // namespace
}  // namespace strake::api::testing
