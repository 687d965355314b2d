#include "extension/members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::extension {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string failure(std::string_view text) {
  const auto read = read_members(text, "");
  return read ? "none" : read.error().message();
}

TEST(Members, AreReadWithPathsBelowTheFile) {
  const auto members = read_members(R"(
members:
- name: team-a
  kubeconfig: a/admin.kubeconfig
- {name: team-b, kubeconfig: /b/config, groups: [b.example, c.example]}
- name: old
  server: https://192.0.2.1:8443
  certificateAuthorityFile: old.crt
  groups: [{group: old.example, versions: [v1, v1beta1]}]
)",
                                    "/etc/strake");
  ASSERT_TRUE(members) << members.error().to_string();
  ASSERT_EQ(members->size(), 3u);
  EXPECT_EQ((*members)[0].kubeconfig, "/etc/strake/a/admin.kubeconfig");
  EXPECT_THAT((*members)[0].groups, IsEmpty());
  EXPECT_EQ((*members)[1].kubeconfig, "/b/config");
  EXPECT_THAT((*members)[1].groups, ElementsAre("b.example", "c.example"));
  EXPECT_EQ((*members)[2].ca_file, "/etc/strake/old.crt");
  EXPECT_THAT((*members)[2].versions,
              ElementsAre(Pair("old.example", ElementsAre("v1", "v1beta1"))));
}

TEST(Members, MayBeNone) { EXPECT_EQ(read_members("members: []", "")->size(), 0u); }

TEST(Members, SayWhatIsWrongAndWhere) {
  EXPECT_EQ(failure("[]"), "the file: must be an object");
  EXPECT_EQ(failure("memebers: []"), "the file: unknown field \"memebers\"");
  EXPECT_EQ(failure("{}"), "members: must be a list");
  EXPECT_EQ(failure("members: [1]"), "members[0]: must be an object");
  EXPECT_EQ(failure("members: [{name: A}]"),
            "members[0]: name must be a DNS label, such as team-a");
  EXPECT_EQ(failure("members: [{name: a}]"), "member a: wants either a kubeconfig or a server");
  EXPECT_EQ(failure("members: [{name: a, kubeconfig: k, server: https://x}]"),
            "member a: wants either a kubeconfig or a server");
  EXPECT_EQ(failure("members: [{name: a, kubeconfig: 1}]"),
            "member a: kubeconfig must be a string that is not empty");
  EXPECT_EQ(failure("members: [{name: a, kubeconfig: k, group: g}]"),
            "members[0]: unknown field \"group\"");
  EXPECT_EQ(failure("members: [{name: a, server: https://x}]"),
            "member a: certificateAuthorityFile goes with server, and server with it");
  EXPECT_EQ(failure("members: [{name: a, server: http://x, certificateAuthorityFile: f}]"),
            "member a: server must begin with https://");
  EXPECT_EQ(failure("members: [{name: a, server: https://x, certificateAuthorityFile: f}]"),
            "member a: groups, with their versions, must be given with server");
  EXPECT_EQ(failure("members: [{name: a, kubeconfig: k, groups: [{group: g}]}]"),
            "member a: a group must be a DNS subdomain, such as a.example.com");
  EXPECT_EQ(failure("members: [{name: a, server: https://x, certificateAuthorityFile: f, "
                    "groups: [{group: g.example, versions: []}]}]"),
            "member a: group g.example: versions must be a list");
  EXPECT_EQ(failure("members: [{name: a, kubeconfig: k}, {name: a, kubeconfig: k}]"),
            "members[1]: a member named a stands before it");
}

}  // namespace
}  // namespace strake::extension
