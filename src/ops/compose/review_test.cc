#include "ops/compose/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/compose/map_files.h"
#include "ops/compose/test_app.h"

namespace strake::ops::compose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A driver of volumes alone, which answers as a test tells it to.
struct Answers {
  std::map<std::string, provider::Outcome<std::vector<provider::Disk>>> disks;
  provider::Outcome<provider::VolumeClass> volume_class = provider::VolumeClass();
  bool no_volumes = false;
  std::string refuses;  // to be made, with this reason
};

class AnsweringVolumes final : public provider::VolumeDriver {
 public:
  explicit AnsweringVolumes(const Answers& answers) : answers_(answers) {}
  provider::Outcome<std::vector<provider::Disk>> list_disks(const provider::Call&,
                                                            const provider::VolumeOf& of) override {
    return answers_.disks.at(of.volume.name);
  }
  provider::Outcome<provider::VolumeClass> volume_class(const provider::VolumeOf&) override {
    return answers_.volume_class;
  }
  // A review changes nothing, so none of the others is called.
  provider::Outcome<provider::Disk> create_disk(const provider::Call&, const provider::VolumeOf&,
                                                std::string, std::string,
                                                const provider::DiskCreateOptions&) override {
    return unwanted();
  }
  provider::Outcome<> delete_disk(const provider::Call&, const provider::VolumeOf&,
                                  const std::string&, const provider::VolumeOptions&) override {
    return unwanted();
  }
  provider::Outcome<> assign_disk(const provider::Call&, const provider::VolumeOf&,
                                  const std::string&, const provider::VolumeOptions&) override {
    return unwanted();
  }
  provider::Outcome<std::vector<provider::Snapshot>> list_snapshots(
      const provider::Call&, const provider::VolumeOf&) override {
    return unwanted();
  }
  provider::Outcome<provider::Snapshot> create_snapshot(const provider::Call&,
                                                        const provider::VolumeOf&, std::string,
                                                        std::string,
                                                        const provider::VolumeOptions&) override {
    return unwanted();
  }
  provider::Outcome<> delete_snapshot(const provider::Call&, const provider::VolumeOf&,
                                      const std::string&, const provider::VolumeOptions&) override {
    return unwanted();
  }

 private:
  static std::unexpected<provider::Failure> unwanted() {
    ADD_FAILURE() << "a review must not change anything";
    return provider::refuse(provider::FailureClass::kInternal, "unwanted");
  }
  const Answers& answers_;
};

provider::Disk disk(bool assigned, std::string handle) {
  provider::Disk out;
  out.assigned = assigned;
  out.handle = std::move(handle);
  out.size = 1 << 20;
  return out;
}

class ReviewTest : public ::testing::Test {
 protected:
  ReviewTest() {
    declared_.provider.driver = "answering";
    declared_.app.compose =
        "services: {web: {image: nginx, volumes: ['data:/data'], ports: ['80:80']}}\n";
    declared_.app.volumes = {{.name = "data", .size = 1 << 20, .options = {}}};
    answers_.disks.emplace("data", std::vector{disk(false, "d0"), disk(true, "d1")});
    answers_.volume_class->csi_driver = "csi.example.test";
    drivers_.add("answering",
                 [this](const provider::Workspace*, const provider::ProviderEntity&,
                        const provider::DriverEnvironment&) -> provider::Outcome<provider::Driver> {
                   if (!answers_.refuses.empty())
                     return provider::refuse(provider::FailureClass::kInvalid, "{}",
                                             answers_.refuses);
                   provider::Driver driver;
                   if (!answers_.no_volumes)
                     driver.volumes = std::make_unique<AnsweringVolumes>(answers_);
                   return driver;
                 });
    input_.workspace = &declared_.workspace;
    input_.provider = &declared_.provider;
    input_.cluster = &declared_.cluster;
    input_.base = &files_;
  }

