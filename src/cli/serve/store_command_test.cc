#include "cli/serve/store_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "async/loops.h"
#include "async/run.h"
#include "cli/fake_io.h"
#include "store/sqlite/sqlite_store.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

struct Printed {
  ExitCode code;
  std::string out;
  std::string err;
};

Printed run_store(std::vector<std::string> args) {
  FakeWorld world;
  args.insert(args.begin(), "store");
  const ExitCode code = world.run(args);
  return {code, world.out.text(), world.err.text()};
}

// A folder with a store, as `strake serve` leaves it.
class StoreCommand : public testing::Test {
 protected:
  void SetUp() override {
    open();
    put("/a");
    put("/b");
    store_.reset();
  }
  void open() {
    auto opened = store::sqlite::SqliteStore::open({.path = folder_ / "strake.db"});
    ASSERT_TRUE(opened) << opened.error().to_string();
    store_ = *std::move(opened);
  }
  void put(const std::string& key) {
    const auto written = async::run_blocking(
        loops_.at(0),
        store_->write({.key = key, .value = std::make_shared<const std::string>("v")}));
    ASSERT_TRUE(written && written->applied);
  }
  std::vector<std::string> here(std::vector<std::string> args) const {
    args.insert(args.begin() + 1, {"--data-dir", folder_.path().string()});
    return args;
  }

  async::Loops loops_{1};
  TemporaryFolder folder_;
  const std::string backup_ = folder_ / "backup.db";
  std::unique_ptr<store::sqlite::SqliteStore> store_;
};

TEST_F(StoreCommand, BacksUpAndRestores) {
  const Printed saved = run_store(here({"backup", backup_}));
  EXPECT_EQ(saved.code, ExitCode::kFine) << saved.err;
  EXPECT_THAT(saved.out, HasSubstr("strake.db backed up to " + backup_ + ": 2 keys, revision 3, "));
  const Printed refused = run_store(here({"restore", backup_}));
  EXPECT_EQ(refused.code, ExitCode::kInput);
  EXPECT_THAT(refused.err, HasSubstr("strake.db is there already; --overwrite replaces it"));
  const Printed restored = run_store(here({"restore", "--overwrite", backup_}));
  EXPECT_EQ(restored.code, ExitCode::kFine) << restored.err;
  EXPECT_THAT(restored.out, HasSubstr("strake.db restored from " + backup_ + ": 2 keys"));
}

TEST_F(StoreCommand, RestoresIntoAFolderThatIsNotThereYet) {
  ASSERT_EQ(run_store(here({"backup", backup_})).code, ExitCode::kFine);
  const std::string elsewhere = folder_ / "new/place";
  const Printed restored = run_store({"restore", "--data-dir", elsewhere, backup_});
  EXPECT_EQ(restored.code, ExitCode::kFine) << restored.err;
  EXPECT_EQ(run_store({"check", "--data-dir", elsewhere}).code, ExitCode::kFine);
}

TEST_F(StoreCommand, KeepsTheKeysOfTheServerInABackup) {
  folder_.write("pki/ca.key", "old key");
  folder_.write("pki/ca.crt", "old certificate");
  const Printed saved = run_store(here({"backup", backup_}));
  EXPECT_EQ(saved.code, ExitCode::kFine) << saved.err;
  EXPECT_THAT(saved.out, HasSubstr(", with the keys of pki/\n"));
  const std::string elsewhere = folder_ / "new/place";
  const Printed moved = run_store({"restore", "--data-dir", elsewhere, backup_});
  ASSERT_EQ(moved.code, ExitCode::kFine) << moved.err;
  EXPECT_EQ(folder_.read("new/place/pki/ca.key"), "old key");
  struct stat found = {};
  ASSERT_EQ(::stat((elsewhere + "/pki/ca.key").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);

  folder_.write("pki/ca.key", "new key");
  EXPECT_EQ(run_store(here({"restore", "--overwrite", "--keep-pki", backup_})).code,
            ExitCode::kFine);
  EXPECT_EQ(folder_.read("pki/ca.key"), "new key");
  EXPECT_EQ(run_store(here({"restore", "--overwrite", backup_})).code, ExitCode::kFine);
  EXPECT_EQ(folder_.read("pki/ca.key"), "old key");
}

TEST_F(StoreCommand, DoesNotReplaceKeysUnlessTold) {
  folder_.write("pki/ca.key", "old key");
  ASSERT_EQ(run_store(here({"backup", backup_})).code, ExitCode::kFine);
  folder_.write("other/pki/ca.key", "another");
  const Printed open = run_store({"restore", "--data-dir", folder_ / "other", backup_});
  EXPECT_EQ(open.code, ExitCode::kInput);
  EXPECT_THAT(open.err, HasSubstr("run `chmod 700 " + (folder_ / "other") + "`"));
  ASSERT_EQ(::chmod((folder_ / "other").c_str(), 0700), 0);
  const Printed refused = run_store({"restore", "--data-dir", folder_ / "other", backup_});
  EXPECT_EQ(refused.code, ExitCode::kInput);
  EXPECT_THAT(refused.err, HasSubstr("pki/ca.key is there already; --overwrite replaces it"));
  EXPECT_EQ(folder_.read("other/pki/ca.key"), "another");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other/strake.db"));
}

TEST_F(StoreCommand, SaysThatABackupHoldsNoKeys) {
  ASSERT_EQ(run_store(here({"backup", backup_})).code, ExitCode::kFine);
  EXPECT_THAT(run_store(here({"restore", "--overwrite", backup_})).out,
              HasSubstr("The backup holds no keys"));
}

TEST_F(StoreCommand, DoesNotRestoreUnderARunningServer) {
  ASSERT_EQ(run_store(here({"backup", backup_})).code, ExitCode::kFine);
  open();
  const Printed refused = run_store(here({"restore", "--overwrite", backup_}));
  EXPECT_EQ(refused.code, ExitCode::kInput);
  EXPECT_THAT(refused.err, HasSubstr("strake.db is in use by process "));
}

TEST_F(StoreCommand, CompactsAStoppedAndARunningStore) {
  const Printed stopped = run_store(here({"compact"}));
  EXPECT_EQ(stopped.code, ExitCode::kFine) << stopped.err;
  EXPECT_THAT(stopped.out, MatchesRegex(".*strake.db compacted: 2 keys, revision 3, .*\n"));
  open();
  put("/c");
  const Printed running = run_store(here({"compact"}));
  EXPECT_EQ(running.code, ExitCode::kFine) << running.err;
  EXPECT_THAT(running.out, HasSubstr("A server has it open"));
  EXPECT_EQ(store_->compacted_revision(), 4);
}

TEST_F(StoreCommand, ChecksStoresAndBackups) {
  const Printed whole = run_store(here({"check"}));
  EXPECT_EQ(whole.code, ExitCode::kFine) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("strake.db is whole: 2 keys, revision 3"));
  ASSERT_EQ(run_store(here({"backup", backup_})).code, ExitCode::kFine);
  EXPECT_EQ(run_store({"check", backup_}).code, ExitCode::kFine);
  folder_.write("backup.db", std::string(9000, 'x'));
  const Printed damaged = run_store({"check", backup_});
  EXPECT_EQ(damaged.code, ExitCode::kFindings);
  EXPECT_THAT(damaged.err, StartsWith("error: " + backup_ + " is damaged: "));
}

