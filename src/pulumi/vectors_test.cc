// Published package schemas: every component becomes a CRD that a server takes, or says why not.
#include "support/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "crd/check.h"
#include "pulumi/test_convert.h"
#include "resource/settle.h"
#include "resource/validate.h"
#include "value/yaml_reader.h"

namespace strake::pulumi {
namespace {

crd::Crd accepted(const std::string& text) {
  auto document = value::read_yaml(text);
  EXPECT_TRUE(document) << text;
  auto crd = crd::Crd::read(std::move(*document));
  EXPECT_TRUE(crd);
  crd->prepare_for_create();
  EXPECT_EQ(value::aggregate(crd::check_create(*crd)), value::aggregate({}));
  return *std::move(crd);
}

// The sample passes as it is, and with a misspelt field that field is told.
void expect_sample_fits(const crd::Crd& crd, const std::string& text) {
  auto document = value::read_yaml(text);
  ASSERT_TRUE(document) << text;
  const crd::Version& version = crd.versions()[0];
  const auto schema = version.compiled();
  ASSERT_TRUE(schema);
  const resource::Kind kind{
      .gvk = {std::string(crd.group()), std::string(version.name()), std::string(crd.names().kind)},
      .schema = *schema};
  value::Value& object = document->root();
  object.find("spec")->set("missspelt", value::Value::integer(1), document->arena());
  object.find("metadata")->set("namespace", value::Value::string("default"), document->arena());
  std::vector<std::string> unknown;
  const auto settled = resource::settle(object, kind, document->arena(), &unknown);
  ASSERT_TRUE(settled) << settled.error().message();
  EXPECT_THAT(unknown, ::testing::ElementsAre("spec.missspelt")) << text;
  const auto verdict = resource::validate_create(object, kind, nullptr);
  EXPECT_TRUE(verdict.errors.empty()) << value::aggregate(verdict.errors) << text;
}

struct Tally {
  std::size_t packages = 0;
  std::size_t made = 0;
  std::size_t empty = 0;  // nothing was left
  std::size_t refused = 0;
};

Tally convert_recordings(const std::filesystem::path& folder, const ConvertOptions& options) {
  Tally out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".md") continue;
    ++out.packages;
    const auto package = Package::read(testing::read_file(entry.path()));
    EXPECT_TRUE(package) << entry.path();
    if (!package) continue;
    for (const std::string_view token : package->components()) {
      SCOPED_TRACE(std::string(token));
      const auto made = convert_component(*package, token, options);
      if (!made) {
        const bool left = made.error().message().starts_with("no translatable spec fields");
        ++(left ? out.empty : out.refused);
        EXPECT_TRUE(left) << made.error().message();
        continue;
      }
      ++out.made;
      EXPECT_EQ(convert_component(*package, token, options)->crd, made->crd);
      expect_sample_fits(accepted(made->crd), made->sample);
    }
  }
  return out;
}

TEST(Recordings, BecomeCrdsThatServersTake) {
  STRAKE_REQUIRE_VECTORS(folder, "pulumi");
  const Tally got = convert_recordings(folder, {});
  EXPECT_EQ(got.packages, testing::count_in(folder, 26U, 3U));
  EXPECT_EQ(got.made + got.empty, testing::count_in(folder, 122U, 3U));
  EXPECT_GT(got.made, testing::count_in(folder, 100U, 1U));
  EXPECT_EQ(got.refused, 0U);
}

TEST(Recordings, BecomeCrdsWithEveryExtensionToo) {
  STRAKE_REQUIRE_VECTORS(folder, "pulumi");
  const Tally got = convert_recordings(folder, {.translate = {.unions = Unions::kStructural,
                                                              .const_as_enum = true,
                                                              .any_untyped = true,
                                                              .list_types = true,
                                                              .transition_rules = true},
                                                .status = true});
  EXPECT_EQ(got.made + got.empty, testing::count_in(folder, 122U, 3U));
  EXPECT_EQ(got.refused, 0U);
}

}  // namespace
}  // namespace strake::pulumi