  Review review() {
    auto out = review_app(provider::Call(), input_);
    EXPECT_TRUE(out.has_value()) << out.error().message();
    return *std::move(out);
  }
  // "WARN code: message", one a line
  std::vector<std::string> issues() {
    const Review got = review();
    std::vector<std::string> out;
    for (const Issue& issue : got.issues)
      out.push_back(fmt::format("{} {}: {}", to_string(issue.severity), issue.code, issue.message));
    const bool stopped = std::ranges::any_of(
        got.issues, [](const Issue& issue) { return issue.severity != Severity::kInfo; });
    EXPECT_EQ(got.manifest.has_value(), !stopped);
    return out;
  }

  TestApp declared_;
  MapFiles files_;
  Answers answers_;
  provider::Registry drivers_;
  provider::DriverEnvironment driver_environment_;
  Environment environment_;
  ReviewInput input_{.app = declared_.app,
                     .environment = environment_,
                     .drivers = drivers_,
                     .driver_environment = driver_environment_};
};

TEST_F(ReviewTest, AGoodAppHasItsManifest) {
  const Review got = review();
  EXPECT_THAT(got.issues, IsEmpty());
  EXPECT_THAT(got.compose, StartsWith("services:\n  web:\n    image: nginx\n"));
  ASSERT_TRUE(got.manifest.has_value());
  EXPECT_THAT(got.manifest->yaml(), HasSubstr("volumeHandle: d1\n"));
  EXPECT_TRUE(got.check_valid().has_value());
  EXPECT_TRUE(got.check_deployable().has_value());
}

TEST_F(ReviewTest, FaultsOfTheDocumentAreErrors) {
  declared_.app.compose = "services: {web: {imag: nginx}}\n";
  EXPECT_THAT(issues(),
              ElementsAre("ERROR compose_validation_failed: compose validation failed: "
                          "app.compose:1:18: .services.web: unknown key \"imag\": did you "
                          "mean \"image\"?"));
  const Review got = review();
  EXPECT_EQ(got.check_valid().error().message(), "validation failed (1 errors)");
  EXPECT_EQ(got.check_deployable().error().message(), "validation blocked (0 warnings, 1 errors)");
}

TEST_F(ReviewTest, WhatCannotBeReadAgainIsAnError) {
  environment_.emplace("LONG", std::string(1 << 20, 'x'));
  declared_.app.compose = "services: {web: {image: a, environment: {A: $LONG, B: $LONG}}}\n";
  EXPECT_THAT(issues(), ElementsAre(StartsWith("ERROR compose_normalization_failed: compose "
                                               "normalization failed: ")));
  EXPECT_EQ(review().compose, "");
}

TEST_F(ReviewTest, TheDocumentMayBeAFile) {
  declared_.app.compose = "file:./dir/c.yml";
  files_ = MapFiles(
      {{"dir/c.yml", "services: {web: {image: a, env_file: e.env}}"}, {"dir/e.env", "A=1"}});
  EXPECT_THAT(issues(), IsEmpty());
  input_.base = nullptr;
  EXPECT_THAT(issues(), ElementsAre(HasSubstr("ERROR compose_validation_failed: compose validation "
                                              "failed: compose \"file:./dir/c.yml\": this app may "
                                              "not refer to files")));
  input_.base = &files_;
  declared_.app.compose = "file:../c.yml";
  EXPECT_THAT(issues(), ElementsAre(HasSubstr("must not lead through ..")));
  declared_.app.compose = "file:/c.yml";
  EXPECT_THAT(issues(), ElementsAre(HasSubstr("must be relative")));
  declared_.app.compose = "file:gone.yml";
  EXPECT_THAT(issues(), ElementsAre(HasSubstr("gone.yml: No such file")));
}

