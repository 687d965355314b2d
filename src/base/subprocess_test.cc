#include "base/subprocess.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace strake {
namespace {

Result<ProgramOutput> run_shell(std::string script) {
  return run_program({.arguments = {"sh", "-c", std::move(script)}});
}

TEST(Subprocess, ReturnsBothStreamsAndTheStatus) {
  const auto output = run_shell("echo out; echo err >&2; exit 7");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "out\n");
  EXPECT_EQ(output->err, "err\n");
  EXPECT_EQ(output->status, 7);
}

TEST(Subprocess, ReadsMoreThanAPipeHolds) {
  const auto output = run_shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out.size(), 300000U);
  EXPECT_EQ(output->err.size(), 300000U);
}

TEST(Subprocess, GivesNoInput) {
  const auto output = run_shell("cat; echo done");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "done\n");
}

TEST(Subprocess, AddsToTheEnvironmentAndReplacesInIt) {
  ::setenv("STRAKE_SUBPROCESS_TEST", "old", 1);
  const auto output = run_program({.arguments = {"sh", "-c", "echo $STRAKE_SUBPROCESS_TEST $HOME"},
                                   .environment = {"STRAKE_SUBPROCESS_TEST=new", "HOME=/there"}});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "new /there\n");
}

TEST(Subprocess, RunsInTheFolderItIsGiven) {
  const auto folder = ScratchFolder::make("strake-test-");
  ASSERT_TRUE(folder);
  const auto output = run_program({.arguments = {"pwd", "-P"}, .folder = folder->path()});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, folder->path() + "\n");
}

TEST(Subprocess, TellsAProgramThatIsNotThereFromOneThatFails) {
  const auto output = run_program({.arguments = {"strake-no-such-program"}});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), Code::kNotFound);
}

TEST(Subprocess, EndsAProgramThatTakesTooLong) {
  const auto output =
      run_program({.arguments = {"sleep", "1000"}, .timeout = std::chrono::milliseconds(50)});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), Code::kTimeout);
}

TEST(Subprocess, TellsASignalFromAStatus) {
  const auto output = run_shell("kill -9 $$");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->status, 128 + 9);
}

TEST(ScratchFolder, GoesAwayWithWhatIsInIt) {
  std::string path;
  {
    const auto folder = ScratchFolder::make("strake-test-");
    ASSERT_TRUE(folder);
    path = folder->path();
    std::ofstream(path + "/file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path + "/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace strake
