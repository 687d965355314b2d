#include "ops/kom/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/kom/map_files.h"

namespace strake::ops {
namespace {

using provider::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Found = Outcome<std::vector<std::string>>;

const RunEnvironment kEnvironment{.root = "/r", .dir = "/r/.kompox", .config = {}};

Found find(const KomFiles& files, std::vector<std::string> paths, KomLevel level = KomLevel::kFlag,
           const KomLimits& limits = {}) {
  return find_kom_files(files, kEnvironment,
                        {.level = level, .paths = std::move(paths), .folder = "/r"}, limits);
}

std::string message_of(const Found& found) { return found ? "" : found.error().message(); }

TEST(KomPaths, AreThoseOfTheFirstLevelThatHasAny) {
  RunEnvironment environment = kEnvironment;
  RunRequest request;
  KomPaths from = choose_kom_paths(request, environment, {}, "/app");
  EXPECT_EQ(from.level, KomLevel::kFolder);
  EXPECT_THAT(from.paths, ElementsAre("/r/.kompox/kom"));
  environment.config.kom_path = {"c"};
  from = choose_kom_paths(request, environment, {}, "/app");
  EXPECT_EQ(from.level, KomLevel::kConfig);
  EXPECT_EQ(from.folder, "/r/.kompox");
  from = choose_kom_paths(request, environment, {"d"}, "/app");
  EXPECT_EQ(from.level, KomLevel::kDefaults);
  EXPECT_EQ(from.folder, "/app");
  request.variables["KOMPOX_KOM_PATH"] = ": ";
  EXPECT_EQ(choose_kom_paths(request, environment, {"d"}, "/app").level, KomLevel::kDefaults);
  request.variables["KOMPOX_KOM_PATH"] = "a,b: c ::/d";
  from = choose_kom_paths(request, environment, {"d"}, "/app");
  EXPECT_EQ(from.level, KomLevel::kVariable);
  EXPECT_THAT(from.paths, ElementsAre("a,b", "c", "/d"));
  request.kom_path = {"x", "y"};
  from = choose_kom_paths(request, environment, {"d"}, "/app");
  EXPECT_EQ(from.level, KomLevel::kFlag);
  EXPECT_THAT(from.paths, ElementsAre("x", "y"));
  EXPECT_EQ(from.folder, "/app");
}

TEST(KomFiles, AreThoseOfAFolderByName) {
  const MapKomFiles files({{"/r/kom/b.yml", ""},
                           {"/r/kom/a.yaml", ""},
                           {"/r/kom/ab/z.yml", ""},
                           {"/r/kom/ab/a.yml", ""},
                           {"/r/kom/readme.md", ""},
                           {"/r/kom/c.json", ""},
                           {"/r/kom/d.YML", ""}});
  EXPECT_THAT(*find(files, {"kom"}),
              ElementsAre("/r/kom/a.yaml", "/r/kom/ab/a.yml", "/r/kom/ab/z.yml", "/r/kom/b.yml"));
}

TEST(KomFiles, SkipFoldersOfOtherToolsBelowTheOneThatIsNamed) {
  std::map<std::string, std::string> all = {{"/r/build/kom/a.yml", ""}};
  for (const std::string name :
       {".git", ".github", "node_modules", "vendor", ".direnv", ".venv", "dist", "build"})
    all["/r/build/kom/x/" + name + "/b.yml"] = "";
  all["/r/build/kom/builds/c.yml"] = "";
  // The folder itself may be below one of that name, or be one.
  EXPECT_THAT(*find(MapKomFiles(all), {"build/kom"}),
              ElementsAre("/r/build/kom/a.yml", "/r/build/kom/builds/c.yml"));
  EXPECT_THAT(*find(MapKomFiles({{"/r/vendor/a.yml", ""}}), {"vendor"}),
              ElementsAre("/r/vendor/a.yml"));
}

TEST(KomFiles, AreTakenOnceByTheirRealPaths) {
  MapKomFiles files({{"/r/kom/a.yml", ""}, {"/r/other/b.yml", ""}});
  files.add_link("/r/kom/again.yml", "a.yml");
  files.add_link("/r/kom/loop", "/r/kom");
  files.add_link("/r/kom/more", "/r/other");
  EXPECT_THAT(*find(files, {"kom", "other/b.yml", "kom/a.yml", "kom"}),
              ElementsAre("/r/kom/a.yml", "/r/other/b.yml"));
}

TEST(KomFiles, KeepTheOrderInWhichTheyAreNamed) {
  const MapKomFiles files({{"/r/b.yml", ""}, {"/r/a.yml", ""}, {"/x/c.yaml", ""}});
  EXPECT_THAT(*find(files, {"b.yml", "/x/c.yaml", "$KOMPOX_ROOT/a.yml"}),
              ElementsAre("/r/b.yml", "/x/c.yaml", "/r/a.yml"));
}

TEST(KomFiles, RefuseWhatIsNoPathOfADocument) {
  const MapKomFiles files({{"/r/a.json", ""}, {"/r/a.yml", ""}});
  EXPECT_EQ(message_of(find(files, {"https://a/b.yml"})), "URL not supported: \"https://a/b.yml\"");
  EXPECT_EQ(message_of(find(files, {"*.yml"})), "wildcards not supported: \"*.yml\"");
  EXPECT_EQ(message_of(find(files, {"a.json"})),
            "file \"a.json\" must have .yml or .yaml extension");
  EXPECT_EQ(message_of(find(files, {"b.yml"})), "path does not exist: \"b.yml\"");
  for (const KomLevel level : {KomLevel::kVariable, KomLevel::kDefaults, KomLevel::kConfig})
    EXPECT_EQ(message_of(find(MapKomFiles({{"/r/.kompox/a", ""}}), {"b.yml"}, level)),
              "path does not exist: \"b.yml\"");
  EXPECT_THAT(*find(files, {"/r/.kompox/kom"}, KomLevel::kFolder), IsEmpty());
}

TEST(KomFiles, OfDefaultsLieUnderRootOrDirWhateverLinksSay) {
  MapKomFiles files({{"/r/kom/a.yml", ""}, {"/r/.kompox/x", ""}, {"/out/b.yml", ""}});
  files.add_link("/r/way", "/out");
  files.add_link("/r/deep/b.yml", "/out/b.yml");
  EXPECT_THAT(*find(files, {"kom"}, KomLevel::kDefaults), ElementsAre("/r/kom/a.yml"));
  EXPECT_EQ(message_of(find(files, {"way"}, KomLevel::kDefaults)),
            "path \"way\" (resolved to \"/out\") is outside KOMPOX_ROOT and KOMPOX_DIR");
  EXPECT_THAT(message_of(find(files, {"deep"}, KomLevel::kDefaults)),
              HasSubstr("(resolved to \"/out/b.yml\") is outside"));
  EXPECT_THAT(message_of(find(files, {"../r2/a.yml"}, KomLevel::kDefaults)),
              HasSubstr("does not exist"));
  EXPECT_THAT(*find(files, {"way"}, KomLevel::kFlag), ElementsAre("/out/b.yml"));
}

TEST(KomFiles, OfDefaultsMayLieInADirThatIsElsewhere) {
  MapKomFiles files({{"/r/x", ""}, {"/conf/kom/a.yml", ""}});
  files.add_link("/r/.kompox", "/conf");
  EXPECT_THAT(*find(files, {"$KOMPOX_DIR/kom"}, KomLevel::kDefaults),
              ElementsAre("/conf/kom/a.yml"));
}

TEST(KomFiles, AreLimitedInNumberAndDepth) {
  std::map<std::string, std::string> all;
  for (int i = 0; i < 4; ++i) all[fmt::format("/r/kom/{}.yml", i)] = "";
  const MapKomFiles files(all);
  EXPECT_EQ(find(files, {"kom"}, KomLevel::kFlag, {.files = 4})->size(), 4U);
  EXPECT_EQ(message_of(find(files, {"kom"}, KomLevel::kFlag, {.files = 3})),
            "maximum file count (3) exceeded");
  const MapKomFiles deep({{"/r/kom/1/2/a.yml", ""}});
  EXPECT_EQ(find(deep, {"kom"}, KomLevel::kFlag, {.depth = 2})->size(), 1U);
  EXPECT_EQ(message_of(find(deep, {"kom"}, KomLevel::kFlag, {.depth = 1})),
            "/r/kom/1/2: maximum directory depth (1) exceeded");
}

TEST(KomFiles, NeedNotMindBrokenLinksOfOthers) {
  MapKomFiles files({{"/r/kom/a.yml", ""}});
  files.add_link("/r/kom/socket", "/none");
  EXPECT_THAT(*find(files, {"kom"}), ElementsAre("/r/kom/a.yml"));
  files.add_link("/r/kom/b.yml", "/none");
  EXPECT_FALSE(find(files, {"kom"}));
}

}  // namespace
}  // namespace strake::ops
