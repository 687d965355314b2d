#include "cli/kustomize/kustomize_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  std::istringstream in{std::string(line)};
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

TEST(KustomizeHelp, IsThereForEveryCommandInItsOwnWords) {
  struct Case {
    std::string_view line, usage, flag;
  };
  constexpr Case kCases[] = {
      {"build", "kustomize build DIR [flags]", "--load-restrictor"},
      {"create", "kustomize create [flags]", "--autodetect"},
      {"version", "kustomize version [flags]", "--short"},
      {"openapi fetch", "kustomize openapi fetch [FILE] [flags]", "--format"},
      {"openapi info", "kustomize openapi info [flags]", "--help"},
      {"cfg fmt", "kustomize cfg fmt [DIR|FILE]... [flags]", "--set-filenames"},
      {"edit fix", "kustomize edit fix [flags]", "--vars"},
      {"edit alpha-list-builtin-plugin", "kustomize edit alpha-list-builtin-plugin [flags]",
       "--help"},
      {"edit set image", "kustomize edit set image NAME=NEWNAME:TAG... [flags]", "--help"},
      {"edit set configmap", "kustomize edit set configmap NAME [flags]", "--new-namespace"},
      {"edit add label", "kustomize edit add label KEY:VALUE... [flags]", "--without-selector"},
      {"edit add patch", "kustomize edit add patch [flags]", "--label-selector"},
      {"edit remove resource", "kustomize edit remove resource PATTERN... [flags]", "--help"},
      {"edit remove secret", "kustomize edit remove secret NAME[,NAME...] [flags]", "--namespace"},
  };
  for (const Case& one : kCases) {
    std::string shown;
    for (const std::string& line :
         {std::string(one.line) + " --help", std::string(one.line) + " -h",
          std::string(one.line) + " --bogus x -h", "help " + std::string(one.line)}) {
      FakeWorld world;
      EXPECT_EQ(world.run(words_of(line), "kustomize"), ExitCode::kFine) << line;
      EXPECT_THAT(world.out.text(), HasSubstr("\n\nUsage:\n  " + std::string(one.usage) + "\n"));
      EXPECT_THAT(world.out.text(), HasSubstr(std::string(one.flag))) << line;
      EXPECT_THAT(world.out.text(), HasSubstr("-h, --help"));
      EXPECT_EQ(world.err.text(), "") << line;
      if (!shown.empty()) EXPECT_EQ(world.out.text(), shown) << line;
      shown = world.out.text();
    }
  }
}

TEST(KustomizeHelp, ListsTheCommandsOfAFamily) {
  for (const std::string_view line :
       {"", "--help", "-h", "help", "edit", "edit --help", "help edit", "edit set -h", "edit add",
        "edit remove --help", "cfg -h", "openapi", "openapi --help"}) {
    FakeWorld world;
    EXPECT_EQ(world.run(words_of(line), "kustomize"), ExitCode::kFine) << line;
    EXPECT_THAT(world.out.text(), HasSubstr("\n\nAvailable Commands:\n  ")) << line;
  }
}

TEST(KustomizeHelp, RefusesWordsThatAreNoCommands) {
  struct Case {
    std::string_view line, error;
  };
  constexpr Case kCases[] = {
      {"bild", "Error: unknown command \"bild\" for \"kustomize\"\n"},
      {"help bild", "Error: unknown command \"bild\" for \"kustomize\"\n"},
      {"edit bogus --help", "Error: unknown command \"bogus\" for \"kustomize edit\"\n"},
      {"openapi bogus", "Error: unknown command \"bogus\" for \"kustomize openapi\"\n"},
      {"cfg bogus", "Error: unknown command \"bogus\" for \"kustomize cfg\"\n"},
  };
  for (const Case& one : kCases) {
    FakeWorld world;
    EXPECT_EQ(world.run(words_of(one.line), "kustomize"), ExitCode::kFindings) << one.line;
    EXPECT_EQ(world.err.text(), one.error);
  }
}

TEST(KustomizeHelp, IsNotWhatStandsBehindTwoDashes) {
  FakeWorld world;
  EXPECT_EQ(world.run({"build", "--", "-h"}, "kustomize"), ExitCode::kFindings);
  EXPECT_THAT(world.err.text(), StartsWith("Error: must build at directory"));
}

}  // namespace
}  // namespace strake::cli
