#include "backup/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"

namespace strake::backup {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const WallTime kNow = parse_rfc3339("2024-01-10T00:00:00Z")->to_wall();

std::string made(std::chrono::hours ago) { return backup_name(kNow - ago); }

TEST(BackupName, TellsItsTime) {
  EXPECT_EQ(backup_name(kNow), "strake-20240110T000000Z.db");
  EXPECT_EQ(time_of("strake-20240110T000000Z.db"), kNow);
  for (const char* other :
       {"strake.db", "strake-20240110T000000Z.db.partial", "strake-20240110T000000Z", "",
        "strake-20241310T000000Z.db", "strake-2024011xT000000Z.db", "strake-20240110 000000Z.db",
        "monday.db", "strake-20240110T000000Zxdb"})
    EXPECT_FALSE(time_of(other)) << other;
}

TEST(BackupRetention, KeepsTheNewest) {
  const std::vector<std::string> names = {made(0h), made(72h), made(24h), made(48h)};
  EXPECT_THAT(to_remove(names, made(0h), {.keep = 2}, kNow), ElementsAre(made(72h), made(48h)));
  EXPECT_THAT(to_remove(names, made(0h), {.keep = 1}, kNow),
              ElementsAre(made(72h), made(48h), made(24h)));
  EXPECT_THAT(to_remove(names, made(0h), {.keep = 4}, kNow), IsEmpty());
  EXPECT_THAT(to_remove(names, made(0h), {.keep = 0}, kNow), IsEmpty());
}

TEST(BackupRetention, RemovesWhatIsTooOldButNeverTheNewest) {
  const std::vector<std::string> names = {made(0h), made(72h), made(24h), made(48h)};
  EXPECT_THAT(to_remove(names, made(0h), {.age = 48h}, kNow), ElementsAre(made(72h)));
  EXPECT_THAT(to_remove(names, made(0h), {.keep = 3, .age = 1h}, kNow),
              ElementsAre(made(72h), made(48h), made(24h)));
  // However old it is when it is done.
  EXPECT_THAT(to_remove({made(72h)}, made(72h), {.keep = 1, .age = 1h}, kNow), IsEmpty());
}

TEST(BackupRetention, LeavesFilesOfOthersAndOfTheFutureAlone) {
  const std::string later = backup_name(kNow + 24h);
  EXPECT_THAT(to_remove({"notes.txt", "strake-1.db", later, made(24h), made(0h)}, made(0h),
                        {.keep = 1}, kNow),
              ElementsAre(made(24h)));
}

}  // namespace
}  // namespace strake::backup
