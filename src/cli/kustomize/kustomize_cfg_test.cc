#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kUnordered =
    "# a map\nkind: ConfigMap\ndata:\n  b: c # why\napiVersion: v1\nmetadata:\n  name: m\n";
constexpr std::string_view kOrdered =
    "apiVersion: v1\n# a map\nkind: ConfigMap\nmetadata:\n  name: m\ndata:\n  b: c # why\n";

std::string format_stream(std::string_view text, std::vector<std::string> flags = {}) {
  FakeWorld world{std::string(text)};
  flags.insert(flags.begin(), {"cfg", "fmt"});
  EXPECT_EQ(world.run(flags, "kustomize"), ExitCode::kFine) << world.err.text();
  return world.out.text();
}

TEST(KustomizeCfg, FormatsStandardInput) { EXPECT_EQ(format_stream(kUnordered), kOrdered); }

TEST(KustomizeCfg, FormatsTheItemsOfAList) {
  EXPECT_EQ(format_stream("kind: List\nitems:\n- kind: A\n  apiVersion: v1\napiVersion: v1\n"),
            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n");
}

TEST(KustomizeCfg, RewritesTheFilesOfAFolderButNotThoseOfOtherPackages) {
  const TemporaryFolder folder;
  folder.write("a/b.yaml", kUnordered);
  folder.write("a/c.txt", kUnordered);
  folder.write("other/Krmfile", "");
  folder.write("other/d.yml", kUnordered);
  FakeWorld world;
  EXPECT_EQ(world.run({"cfg", "fmt", folder.path().string()}, "kustomize"), ExitCode::kFine);
  EXPECT_EQ(world.out.text(),
            folder.path().string() + "/\nformatted resource files in the package\n");
  EXPECT_EQ(folder.read("a/b.yaml"), kOrdered);
  EXPECT_EQ(folder.read("a/c.txt"), kUnordered);
  EXPECT_EQ(folder.read("other/d.yml"), kUnordered);
  FakeWorld all;
  EXPECT_EQ(all.run({"cfg", "fmt", "-R", folder.path().string()}, "kustomize"), ExitCode::kFine);
  EXPECT_EQ(folder.read("other/d.yml"), kOrdered);
}

TEST(KustomizeCfg, NotesIndexAndFileNameWhenAsked) {
  EXPECT_EQ(format_stream("kind: A\napiVersion: v1\nmetadata: {name: N}\n", {"--set-filenames"}),
            "apiVersion: v1\nkind: A\nmetadata: {name: N, annotations: {"
            "config.kubernetes.io/index: '0', config.kubernetes.io/path: 'n_a.yaml', "
            "internal.config.kubernetes.io/index: '0', internal.config.kubernetes.io/path: "
            "'n_a.yaml'}}\n");
  const TemporaryFolder folder;
  folder.write("x.yaml", "kind: A\napiVersion: v1\nmetadata:\n  name: n\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"cfg", "fmt", "--set-filenames", "--override", "--pattern=%k/%n.yaml",
                       folder.path().string()},
                      "kustomize"),
            ExitCode::kFine);
  EXPECT_THAT(folder.read("a/n.yaml"), HasSubstr("config.kubernetes.io/path: 'a/n.yaml'\n"));
}

TEST(KustomizeCfg, WritesNothingOutsideTheFolder) {
  const TemporaryFolder folder;
  folder.write("in/x.yaml", "kind: A\napiVersion: v1\nmetadata:\n  name: n\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"cfg", "fmt", "--set-filenames", "--override", "--pattern=../%n.yaml",
                       (folder.path() / "in").string()},
                      "kustomize"),
            ExitCode::kFindings);
  EXPECT_THAT(world.err.text(), HasSubstr("resource must be written under package "));
}

TEST(KustomizeCfg, LeavesAFileAloneThatOrderingWouldBreak) {
  const TemporaryFolder folder;
  const std::string_view text = "kind: A\nmetadata:\n  name: n\nx: &a 1\napiVersion: v1\nb: *a\n";
  folder.write("x.yaml", text);
  FakeWorld world;
  EXPECT_EQ(world.run({"cfg", "fmt", folder.path().string()}, "kustomize"), ExitCode::kFindings);
  EXPECT_THAT(world.err.text(), HasSubstr("cannot be formatted without changing what it says"));
  EXPECT_EQ(folder.read("x.yaml"), text);
}

TEST(KustomizeCfg, NamesTheFileAndLineOfBadYaml) {
  const TemporaryFolder folder;
  folder.write("bad.yaml", "a: b\nc: d: e\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"cfg", "fmt", folder.path().string()}, "kustomize"), ExitCode::kFindings);
  EXPECT_THAT(world.err.text(), HasSubstr("bad.yaml: MalformedYAMLError: yaml: line 2: "));
}

TEST(KustomizeCfg, SaysWhatThereIs) {
  FakeWorld world;
  EXPECT_EQ(world.run({"cfg", "tree"}, "kustomize"), ExitCode::kFindings);
  EXPECT_EQ(world.err.text(), "Error: cfg tree is not part of this build; there is cfg fmt\n");
}

}  // namespace
}  // namespace strake::cli
