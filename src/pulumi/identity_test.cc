#include "pulumi/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::pulumi {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct IdentityCase {
  std::string_view token, name, version;
  Identity want;
};

TEST(Identity, IsDerivedFromTokenNameAndVersion) {
  const IdentityCase cases[] = {
      {"awsx:ecs:FargateService",
       "awsx",
       "",
       {"awsx.components.platform", "v1alpha1", "FargateService", "fargate-services",
        "fargate-service"}},
      {"eks:index:Class",
       "eks",
       "v0.5.0",
       {"eks.components.platform", "v1alpha1", "Class", "classes", "class"}},
      {"p:index:HTTPServer",
       "aws_x!!",
       "2.3.4",
       {"aws-x.components.platform", "v2", "HTTPServer", "http-servers", "http-server"}},
      {"p:index:Node2Group",
       "p",
       "10.0.0-rc.1",
       {"p.components.platform", "v10", "Node2Group", "node2-groups", "node2-group"}},
      {"::Thing", "---", "x", {"components.platform", "v1alpha1", "Thing", "things", "thing"}},
      {"awsx:ecs",
       "awsx",
       "0.0.3+dirty",
       {"awsx.components.platform", "v1alpha1", "Component", "components", "component"}},
      {"p:index:VPC", "p", "3", {"p.components.platform", "v3", "VPC", "vpcs", "vpc"}},
      {"p:index:Proxy", "p", "1.0.0", {"p.components.platform", "v1", "Proxy", "proxys", "proxy"}},
      {"aws:eks/cluster: a/b.Cluster ",
       "",
       "",
       {"aws.components.platform", "v1alpha1", "Cluster", "clusters", "cluster"}},
      {"p:index:9Lives",
       "p",
       "007.1",
       {"p.components.platform", "v7", "Component", "components", "component"}},
      {"p:index:Bad-Name",
       "p",
       "3-rc",
       {"p.components.platform", "v1alpha1", "Component", "components", "component"}},
  };
  for (const IdentityCase& one : cases) {
    const Identity got = derive_identity(one.name, one.version, one.token);
    EXPECT_EQ(got.group, one.want.group) << one.token;
    EXPECT_EQ(got.version, one.want.version) << one.token;
    EXPECT_EQ(got.kind, one.want.kind) << one.token;
    EXPECT_EQ(got.plural, one.want.plural) << one.token;
    EXPECT_EQ(got.singular, one.want.singular) << one.token;
  }
}

TEST(Identity, TakesGivenFieldsWithoutDerivingOthersFromThem) {
  const auto got = settle_identity(derive_identity("p", "1.0.0", "p:index:Thing"),
                                   {.group = "", .version = "v9", .kind = "Foo"});
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, (Identity{"p.components.platform", "v9", "Foo", "things", "thing"}));
}

TEST(Identity, NamesTheFlagOfAFieldThatServersRefuse) {
  const std::string long_label(64, 'a');
  struct {
    Identity given;
    std::string_view want;
  } cases[] = {
      {{.group = "Upper.example"}, "invalid --group: \"Upper.example\": "},
      {{.group = "nodot"}, "invalid --group: \"nodot\": should be a domain"},
      {{.version = "1"}, "invalid --version: \"1\": "},
      {{.version = long_label}, "invalid --version: "},
      {{.kind = "foo-bar"}, "invalid --kind: \"foo-bar\": "},
      {{.kind = std::string(64, 'K')}, "invalid --kind: "},
      {{.plural = "Things"}, "invalid --plural: \"Things\": "},
      {{.plural = "9things"}, "invalid --plural: \"9things\": "},
      {{.singular = "a_b"}, "invalid --singular: \"a_b\": "},
      {{.group = std::string(60, 'g') + "." + std::string(60, 'g') + "." + std::string(60, 'g') +
                 "." + std::string(60, 'g'),
        .plural = std::string(63, 'p')},
       "invalid --plural: "},
  };
  for (const auto& one : cases) {
    const auto got = settle_identity(derive_identity("p", "1.0.0", "p:index:Thing"), one.given);
    ASSERT_FALSE(got) << one.want;
    EXPECT_THAT(got.error().message(), StartsWith(std::string(one.want)));
  }
}

TEST(Identity, KnowsGroupsThatNeedApproval) {
  EXPECT_TRUE(is_protected_group("x.k8s.io"));
  EXPECT_TRUE(is_protected_group("a.kubernetes.io"));
  EXPECT_TRUE(is_protected_group("k8s.io"));
  EXPECT_FALSE(is_protected_group("xk8s.io"));
  EXPECT_FALSE(is_protected_group("k8s.io.example"));
}

}  // namespace
}  // namespace strake::pulumi
