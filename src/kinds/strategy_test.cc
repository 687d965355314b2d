// What every built-in strategy does alike, and the deletion of namespaces.
#include "kinds/strategy.h"

#include <gtest/gtest.h>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/resource.h"
#include "kinds/test_requests.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using value::Document;

Document parsed(std::string_view json) { return value::read_json(json).value(); }

WriteRequest request_for(const Resource& resource) {
  return {.resource = resource, .version = resource.versions.front(), .now = "t"};
}

TEST(BuiltinStrategies, StartFromAnObjectWhoseFieldsNobodySet) {
  EXPECT_EQ(value::to_json(*builtin("", "namespaces").strategy->zero()),
            R"({"metadata":{},"spec":{},"status":{}})");
}

TEST(BuiltinStrategies, JudgeMetadataOfWhatIsStoredAlone) {
  const Document object = parsed(R"({"metadata":{"name":"A"},"spec":{"user":"u"}})");
  const auto count = [&](const Resource& resource) {
    return resource.strategy->check_create(object.root(), request_for(resource))->errors.size();
  };
  EXPECT_GE(count(builtin("", "configmaps")), 1u);
  EXPECT_EQ(count(builtin("authentication.k8s.io", "selfsubjectreviews")), 0u);
}

TEST(BuiltinStrategies, JudgeMetadataOfAnUpdateTwice) {
  const Resource& maps = builtin("", "configmaps");
  const Document old =
      parsed(R"({"metadata":{"name":"a","namespace":"ns","resourceVersion":"1","uid":"u"}})");
  const Document object =
      parsed(R"({"metadata":{"name":"b","namespace":"ns","resourceVersion":"1","uid":"u"}})");
  std::size_t renamed = 0;
  for (const value::FieldError& one :
       maps.strategy->check_update(object.root(), old.root(), request_for(maps))->errors) {
    if (one.field() == "metadata.name") ++renamed;
  }
  EXPECT_EQ(renamed, 2u);
}

TEST(NamespaceStrategy, KeepsTheNamespacesThatAreAlwaysThere) {
  const Resource& namespaces = builtin("", "namespaces");
  Document object = parsed(R"({"metadata":{"name":"default"}})");
  EXPECT_EQ(namespaces.strategy
                ->prepare_delete(object.root(), false, object.arena(), request_for(namespaces))
                .refused,
            "this namespace may not be deleted");
}

TEST(NamespaceStrategy, HoldsANamespaceUntilItsOwnFinalizersAreGone) {
  const Resource& namespaces = builtin("", "namespaces");
  Document object = parsed(
      R"({"metadata":{"name":"a"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})");
  EXPECT_TRUE(namespaces.strategy->is_held(object.root()));
  const Deletion deletion = namespaces.strategy->prepare_delete(
      object.root(), false, object.arena(), request_for(namespaces));
  EXPECT_TRUE(deletion.held);
  EXPECT_EQ(
      value::to_json(object.root()),
      R"({"metadata":{"deletionTimestamp":"t","name":"a"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}})");
  const Document done = parsed(R"({"metadata":{"name":"a"},"spec":{}})");
  EXPECT_FALSE(namespaces.strategy->is_held(done.root()));
  // Only a namespace has such a list.
  EXPECT_FALSE(builtin("", "configmaps").strategy->is_held(object.root()));
}

}  // namespace
}  // namespace strake::kinds
