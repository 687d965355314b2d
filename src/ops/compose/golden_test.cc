// Apps as data: testdata/<case>/ has app.yml with the declared documents, the files that its
// Compose document refers to, and the manifest of the app in want.yaml; that of a box in
// want-<box>.yaml. STRAKE_UPDATE_GOLDEN=1 writes those anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ops/compose/app_compose.h"
#include "ops/compose/check_manifest.h"
#include "ops/compose/manifest.h"
#include "ops/compose/reader.h"
#include "ops/compose/test_app.h"
#include "support/vectors.h"

namespace strake::ops::compose {
namespace {

namespace fs = std::filesystem;

const Environment kEnvironment = {{"APP_VERSION", "1.2.3"}};

void compare(const fs::path& file, const std::string& got) {
  if (std::getenv("STRAKE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << got;
    return;
  }
  ASSERT_TRUE(fs::exists(file)) << file;
  EXPECT_EQ(got, testing::read_file(file));
}

std::string manifest_of(const TestApp& declared, const Project& project, const ProjectFiles* files,
                        const std::string& component) {
  const auto box = std::ranges::find_if(declared.boxes, [&](const provider::Box& one) {
    return one.name == component && !one.image.empty();
  });
  const auto plan = box != declared.boxes.end()
                        ? plan_standalone_box(declared.subject(), *box)
                        : plan_component(declared.subject(), project, files, component);
  EXPECT_TRUE(plan.has_value()) << plan.error().message();
  if (!plan) return {};
  const auto volumes = bind_volumes(*plan, test_bindings(declared.app));
  EXPECT_TRUE(volumes.has_value()) << volumes.error().message();
  const auto manifest = build(*plan, *volumes);
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message();
  return manifest ? manifest->yaml() : std::string();
}

void check_case(const fs::path& folder) {
  SCOPED_TRACE(folder.filename().string());
  const TestApp declared = read_test_app(testing::read_file(folder / "app.yml"));
  const auto base = open_ref_base("file://" + folder.string() + "/");
  ASSERT_TRUE(base.has_value()) << base.error().to_string();
  const auto compose = load_app_compose(declared.app, base->get(), kEnvironment);
  ASSERT_TRUE(compose.has_value()) << compose.error().message();
  EXPECT_THAT(compose->project.warnings, ::testing::IsEmpty());
  const std::string normalized = normalized_compose(compose->project);
  const auto again = read_project(normalized, "again.yml", {});
  ASSERT_TRUE(again.has_value()) << again.error().to_string() << normalized;

  std::vector<std::string> components = {"app"};
  for (const provider::Box& box : declared.boxes) components.push_back(box.name);
  for (const std::string& component : components) {
    SCOPED_TRACE(component);
    const std::string got = manifest_of(declared, compose->project, compose->files(), component);
    compare(folder / (component == "app" ? "want.yaml" : fmt::format("want-{}.yaml", component)),
            got);
    EXPECT_EQ(manifest_faults(got), "");
    EXPECT_EQ(manifest_of(declared, *again, compose->files(), component), got);
  }
}

TEST(ComposeGolden, AppsBecomeTheirManifests) {
  std::size_t cases = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(STRAKE_TESTDATA_DIR) / "../compose/testdata")) {
    if (!fs::exists(entry.path() / "app.yml")) continue;
    ++cases;
    check_case(fs::canonical(entry.path()));
  }
  EXPECT_GE(cases, 5U);
}

// The check above can fail.
TEST(ComposeGolden, FaultsOfManifestsAreFound) {
  EXPECT_THAT(
      manifest_faults("apiVersion: v1\nkind: Service\nmetadata: {name: A}\n"
                      "spec: {ports: [{port: 0}], prts: []}\n"),
      ::testing::AllOf(::testing::HasSubstr("prts"), ::testing::HasSubstr("must be between")));
}

}  // namespace
}  // namespace strake::ops::compose
