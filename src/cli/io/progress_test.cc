#include "cli/io/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

struct TerminalWorld : FakeWorld {
  TerminalWorld() {
    io.err_is_terminal = true;
    environment["TERM"] = "xterm";
  }
};

TEST(Progress, ShowsNothingForWorkThatIsDoneWithinASecond) {
  TerminalWorld world;
  {
    Progress progress(world.io, "working", 2);
    world.now += std::chrono::milliseconds(999);
    progress.step();
    progress.step();
  }
  EXPECT_EQ(world.err.text(), "");
}

TEST(Progress, ShowsABarAfterASecondAndErasesIt) {
  TerminalWorld world;
  {
    Progress progress(world.io, "working", 4);
    world.now += std::chrono::milliseconds(1000);
    progress.step();
    EXPECT_THAT(world.err.text(), HasSubstr("working [#######.......................] 1/4"));
  }
  EXPECT_THAT(world.err.text(), EndsWith("\r\x1b[K"));
}

TEST(Progress, IsRedrawnAFewTimesASecondOnly) {
  TerminalWorld world;
  Progress progress(world.io, "working", 1000);
  world.now += std::chrono::seconds(2);
  progress.step();
  const std::size_t after_one = world.err.text().size();
  for (int i = 0; i < 99; ++i) {
    world.now += std::chrono::milliseconds(1);
    progress.step();
  }
  EXPECT_EQ(world.err.text().size(), after_one);
  world.now += std::chrono::milliseconds(1);
  progress.step();
  EXPECT_GT(world.err.text().size(), after_one);
}

TEST(Progress, ShowsNothingWithoutATerminal) {
  for (const bool dumb : {false, true}) {
    FakeWorld world;
    world.io.err_is_terminal = dumb;
    world.environment["TERM"] = dumb ? "dumb" : "xterm";
    {
      Progress progress(world.io, "working", 4);
      world.now += std::chrono::seconds(5);
      progress.step();
    }
    EXPECT_EQ(world.err.text(), "");
  }
}

}  // namespace
}  // namespace strake::cli
