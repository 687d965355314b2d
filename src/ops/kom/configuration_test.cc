#include "ops/kom/configuration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/kom/definitions.h"
#include "ops/kom/map_files.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using provider::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string document_of(std::string_view kind, std::string_view id, std::string_view spec = "{}") {
  return fmt::format(
      "---\napiVersion: ops.kompox.dev/v1alpha1\nkind: {}\nmetadata:\n  name: {}\n  annotations:\n"
      "    ops.kompox.dev/id: {}\nspec: {}\n",
      kind, id.substr(id.rfind('/') + 1), id, spec);
}

std::string base_documents() {
  return document_of("Cluster", "/ws/w/prv/p/cls/c") + document_of("Workspace", "/ws/w") +
         document_of("Provider", "/ws/w/prv/p", "{driver: local}");
}

std::string app(std::string_view name, std::string_view spec = "{}") {
  return document_of("App", fmt::format("/ws/w/prv/p/cls/c/app/{}", name), spec);
}

std::string defaults(std::string_view spec) {
  return fmt::format("---\napiVersion: ops.kompox.dev/v1alpha1\nkind: Defaults\nspec: {}\n", spec);
}

struct Given {
  std::map<std::string, std::string> files;
  RunRequest request = {.working_folder = "/r/shop"};
  KomLimits limits = {};
};

Outcome<Configuration> load(Given run) {
  run.files.emplace("/r/.kompox/config.yml", "");
  const MapKomFiles files(run.files);
  const auto environment = find_environment(files, run.request);
  if (!environment) return std::unexpected(environment.error());
  return load_configuration(files, run.request, *environment, run.limits);
}

std::string message_of(const Outcome<Configuration>& loaded) {
  return loaded ? "" : loaded.error().message();
}

TEST(Configuration, IsFolderAndAppFileTogether) {
  const auto loaded = load({.files = {{"/r/.kompox/kom/base.yml", base_documents()},
                                      {"/r/.kompox/kom/others.yml", app("other")},
                                      {"/r/shop/kompoxapp.yml", app("shop")}}});
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_TRUE(loaded->from_documents());
  EXPECT_EQ(loaded->store.workspaces().size(), 1U);
  EXPECT_EQ(loaded->store.providers().size(), 1U);
  EXPECT_EQ(loaded->store.clusters().size(), 1U);
  ASSERT_EQ(loaded->store.apps().size(), 2U);
  std::vector<std::string> kinds;
  for (const KomDocument& one : loaded->documents) kinds.push_back(one.kind);
  EXPECT_THAT(kinds, ElementsAre("Workspace", "Provider", "Cluster", "App", "App"));
  EXPECT_EQ(loaded->default_app_id, "/ws/w/prv/p/cls/c/app/shop");
  EXPECT_EQ(loaded->default_cluster_id, "/ws/w/prv/p/cls/c");
}

TEST(Configuration, LetsOnlyAppsOfTheAppFileReferToFiles) {
  const auto loaded = load({.files = {{"/r/.kompox/kom/base.yml", base_documents() + app("other")},
                                      {"/r/shop/kompoxapp.yml", app("shop")}}});
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_EQ((*loaded->store.find_app("shop"))->ref_base, "file:///r/shop/");
  EXPECT_EQ((*loaded->store.find_app("other"))->ref_base, "");
}

TEST(Configuration, TakesAnAppFileThatIsAmongTheDocumentsOnce) {
  const auto loaded =
      load({.files = {{"/r/shop/base.yml", base_documents()}, {"/r/shop/kompoxapp.yml", app("a")}},
            .request = {.kom_path = {"."}, .working_folder = "/r/shop"}});
  ASSERT_TRUE(loaded) << message_of(loaded);
  ASSERT_EQ(loaded->store.apps().size(), 1U);
  EXPECT_EQ(loaded->store.apps()[0].ref_base, "file:///r/shop/");
}

