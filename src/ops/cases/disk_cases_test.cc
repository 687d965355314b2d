#include "ops/cases/disk_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/cases/snapshot_cases.h"
#include "ops/cases/test_driver.h"

namespace strake::ops {
namespace {

using provider::Disk;
using provider::FailureClass;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::shown;

class DiskCases : public ::testing::Test {
 protected:
  // So many disks, of which so many are assigned.
  void have(const std::string& volume, std::size_t assigned, std::size_t total) {
    std::vector<Disk>& all = site_.fake.disks[volume];
    all.clear();
    for (std::size_t i = 0; i < total; ++i) {
      Disk& one = all.emplace_back();
      one.name = fmt::format("d{}", i + 1);
      one.volume_name = volume;
      one.assigned = i < assigned;
      one.handle = fmt::format("/disks/{}/{}", volume, one.name);
    }
  }
  auto bootstrap() { return bootstrap_disks(site_.session(), site_.call(), site_.app); }

  testing::FakeSite site_;
};

TEST_F(DiskCases, CheckNamesBeforeAnybodyIsAsked) {
  const auto create = [this](const std::string& volume, const std::string& name) {
    return shown(create_disk(site_.session(), site_.call(), site_.app, volume,
                             {.name = name, .source = {}, .options = {}}));
  };
  EXPECT_EQ(create("", ""), "validation: validate volume name: volume name must not be empty");
  EXPECT_EQ(create("a-name-that-is-too-long", ""),
            "validation: validate volume name: volume name exceeds 16 characters");
  EXPECT_THAT(create("UP", ""), HasSubstr("validate volume name: invalid volume name: "));
  EXPECT_EQ(create("none", ""), "not found: volume not defined: none");
  EXPECT_EQ(create("data", "a-name-that-is-far-too-long"),
            "validation: validate disk name: disk name exceeds 24 characters");
  EXPECT_EQ(shown(delete_disk(site_.session(), site_.call(), site_.app, "data", "")),
            "validation: validate disk name: disk name must not be empty");
  EXPECT_EQ(shown(assign_disk(site_.session(), site_.call(), site_.app, "data", "")),
            "validation: validate disk name: disk name must not be empty");
  EXPECT_EQ(shown(delete_snapshot(site_.session(), site_.call(), site_.app, "data", "")),
            "validation: validate snapshot name: snapshot name must not be empty");
  EXPECT_THAT(site_.fake.calls, IsEmpty());
}

TEST_F(DiskCases, NeedTheClusterOfTheApp) {
  site_.app.cluster_id = "/none";
  EXPECT_EQ(shown(list_disks(site_.session(), site_.call(), site_.app, "data")),
            "not found: failed to get cluster /none: cluster not found");
}

TEST_F(DiskCases, PassSourcesAndOptionsOnUntouched) {
  const std::string source = "snapshot:  Odd:/Name ";
  NewDisk wanted{.name = "a", .source = source, .options = {}};
  wanted.options.zone = "1";
  const auto disk = create_disk(site_.session(), site_.call(), site_.app, "data", wanted);
  ASSERT_TRUE(disk);
  EXPECT_EQ(disk->zone, "1");
  EXPECT_TRUE(disk->assigned);
  EXPECT_THAT(site_.fake.calls, Contains(fmt::format("VolumeDiskCreate data a '{}'", source)));
  ASSERT_TRUE(create_snapshot(site_.session(), site_.call(), site_.app, "data",
                              {.name = "s", .source = "x:y", .options = {}}));
  EXPECT_THAT(site_.fake.calls, Contains("VolumeSnapshotCreate data s 'x:y'"));
  EXPECT_EQ(list_snapshots(site_.session(), site_.call(), site_.app, "data").value().size(), 1U);
  ASSERT_TRUE(delete_snapshot(site_.session(), site_.call(), site_.app, "data", "s"));
  EXPECT_TRUE(site_.fake.snapshots["data"].empty());
}

TEST_F(DiskCases, AssignOneAndNoOther) {
  have("data", 1, 3);
  ASSERT_TRUE(assign_disk(site_.session(), site_.call(), site_.app, "data", "d3"));
  EXPECT_EQ(site_.fake.assigned("data"), 1U);
  EXPECT_TRUE(site_.fake.disks["data"][2].assigned);
}

TEST_F(DiskCases, DeleteAnAssignedDiskOnlyWhenForced) {
  have("data", 1, 2);
  EXPECT_EQ(shown(delete_disk(site_.session(), site_.call(), site_.app, "data", "d1")),
            "conflict: disk d1 is assigned; assign another disk first before deletion");
  EXPECT_EQ(site_.fake.disks["data"].size(), 2U);
  ASSERT_TRUE(delete_disk(site_.session(), site_.call(), site_.app, "data", "d2"));
  EXPECT_EQ(site_.fake.disks["data"].size(), 1U);
  ASSERT_TRUE(delete_disk(site_.session(), site_.call(), site_.app, "data", "d1", {.force = true}));
  EXPECT_TRUE(site_.fake.disks["data"].empty());
  EXPECT_TRUE(delete_disk(site_.session(), site_.call(), site_.app, "data", "d1"));
}

// Assigned and all disks of two volumes, and what a bootstrap makes of it.
TEST_F(DiskCases, BootstrapByTheStateOfAllVolumes) {
  struct Case {
    std::size_t data[2];
    std::size_t db[2];
    std::string_view outcome;  // what is made, why it is skipped, or the failure
  };
  const Case all[] = {
      {{0, 0}, {0, 0}, "data db"},
      {{0, 2}, {0, 0}, "data db"},
      {{0, 1}, {0, 3}, "data db"},
      {{1, 1}, {1, 1}, "skipped: already initialized"},
      {{1, 4}, {1, 2}, "skipped: already initialized"},
      // Broken off between the two.
      {{1, 1}, {0, 0}, "db"},
      {{0, 0}, {1, 2}, "data"},
      {{1, 1},
       {0, 1},
       "conflict: bootstrap invalid state: data(assigned=1,total=1) db(assigned=0,total=1)"},
      {{2, 2},
       {0, 0},
       "conflict: bootstrap invalid state: data(assigned=2,total=2) db(assigned=0,total=0)"},
      {{2, 3},
       {1, 1},
       "conflict: bootstrap invalid state: data(assigned=2,total=3) db(assigned=1,total=1)"},
  };
  for (const Case& one : all) {
    have("data", one.data[0], one.data[1]);
    have("db", one.db[0], one.db[1]);
    SCOPED_TRACE(
        fmt::format("data {}/{} db {}/{}", one.data[0], one.data[1], one.db[0], one.db[1]));
    const auto dry = bootstrap_disks(site_.session(), site_.dry_call(), site_.app);
    EXPECT_TRUE(site_.calls.writes().empty());
    const auto outcome = bootstrap();
    std::string told;
    if (!outcome) {
      told = shown(outcome);
      EXPECT_EQ(shown(dry), told);
    } else if (!outcome->skipped.empty()) {
      told = fmt::format("skipped: {}", outcome->skipped);
      EXPECT_EQ(dry.value().skipped, outcome->skipped);
    } else {
      for (const Disk& disk : outcome->created) {
        EXPECT_TRUE(disk.assigned);
        told += (told.empty() ? "" : " ") + disk.volume_name;
      }
      EXPECT_EQ(dry.value().created.size(), outcome->created.size());
      EXPECT_EQ(site_.fake.assigned("data"), 1U);
      EXPECT_EQ(site_.fake.assigned("db"), 1U);
      EXPECT_EQ(bootstrap().value().skipped, "already initialized");
    }
    EXPECT_EQ(told, one.outcome);
    site_.calls.disarm();
  }
}

TEST_F(DiskCases, BootstrapNothingWithoutVolumes) {
  site_.app.volumes.clear();
  EXPECT_EQ(bootstrap().value().skipped, "no volumes defined");
  EXPECT_THAT(site_.fake.calls, IsEmpty());
}

TEST_F(DiskCases, BootstrapInTheOrderOfTheApp) {
  std::swap(site_.app.volumes[0], site_.app.volumes[1]);
  const auto outcome = bootstrap();
  ASSERT_EQ(outcome.value().created.size(), 2U);
  EXPECT_EQ(outcome->created[0].volume_name, "db");
  EXPECT_EQ(outcome->created[1].volume_name, "data");
}

TEST_F(DiskCases, BootstrapAssignsWhatADriverMakesUnassigned) {
  site_.fake.first_disk_is_assigned = false;
  ASSERT_TRUE(bootstrap());
  EXPECT_EQ(site_.fake.assigned("data"), 1U);
}

TEST_F(DiskCases, BootstrapStopsWhenSomebodyElseAssignsADisk) {
  int db_listed = 0;
  site_.fake.at_list = [&](testing::FakeProvider& fake, const std::string& volume) {
    if (volume != "db" || ++db_listed != 2) return;
    Disk& one = fake.disks["db"].emplace_back();
    one.name = "theirs";
    one.assigned = true;
  };
  EXPECT_EQ(shown(bootstrap()),
            "conflict: bootstrap aborted: concurrent assignment detected for volume db");
  EXPECT_EQ(site_.fake.disks["db"].size(), 1U);
}

}  // namespace
}  // namespace strake::ops
