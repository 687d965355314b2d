#include "provider/local/volumes.h"

#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;

class LocalVolumesTest : public ::testing::Test {
 protected:
  VolumeOf of() { return {.cluster = site_.cluster, .app = site_.app, .volume = volume_}; }
  Call call() { return {.clock = &clock_, .journal = &told_}; }
  VolumeDriver& volumes() { return *driver_.volumes; }

  Outcome<Disk> create(std::string name, std::string source = {}, DiskCreateOptions options = {}) {
    clock_.advance(std::chrono::seconds(1));
    return volumes().create_disk(call(), of(), std::move(name), std::move(source), options);
  }
  // Of the content of a disk or snapshot.
  std::string content(const std::string& handle) const {
    const std::string name = handle.substr(handle.find(':') + 1);
    return site_.path(
        fmt::format("root/{}/volumes/{}/content", name.substr(0, name.find('_')), name));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& one : std::filesystem::recursive_directory_iterator(site_.root()))
      out.push_back(one.path().string());
    return out;
  }

  TestSite site_;
  FakeClock clock_;
  Told told_;
  AppVolume volume_{.name = "data", .size = 64 * kMi, .type = VolumeType::kDisk, .options = {}};
  Driver driver_ = site_.driver();
};

TEST_F(LocalVolumesTest, OfTypeDiskAreSparseFilesOfTheVolumesSize) {
  const auto disk = create("d1");
  ASSERT_TRUE(disk) << why(disk);
  struct stat found = {};
  ASSERT_EQ(::stat(content(disk->handle).c_str(), &found), 0);
  EXPECT_TRUE(S_ISREG(found.st_mode));
  EXPECT_EQ(found.st_size, 64 * kMi);
  EXPECT_LT(found.st_blocks * 512, kMi);
  EXPECT_EQ(found.st_mode & 077, 0U);
}

TEST_F(LocalVolumesTest, OfTypeFilesAreFolders) {
  volume_.type = VolumeType::kFiles;
  const auto disk = create("d1");
  ASSERT_TRUE(disk) << why(disk);
  EXPECT_TRUE(std::filesystem::is_directory(content(disk->handle)));
  EXPECT_EQ(volumes().volume_class(of())->access_modes,
            (std::vector<std::string>{"ReadWriteMany"}));
}

TEST_F(LocalVolumesTest, HaveTheFormatThatTheirOptionsSay) {
  volume_.options = {{"format", std::string("folder")}};
  EXPECT_TRUE(std::filesystem::is_directory(content(create("d1")->handle)));
  EXPECT_TRUE(std::filesystem::is_regular_file(
      content(create("d2", "", {.options = {{"format", std::string("image")}}})->handle)));
  volume_.options = {{"format", std::string("tape")}};
  EXPECT_EQ(why(create("d3")),
            "validation: volume option format must be image or folder, got \"tape\"");
}

TEST_F(LocalVolumesTest, AreRestoredWithWhatWasInThem) {
  volume_.type = VolumeType::kFiles;
  const Disk first = create("d1").value();
  write_text(content(first.handle) + "/note", "one");
  const auto snapshot = volumes().create_snapshot(call(), of(), "s1", "", {});
  ASSERT_TRUE(snapshot) << why(snapshot);
  std::filesystem::remove(content(first.handle) + "/note");
  write_text(content(first.handle) + "/note", "two");
  EXPECT_EQ(text_of(content(create("d2", "s1")->handle) + "/note"), "one");
  EXPECT_EQ(text_of(content(create("d3", "disk:d1")->handle) + "/note"), "two");
  EXPECT_EQ(text_of(content(create("d4", snapshot->handle)->handle) + "/note"), "one");
}

TEST_F(LocalVolumesTest, GrowWhenTheyAreRestoredIntoALargerVolume) {
  ASSERT_TRUE(create("d1"));
  volume_.size = 128 * kMi;
  const auto larger = create("d2", "disk:d1");
  ASSERT_TRUE(larger) << why(larger);
  EXPECT_EQ(std::filesystem::file_size(content(larger->handle)), 128U * kMi);
  volume_.size = 32 * kMi;
  EXPECT_EQ(why(create("d3", "disk:d1")),
            fmt::format("validation: disk must be at least as large as its source \"disk:d1\": {} "
                        "bytes, got {}",
                        64 * kMi, 32 * kMi));
}

TEST_F(LocalVolumesTest, AreRefusedPastTheLargestSize) {
  volume_.size = (std::int64_t{16} << 40) + 1;
  EXPECT_EQ(create("d1").error().error_class(), FailureClass::kValidation);
  volume_.size = 0;
  EXPECT_EQ(create("d1").error().error_class(), FailureClass::kValidation);
}