TEST(Configuration, IsAllOrNothing) {
  const auto loaded =
      load({.files = {{"/r/.kompox/kom/base.yml", base_documents()},
                      {"/r/.kompox/kom/bad.yml", app("bad", "{x: 1}")},
                      {"/r/.kompox/kom/compose.yml", "services: {}\n"},
                      {"/r/shop/kompoxapp.yml",
                       app("shop") + document_of("App", "/ws/w/prv/q/cls/c/app/a")}}});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().error_class(), FailureClass::kValidation);
  EXPECT_EQ(message_of(loaded),
            "/r/.kompox/kom/bad.yml:8:8: app \"bad\": unknown field \"spec.x\"\n"
            "/r/.kompox/kom/compose.yml:1:1: document 1 in \"/r/.kompox/kom/compose.yml\": missing "
            "or invalid apiVersion\n"
            "/r/shop/kompoxapp.yml:15:24: app \"/ws/w/prv/q/cls/c/app/a\" validation error: parent "
            "\"/ws/w/prv/q/cls/c\" does not exist from /r/shop/kompoxapp.yml (document 2)");
}

TEST(Configuration, CountsFaultsThatAreTooManyToTell) {
  std::string text;
  for (int i = 0; i < 103; ++i) text += "---\na: b\n";
  const auto loaded = load({.files = {{"/r/.kompox/kom/a.yml", text}}});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(message_of(loaded), ::testing::EndsWith("\nand 3 more"));
}

TEST(Configuration, ReadsOneLevelOfSourcesAlone) {
  std::map<std::string, std::string> files = {
      {"/r/.kompox/kom/a.yml", document_of("Workspace", "/ws/folder")},
      {"/r/.kompox/more/b.yml", document_of("Workspace", "/ws/config")},
      {"/r/shop/c.yml", document_of("Workspace", "/ws/defaults")},
      {"/r/shop/d.yml", document_of("Workspace", "/ws/variable")},
      {"/r/shop/e.yml", document_of("Workspace", "/ws/flag")}};
  RunRequest request{.working_folder = "/r/shop"};
  const auto names = [&] {
    const auto loaded = load({.files = files, .request = request});
    std::vector<std::string> out;
    if (!loaded) out.push_back(message_of(loaded));
    if (loaded)
      for (const auto& one : loaded->store.workspaces()) out.push_back(one.name);
    return out;
  };
  EXPECT_THAT(names(), ElementsAre("folder"));
  files["/r/.kompox/config.yml"] = "komPath: [more]\n";
  EXPECT_THAT(names(), ElementsAre("config"));
  files["/r/shop/kompoxapp.yml"] = defaults("{komPath: [c.yml]}");
  EXPECT_THAT(names(), ElementsAre("defaults"));
  request.variables["KOMPOX_KOM_PATH"] = "d.yml";
  EXPECT_THAT(names(), ElementsAre("variable"));
  request.kom_path = {"e.yml"};
  EXPECT_THAT(names(), ElementsAre("flag"));
  request.kom_path = {"none.yml"};
  EXPECT_THAT(names(), ElementsAre("path does not exist: \"none.yml\""));
}

TEST(Configuration, FindsTheAppFileByFlagThenVariable) {
  const std::map<std::string, std::string> files = {{"/r/.kompox/kom/base.yml", base_documents()},
                                                    {"/r/shop/kompoxapp.yml", app("here")},
                                                    {"/r/x/variable.yml", app("variable")},
                                                    {"/r/x/flag.yml", app("flag")}};
  RunRequest request{.working_folder = "/r/shop"};
  EXPECT_THAT(load({.files = files, .request = request})->default_app_id,
              ::testing::EndsWith("/here"));
  request.variables["KOMPOX_KOM_APP"] = "/r/x/variable.yml";
  EXPECT_THAT(load({.files = files, .request = request})->default_app_id,
              ::testing::EndsWith("/variable"));
  request.kom_app = "../x/flag.yml";
  const auto loaded = load({.files = files, .request = request});
  EXPECT_THAT(loaded->default_app_id, ::testing::EndsWith("/flag"));
  EXPECT_EQ((*loaded->store.find_app("flag"))->ref_base, "file:///r/x/");
  request.kom_app = "none.yml";
  EXPECT_EQ(load({.files = files, .request = request})->default_app_id, "");
}

