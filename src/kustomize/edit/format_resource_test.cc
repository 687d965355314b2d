#include "kustomize/edit/format_resource.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::kustomize {
namespace {

using yaml_edit::LayoutDocument;
using yaml_edit::read_layout;
using yaml_edit::write_layout;

std::string formatted(std::string_view text) {
  auto read = read_layout(text);
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().to_string());
  if (!read) return {};
  for (LayoutDocument& document : *read) {
    const Result<> done = format_resource(document.root);
    EXPECT_TRUE(done.has_value());
  }
  return write_layout(*read);
}

TEST(FormatResource, OrdersKnownFieldsFirstAndTheOthersByName) {
  EXPECT_EQ(formatted("spec:\n  zeta: 1\n  replicas: 3 # three\n  alpha: 2\n# which kind\nkind: "
                      "Boat\nmetadata:\n  labels:\n    b: c\n    a: d\n  name: x\napiVersion: "
                      "m.dev/v1\nstatus: {}\n"),
            "apiVersion: m.dev/v1\n# which kind\nkind: Boat\nmetadata:\n  name: x\n  labels:\n"
            "    a: d\n    b: c\nspec:\n  replicas: 3 # three\n  alpha: 2\n  zeta: 1\n"
            "status: {}\n");
}

TEST(FormatResource, SortsContainersOfKnownKindsByName) {
  const std::string_view list =
      "spec:\n  template:\n    spec:\n      containers:\n      # the second\n      - name: b\n"
      "      - image: x\n        name: a\n";
  const std::string_view sorted =
      "spec:\n  template:\n    spec:\n      containers:\n      - name: a\n        image: x\n"
      "      # the second\n      - name: b\n";
  const std::string deployment = "apiVersion: apps/v1\nkind: Deployment\n";
  EXPECT_EQ(formatted(deployment + std::string(list)), deployment + std::string(sorted));
  const std::string boat = "apiVersion: m.dev/v1\nkind: Boat\n";
  EXPECT_THAT(formatted(boat + std::string(list)), ::testing::HasSubstr("- name: b\n      - name"));
  EXPECT_EQ(formatted("kind: ValidatingWebhookConfiguration\napiVersion: "
                      "admissionregistration.k8s.io/v1\nwebhooks:\n- rules:\n  - operations: "
                      "[UPDATE, CREATE]\n"),
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
            "webhooks:\n- rules:\n  - operations: [CREATE, UPDATE]\n");
}

TEST(FormatResource, CarriesTheHeadOfAFirstFieldBehindTheDash) {
  EXPECT_EQ(formatted("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: i\n"
                      "    # what it is called\n    name: n\n"),
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - # what it is called\n"
            "    name: n\n    image: i\n");
}

TEST(FormatResource, LeavesAloneWhatSaysSoAndWhatIsNoResource) {
  const std::string_view none =
      "kind: A\napiVersion: v1\nmetadata:\n  annotations:\n    config.kubernetes.io/formatting: "
      "none\n";
  EXPECT_EQ(formatted(none), none);
  EXPECT_EQ(formatted("b: 1\na: 2\n"), "b: 1\na: 2\n");
  auto bad =
      read_layout("metadata: {annotations: {config.kubernetes.io/formatting: odd}, name: x}\n");
  ASSERT_TRUE(bad.has_value());
  EXPECT_EQ(format_resource(bad->front().root).error().message(),
            "formatting annotation has illegal value odd");
}

}  // namespace
}  // namespace strake::kustomize