TEST_F(ReviewTest, WhatIsNotDeclaredIsAWarning) {
  input_.cluster = nullptr;
  EXPECT_THAT(issues(),
              ElementsAre("WARN cluster_not_found: compose conversion skipped: cluster not found"));
  input_.cluster = &declared_.cluster;
  input_.provider = nullptr;
  EXPECT_THAT(
      issues(),
      ElementsAre("WARN provider_not_found: compose conversion skipped: provider not found"));
  input_.provider = &declared_.provider;
  input_.workspace = nullptr;
  EXPECT_THAT(issues(),
              ElementsAre("WARN workspace_not_found: compose conversion skipped: workspace "
                          "not found"));
  const Review got = review();
  EXPECT_TRUE(got.check_valid().has_value());
  EXPECT_EQ(got.check_deployable().error().message(), "validation blocked (1 warnings, 0 errors)");
}

TEST_F(ReviewTest, DriversThatAreNotThereAreWarnings) {
  answers_.refuses = "no key";
  EXPECT_THAT(issues(),
              ElementsAre(StartsWith("WARN provider_driver_init_failed: compose conversion "
                                     "failed: failed to create driver answering")));
  declared_.provider.driver = "none";
  EXPECT_THAT(issues(),
              ElementsAre("WARN provider_driver_missing: compose conversion failed: unknown "
                          "provider driver: none"));
}

TEST_F(ReviewTest, ConversionsThatFailAreWarnings) {
  declared_.app.ingress.rules = {{"main", 81, {}}};
  EXPECT_THAT(issues(), ElementsAre("WARN compose_conversion_failed: compose conversion failed: "
                                    "ingress port 81 is not published by any service"));
  declared_.app.name = std::string(46, 'a');
  EXPECT_THAT(issues(), ElementsAre(StartsWith("WARN converter_init_failed: ")));
}

TEST_F(ReviewTest, WhatHasNoEffectIsInformation) {
  declared_.app.compose = "services: {web: {image: nginx, user: root}}\n";
  EXPECT_THAT(issues(),
              ElementsAre("INFO compose_conversion_warning: app.compose:1:32: service web: "
                          "user has no effect"));
  EXPECT_TRUE(review().check_deployable().has_value());
}

TEST_F(ReviewTest, DisksAreAskedFor) {
  const auto with = [&](provider::Outcome<std::vector<provider::Disk>> disks) {
    answers_.disks.insert_or_assign("data", std::move(disks));
    return issues();
  };
  EXPECT_THAT(with(std::vector{disk(false, "d0")}),
              ElementsAre("WARN volume_assignment_missing: volume assignment missing (count=0) "
                          "volume=data"));
  EXPECT_THAT(with(std::vector{disk(true, "d0"), disk(true, "d1")}),
              ElementsAre("ERROR volume_assignment_invalid: volume assignment invalid (count=2) "
                          "volume=data"));
  EXPECT_THAT(with(std::vector{disk(true, " ")}),
              ElementsAre("ERROR volume_disk_handle_missing: no assigned disk handle for volume "
                          "data"));
  EXPECT_THAT(with(provider::refuse(provider::FailureClass::kServer, "down")),
              ElementsAre("ERROR volume_disk_lookup_failed: volume disk lookup failed for data: "
                          "down"));
  answers_.no_volumes = true;
  EXPECT_THAT(issues(),
              ElementsAre("ERROR volume_port_unavailable: volume operations unavailable"));
}

TEST_F(ReviewTest, ClassesOfVolumesAreAskedFor) {
  answers_.volume_class->csi_driver = "";
  EXPECT_THAT(issues(), ElementsAre("WARN volume_class_missing_driver: compose conversion failed: "
                                    "volume class missing CSI driver for data"));
  answers_.volume_class = provider::refuse(provider::FailureClass::kValidation, "odd");
  EXPECT_THAT(issues(), ElementsAre("WARN volume_class_resolve_failed: compose conversion failed: "
                                    "volume class resolve failed for data: odd"));
}

TEST_F(ReviewTest, CancellationIsNoIssue) {
  answers_.disks.insert_or_assign("data",
                                  provider::refuse(provider::FailureClass::kCanceled, "stop"));
  const auto got = review_app(provider::Call(), input_);
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().error_class(), provider::FailureClass::kCanceled);
}

}  // namespace
}  // namespace strake::ops::compose