TEST_F(StoreCommand, SalvagesWhatCanBeRead) {
  const std::string rest = folder_ / "rest.db";
  const Printed whole = run_store(here({"salvage", rest}));
  EXPECT_EQ(whole.code, ExitCode::kFine) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("is in " + rest + ": 2 keys, revision 3"));
  auto database =
      store::sqlite::Database::open(folder_ / "strake.db", store::sqlite::Access::kWrite, {});
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->execute("UPDATE log SET value = x'00' WHERE key = x'2f62'"));
  const Printed damaged = run_store(here({"check"}));
  EXPECT_EQ(damaged.code, ExitCode::kFindings);
  EXPECT_THAT(damaged.err, HasSubstr("revision 3 of \"/b\" does not match its checksum"));
  const Printed salvaged = run_store(here({"salvage", "--overwrite", rest}));
  EXPECT_EQ(salvaged.code, ExitCode::kFindings);
  EXPECT_EQ(salvaged.err, "lost: \"/b\"\n");
  EXPECT_THAT(salvaged.out, HasSubstr("is in " + rest + ": 1 key, revision 3"));
  EXPECT_EQ(run_store(here({"check", rest})).code, ExitCode::kFine);
}

TEST_F(StoreCommand, LooksWhereTheServerKeepsItsDataUnlessTold) {
  FakeWorld world;
  world.environment["XDG_DATA_HOME"] = folder_ / "home";
  EXPECT_EQ(world.run({"store", "check"}), ExitCode::kInput);
  EXPECT_EQ(world.err.text(),
            "error: " + (folder_ / "home/strake/strake.db") + ": No such file or directory\n");
}

TEST_F(StoreCommand, SaysWhatItDoesNotUnderstand) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"chek"}, "store: unknown action \"chek\": did you mean \"check\"?"},
      {{"backup"}, "store backup: needs a FILE"},
      {{"compact", "x.db"}, "store compact: takes no FILE"},
      {{"check", "--overwrite"}, "store check: --overwrite means nothing here"},
      {{"backup", "--keep-pki", "x.db"}, "store backup: --keep-pki means nothing here"},
  };
  for (const auto& [args, want] : cases) {
    const Printed got = run_store(args);
    EXPECT_EQ(got.code, ExitCode::kInput);
    EXPECT_EQ(got.err, "error: " + want + "\n");
  }
}

TEST(StoreCommandFlags, BelongToTheirAction) {
  for (const auto& [args, why] :
       {std::pair<std::vector<std::string>, std::string>{{"store", "check", "--all"},
                                                         "store check: --all means nothing here"},
        {{"store", "backup", "a.db", "--wait"}, "store backup: --wait means nothing here"},
        {{"store", "migrate-versions", "a", "--data-dir", "x"},
         "store migrate-versions: --data-dir means nothing here"},
        {{"store", "migrate-versions"}, "name the resources to migrate, or give --all"}}) {
    FakeWorld world;
    EXPECT_EQ(world.run(args), ExitCode::kInput);
    EXPECT_TRUE(world.err.text().contains(why)) << world.err.text();
  }
}

}  // namespace
}  // namespace strake::cli