TEST(Configuration, HasADefaultAppOfFlagOrDefaultsOrTheOnlyOne) {
  std::map<std::string, std::string> files = {
      {"/r/.kompox/kom/base.yml", base_documents() + app("other")},
      {"/r/shop/kompoxapp.yml", app("a") + app("b")}};
  RunRequest request{.working_folder = "/r/shop"};
  EXPECT_EQ(load({.files = files, .request = request})->default_app_id, "");
  files["/r/shop/kompoxapp.yml"] += defaults("{appId: /ws/w/prv/p/cls/c/app/other}");
  EXPECT_EQ(load({.files = files, .request = request})->default_app_id,
            "/ws/w/prv/p/cls/c/app/other");
  request.app_id = "/ws/w/prv/p/cls/c/app/b";
  EXPECT_EQ(load({.files = files, .request = request})->default_app_id, request.app_id);
  request.app_id = "a";
  EXPECT_EQ(load({.files = files, .request = request})->default_app_id, "/ws/w/prv/p/cls/c/app/a");
  request.app_id = "c";
  EXPECT_EQ(message_of(load({.files = files, .request = request})), "app \"c\" not found");
}

TEST(Configuration, WantsTheAppOfDefaultsToBeThere) {
  const auto load_with = [](std::string_view spec) {
    return message_of(load({.files = {{"/r/.kompox/kom/base.yml", base_documents()},
                                      {"/r/shop/kompoxapp.yml", defaults(spec)}}}));
  };
  EXPECT_EQ(load_with("{appId: /ws/w/prv/p/cls/c/app/x}"),
            "/r/shop/kompoxapp.yml:2:1: invalid Defaults.spec.appId "
            "\"/ws/w/prv/p/cls/c/app/x\": there is no such App");
  EXPECT_THAT(load_with("{appId: /ws/w/prv/p/cls/c}"), HasSubstr("there is no such App"));
}

TEST(Configuration, TakesDefaultsOfTheAppFileAlone) {
  const auto twice = load({.files = {{"/r/shop/kompoxapp.yml", defaults("{}") + defaults("{}")}}});
  EXPECT_EQ(message_of(twice),
            "multiple Defaults documents found in \"/r/shop/kompoxapp.yml\"; only one is allowed");
  const auto elsewhere = load(
      {.files = {{"/r/.kompox/kom/base.yml", base_documents() + defaults("{appId: /ws/none}")}}});
  ASSERT_TRUE(elsewhere) << message_of(elsewhere);
  EXPECT_EQ(elsewhere->default_app_id, "");
}

TEST(Configuration, IsLimitedInBytes) {
  const std::map<std::string, std::string> files = {
      {"/r/.kompox/kom/a.yml", "# " + std::string(98, 'a') + "\n"},
      {"/r/.kompox/kom/b.yml", "# " + std::string(98, 'a') + "\n"}};
  EXPECT_EQ(message_of(load({.files = files, .limits = {.file_bytes = 100}})),
            "file \"/r/.kompox/kom/a.yml\" exceeds maximum size (100 bytes)");
  EXPECT_EQ(message_of(load({.files = files, .limits = {.total_bytes = 201}})),
            "total size limit (201 bytes) exceeded");
  EXPECT_EQ(load({.files = files, .limits = {.total_bytes = 202}}).error().error_class(),
            FailureClass::kNotFound);
}

constexpr std::string_view kLegacyText =
    "version: v1\nworkspace: {name: w}\nprovider: {name: p, driver: local}\n"
    "cluster: {name: c}\napp: {name: a}\n";

