#include "ops/kom/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "ops/kom/configuration.h"

namespace strake::ops {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DiskKomFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "strake-kom-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }

  fs::path folder_;
  DiskKomFiles files_;
};

TEST_F(DiskKomFilesTest, ResolvesLinksAndTellsFoldersFromFiles) {
  const std::string file = write("a/b.yml", "text");
  fs::create_directory_symlink(folder_ / "a", folder_ / "link");
  const auto place = files_.resolve((folder_ / "link/b.yml").string());
  ASSERT_TRUE(place);
  EXPECT_EQ(place->path, file);
  EXPECT_FALSE(place->folder);
  EXPECT_TRUE(files_.resolve((folder_ / "link").string())->folder);
  EXPECT_EQ(files_.resolve((folder_ / "none").string()).error().code(), Code::kNotFound);
  EXPECT_EQ(files_.resolve(file + "/x").error().code(), Code::kIo);
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_EQ(files_.resolve((folder_ / "loop").string()).error().code(), Code::kIo);
}

TEST_F(DiskKomFilesTest, ReadsUpToTheLimitAndNoPipes) {
  const std::string file = write("a.yml", "text");
  EXPECT_EQ(*files_.read(file, 4), "text");
  EXPECT_EQ(files_.read(file, 3).error().code(), Code::kLimit);
  EXPECT_FALSE(files_.read(folder_.string(), 4));
  const std::string pipe = (folder_ / "pipe.yml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(files_.read(pipe, 4).error().to_string(), HasSubstr("a pipe"));
}

TEST_F(DiskKomFilesTest, ListsFoldersByName) {
  write("b", "");
  write("a/x", "");
  write(".c", "");
  EXPECT_THAT(*files_.list(folder_.string(), 3), ElementsAre(".c", "a", "b"));
  EXPECT_EQ(files_.list(folder_.string(), 2).error().code(), Code::kLimit);
  EXPECT_EQ(files_.list((folder_ / "none").string(), 2).error().code(), Code::kIo);
}

TEST_F(DiskKomFilesTest, AreWhatAConfigurationIsReadFrom) {
  write("root/.kompox/kom/base.yml",
        "apiVersion: ops.kompox.dev/v1alpha1\nkind: Workspace\n"
        "metadata: {name: w, annotations: {ops.kompox.dev/id: /ws/w}}\n");
  write("root/.kompox/kom/.git/x.yml", "services: {}\n");
  fs::create_symlink("base.yml", folder_ / "root/.kompox/kom/same.yml");
  fs::create_directory_symlink("..", folder_ / "root/.kompox/kom/up");
  fs::create_directories(folder_ / "root/deep/er");
  const RunRequest request{.working_folder = (folder_ / "root/deep/er").string()};
  const auto environment = find_environment(files_, request);
  ASSERT_TRUE(environment) << environment.error().message();
  EXPECT_EQ(environment->root, (folder_ / "root").string());
  const auto loaded = load_configuration(files_, request, *environment);
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->documents.size(), 1U);
  EXPECT_EQ(loaded->documents[0].path, (folder_ / "root/.kompox/kom/base.yml").string());
}

TEST_F(DiskKomFilesTest, SayWhichFileCannotBeRead) {
  fs::create_directories(folder_ / "root/.kompox/kom");
  const std::string pipe = (folder_ / "root/.kompox/kom/a.yml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const RunRequest request{.working_folder = (folder_ / "root").string()};
  const auto environment = find_environment(files_, request);
  ASSERT_TRUE(environment);
  const auto loaded = load_configuration(files_, request, *environment);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("failed to load KOM from \"" + pipe + "\""));
}

}  // namespace
}  // namespace strake::ops
