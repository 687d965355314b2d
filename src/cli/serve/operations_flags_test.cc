#include "cli/serve/operations_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"
#include "cli/serve/serve_flags.h"
#include "cli/serve/serve_options.h"

namespace strake::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Result<server::Options> read(std::vector<std::string> words) {
  FakeWorld world;
  const OperandSpec none{};
  STRAKE_TRY(const Arguments args, parse_arguments(kServeFlags, none, words));
  return read_serve_options(args, world.io);
}

std::string error_of(std::vector<std::string> words) {
  const auto options = read(std::move(words));
  return options ? "" : options.error().message();
}

TEST(OperationsFlags, SayWhereBackupsGo) {
  const auto options = read({"--data-dir=d", "--backup-schedule=6h", "--backup-dir=kept",
                             "--backup-keep=3", "--backup-max-age=48h"});
  ASSERT_TRUE(options) << options.error().message();
  const auto& backups = options->operations.backups;
  ASSERT_TRUE(backups);
  EXPECT_EQ(backups->schedule.text(), "6h");
  EXPECT_EQ(backups->folder, "kept");
  EXPECT_EQ(backups->retention.keep, 3u);
  EXPECT_EQ(backups->retention.age, std::chrono::hours(48));
  EXPECT_THAT(backups->command.arguments, IsEmpty());
  EXPECT_FALSE(read({"--data-dir=d"})->operations.backups);
}

TEST(OperationsFlags, RunACommandWithoutAShellUnlessAsked) {
  const std::string command = "--backup-command=restic backup --tag '$HOME' {name}";
  const auto plain = read({"--data-dir=d", "--backup-schedule=@daily", command});
  ASSERT_TRUE(plain) << plain.error().message();
  EXPECT_THAT(plain->operations.backups->command.arguments,
              ElementsAre("restic", "backup", "--tag", "$HOME", "{name}"));
  EXPECT_EQ(plain->operations.backups->command.timeout, std::chrono::hours(1));
  const auto shell = read({"--data-dir=d", "--backup-schedule=@daily", command,
                           "--backup-command-shell", "--backup-command-timeout=90s"});
  EXPECT_THAT(shell->operations.backups->command.arguments,
              ElementsAre("/bin/sh", "-c", "restic backup --tag '$HOME' {name}"));
  EXPECT_EQ(shell->operations.backups->command.timeout, std::chrono::seconds(90));
}

TEST(OperationsFlags, SayWhatIsMissingOrWrong) {
  EXPECT_EQ(error_of({"--backup-dir=x"}), "--backup-dir needs --backup-schedule");
  EXPECT_EQ(error_of({"--backup-keep=1"}), "--backup-keep needs --backup-schedule");
  EXPECT_EQ(error_of({"--backup-schedule=6h"}),
            "--backup-schedule needs --backup-dir or --backup-command");
  EXPECT_EQ(error_of({"--in-memory", "--backup-schedule=6h", "--backup-dir=x"}),
            "--backup-schedule needs a store on disk, not --in-memory");
  EXPECT_EQ(error_of({"--backup-schedule=0 0 * *", "--backup-dir=x"}),
            "--backup-schedule must have five fields (minute, hour, day of month, month, day of "
            "week), got 4");
  EXPECT_EQ(error_of({"--backup-schedule=6h", "--backup-command=a 'b"}),
            "--backup-command the quote ' does not end");
  EXPECT_EQ(error_of({"--backup-schedule=6h", "--backup-dir=x", "--backup-max-age=old"}),
            "--backup-max-age wants a duration such as 30s, got \"old\"");
}

TEST(OperationsFlags, AreShownWithoutSecrets) {
  const auto options =
      read({"--data-dir=d", "--backup-schedule=6h", "--backup-command=x --password=letmein",
            "--tls-san=a", "--tls-san=b", "--log-requests", "--drain-seconds=5"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->operations.flags,
              ElementsAre(Pair("backup-command", "CLASSIFIED"), Pair("backup-schedule", "6h"),
                          Pair("data-dir", "d"), Pair("drain-seconds", "5"),
                          Pair("log-requests", "true"), Pair("tls-san", "[a,b]")));
}

}  // namespace
}  // namespace strake::cli