TEST(Configuration, IsTheSingleFileWhenThereAreNoDocuments) {
  const auto loaded = load({.files = {{"/r/shop/kompoxops.yml", std::string(kLegacyText)}}});
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_FALSE(loaded->from_documents());
  ASSERT_TRUE(loaded->legacy);
  EXPECT_EQ(loaded->legacy->version, "v1");
  EXPECT_EQ((*choose_app(*loaded, "", ""))->name, "a");
  EXPECT_EQ((*choose_cluster(*loaded, "", ""))->name, "c");
  EXPECT_EQ((*choose_cluster(*loaded, loaded->legacy->cluster.id, ""))->name, "c");
  EXPECT_EQ(loaded->store.apps()[0].ref_base, "file:///r/shop/");
}

TEST(Configuration, TakesTheSingleFileOfTheStoreUrl) {
  Given run{.files = {{"/x/ops.yml", std::string(kLegacyText)}}};
  run.request.variables["KOMPOX_DB_URL"] = "file:/x/ops.yml";
  EXPECT_TRUE(load(run));
  run.request.db_url = "file:none.yml";
  EXPECT_EQ(message_of(load(run)),
            "there are no documents, and no file \"/r/shop/none.yml\" either");
  run.request.db_url = "postgres://x";
  EXPECT_EQ(message_of(load(run)), "unsupported db scheme: postgres://x");
  run.request.db_url = "sqlite:x.db";
  EXPECT_EQ(load(run).error().error_class(), FailureClass::kNotImplemented);
  // Documents come first.
  run.files["/r/.kompox/kom/base.yml"] = base_documents();
  EXPECT_TRUE(load(run)->from_documents());
}

TEST(Configuration, ChoosesByIdThenByNameThenTheDefault) {
  const auto loaded = load({.files = {{"/r/.kompox/kom/base.yml", base_documents()},
                                      {"/r/shop/kompoxapp.yml", app("shop")}}});
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*choose_app(*loaded, "", ""))->name, "shop");
  EXPECT_EQ((*choose_app(*loaded, "/ws/w/prv/p/cls/c/app/shop", "x"))->name, "shop");
  EXPECT_EQ(choose_app(*loaded, "", "x").error().message(), "app \"x\" not found");
  EXPECT_EQ((*choose_cluster(*loaded, "", "c"))->name, "c");
  EXPECT_EQ(choose_cluster(*loaded, "/ws/w/prv/p/cls/x", "").error().message(),
            "cluster \"/ws/w/prv/p/cls/x\" not found");
  const auto bare = load({.files = {{"/r/.kompox/kom/base.yml", base_documents()}}});
  EXPECT_EQ(choose_app(*bare, "", "").error().message(),
            "no app specified: use --app-id or --app-name");
  EXPECT_EQ(choose_cluster(*bare, "", "").error().error_class(), FailureClass::kInvalid);
}

TEST(Configuration, KeepsDocumentsAsTheyCanBeAppliedToAServer) {
  const auto loaded = load({.files = {{"/r/.kompox/kom/base.yml", base_documents()}}});
  ASSERT_TRUE(loaded);
  const value::Value& annotations =
      loaded->documents[0].object.root().get("metadata").get("annotations");
  EXPECT_EQ(value::text_of(annotations, kDocPathAnnotation), "/r/.kompox/kom/base.yml");
  EXPECT_EQ(value::text_of(annotations, kDocIndexAnnotation), "2");
}

TEST(Configuration, NeverTellsValuesOfSettings) {
  const auto loaded =
      load({.files = {{"/r/.kompox/kom/a.yml",
                       document_of("Provider", "/ws/w/prv/p",
                                   "{driver: aks, settings: {AZURE_CLIENT_SECRET: {a: canary}, B: "
                                   "[canary]}, canary: 1}") +
                           document_of("App", "/ws/w/prv/p/cls/c/app/a",
                                       "{settings: {A: canary}, compose: [canary]}")}}});
  ASSERT_FALSE(loaded);
  const std::string message = message_of(loaded);
  EXPECT_THAT(message, HasSubstr("spec.settings"));
  // Once, as the name of an unknown field.
  EXPECT_EQ(message.find("canary"), message.rfind("canary"));
}

}  // namespace
}  // namespace strake::ops