TEST_F(LocalVolumesTest, NeedASourceOfTheirFormat) {
  ASSERT_TRUE(create("d1"));
  volume_.type = VolumeType::kFiles;
  EXPECT_EQ(why(create("d2", "disk:d1")),
            "validation: source \"disk:d1\" has the format image, and the disk folder");
}

TEST_F(LocalVolumesTest, TellWhichSourceIsNotThere) {
  EXPECT_EQ(why(create("d1", "gone")),
            "not found: resolve source \"gone\": get snapshot \"gone\": not found");
  EXPECT_EQ(why(create("d1", "local:k4x-none_disk_x")),
            "not found: resolve source \"local:k4x-none_disk_x\": not found");
  EXPECT_EQ(create("d1", "disk:").error().error_class(), FailureClass::kValidation);
}

TEST_F(LocalVolumesTest, SurviveAMoveToAnotherCluster) {
  ASSERT_TRUE(create("d1"));
  Cluster other = site_.cluster;
  other.name = "two";
  const auto got =
      volumes().list_disks(call(), {.cluster = other, .app = site_.app, .volume = volume_});
  ASSERT_EQ(got->size(), 1U);
}

TEST_F(LocalVolumesTest, AreKeptApartByVolumeAndApp) {
  ASSERT_TRUE(create("d1"));
  AppVolume other = volume_;
  other.name = "data-x";
  EXPECT_TRUE(volumes()
                  .list_disks(call(), {.cluster = site_.cluster, .app = site_.app, .volume = other})
                  ->empty());
  App app = site_.app;
  app.name = "shop-data";
  EXPECT_TRUE(volumes()
                  .list_disks(call(), {.cluster = site_.cluster, .app = app, .volume = volume_})
                  ->empty());
}

TEST_F(LocalVolumesTest, LeaveNothingBehindWhenAllAreDeleted) {
  const auto before = names();
  ASSERT_TRUE(create("d1"));
  ASSERT_TRUE(volumes().create_snapshot(call(), of(), "s1", "", {}));
  ASSERT_TRUE(volumes().delete_snapshot(call(), of(), "s1", {}));
  ASSERT_TRUE(volumes().delete_disk(call(), of(), "d1", {}));
  auto after = names();
  std::erase(after, site_.path("root"));
  EXPECT_EQ(after, before);
}

// As root everything may be removed anyway.
TEST_F(LocalVolumesTest, AreDeletedThoughTheirFoldersAreClosed) {
  volume_.type = VolumeType::kFiles;
  const Disk disk = create("d1").value();
  std::filesystem::create_directories(content(disk.handle) + "/a/b");
  write_text(content(disk.handle) + "/a/b/file", "x");
  ASSERT_EQ(::chmod((content(disk.handle) + "/a/b").c_str(), 0), 0);
  ASSERT_EQ(::chmod((content(disk.handle) + "/a").c_str(), 0500), 0);
  const auto gone = volumes().delete_disk(call(), of(), "d1", {});
  EXPECT_TRUE(gone) << why(gone);
}

TEST_F(LocalVolumesTest, AssignOneOnlyWhenFirstDisksAreMadeAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> made = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      const auto disk = driver_.volumes->create_disk({}, of(), fmt::format("d{}", i), "", {});
      made += disk ? 1 : 0;
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(made, 6);
  const auto all = volumes().list_disks(call(), of());
  ASSERT_EQ(all->size(), 6U);
  EXPECT_EQ(std::ranges::count_if(*all, &Disk::assigned), 1);
}

TEST_F(LocalVolumesTest, WarnOfWhatIsNoDiskAndLeaveItAlone) {
  const Disk disk = create("d1").value();
  const std::string object =
      content(disk.handle).substr(0, content(disk.handle).size() - 7) + "object.json";
  ASSERT_TRUE(std::filesystem::exists(object));
  write_text(object, "no JSON");
  EXPECT_TRUE(volumes().list_disks(call(), of())->empty());
  EXPECT_EQ(told_.warnings.size(), 1U);
  EXPECT_EQ(create("d1").error().error_class(), FailureClass::kConflict);
}

TEST_F(LocalVolumesTest, AreRefusedInARootThatOthersCanLookInto) {
  ASSERT_TRUE(create("d1"));
  ASSERT_EQ(::chmod(site_.path("root").c_str(), 0755), 0);
  const auto got = volumes().list_disks(call(), of());
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().error_class(), FailureClass::kAuth);
  EXPECT_NE(got.error().message().find("chmod 700"), std::string::npos);
}

TEST_F(LocalVolumesTest, AreNamedByTheDriverOfTheirHandles) {
  const auto got = volumes().volume_class(of());
  ASSERT_TRUE(got);
  EXPECT_EQ(got->csi_driver, "local.strake.dev");
  EXPECT_EQ(got->fs_type, "ext4");
  EXPECT_EQ(got->reclaim_policy, "Retain");
  EXPECT_EQ(got->storage_class_name, "");
}

}  // namespace
}  // namespace strake::provider::local
