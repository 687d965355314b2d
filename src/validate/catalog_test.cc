#include "validate/catalog.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "validate/document_stream.h"
#include "validate/test_crd.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using meta::GroupVersionKind;

const GroupVersionKind kGarden{"example.dev", "v1", "Garden"};

std::shared_ptr<const std::string> shared(std::string_view text) {
  return std::make_shared<const std::string>(text);
}

Catalog with(std::string_view text, std::size_t count = 1) {
  Catalog catalog({});
  const auto added = catalog.add("crd.yaml", shared(text));
  EXPECT_TRUE(added) << added.error().to_string();
  EXPECT_EQ(added.value_or(0), count);
  return catalog;
}

TEST(Catalog, FindsEveryServedVersion) {
  const Catalog catalog = with(kGardenCrd);
  EXPECT_NE(catalog.find(kGarden), nullptr);
  EXPECT_EQ(catalog.find(kGarden), catalog.find(kGarden));
  EXPECT_NE(catalog.find({"example.dev", "v1beta1", "Garden"}), nullptr);
  EXPECT_EQ(catalog.find({"example.dev", "v1alpha1", "Garden"}), nullptr);
  EXPECT_EQ(catalog.find({"example.dev", "v2", "Garden"}), nullptr);
  EXPECT_TRUE(catalog.refused_files().empty());
}

TEST(Catalog, JudgesDefinitionsThemselves) {
  EXPECT_NE(Catalog({}).find({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}), nullptr);
  EXPECT_EQ(Catalog({}).find({"apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition"}),
            nullptr);
}

TEST(Catalog, TakesDefinitionsOutOfBundlesAndLists) {
  EXPECT_NE(
      with(fmt::format("kind: Namespace\napiVersion: v1\n---\n{}---\nkind: Pod\napiVersion: v1\n",
                       kGardenCrd))
          .find(kGarden),
      nullptr);
  const Catalog listed = with(R"({"apiVersion":"v1","kind":"List","items":[
      {"apiVersion":"v1","kind":"Pod"},
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"g","names":{"kind":"K"},
       "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}]})");
  EXPECT_NE(listed.find({"g", "v1", "K"}), nullptr);
}

TEST(Catalog, SaysWhatThereIsInstead) {
  const Catalog catalog = with(kGardenCrd);
  EXPECT_EQ(catalog.explain_missing({"example.dev", "v2", "Garden"}), "its CRD serves v1, v1beta1");
  EXPECT_EQ(catalog.explain_missing({"example.dev", "v1", "Gardn"}), "did you mean \"Garden\"?");
  EXPECT_EQ(catalog.explain_missing({"other.dev", "v1", "Garden"}), "");
}

TEST(Catalog, NamesFilesThatTheServerWouldRefuseOnceTheyAreUsed) {
  std::string broken(kGardenCrd);
  broken.replace(broken.find("gardens.example.dev"), 7, "wrong.x");
  const Catalog catalog = with(broken);
  EXPECT_TRUE(catalog.refused_files().empty());
  EXPECT_NE(catalog.find(kGarden), nullptr);
  ASSERT_EQ(catalog.refused_files().size(), 1U);
  EXPECT_EQ(catalog.refused_files()[0].file, "crd.yaml");
  EXPECT_EQ(*catalog.refused_files()[0].text, broken)
      << "whoever reports it need not read it again";
}

std::shared_ptr<const ParsedFile> parsed(std::string_view text) {
  return std::make_shared<const ParsedFile>(
      parse_file("crd.yaml", shared(text),
                 value::ReadOptions{.duplicates = value::DuplicatePolicy::kLastWins,
                                    .text = value::TextPolicy::kReplace,
                                    .positions = true}));
}

TEST(Catalog, UsesDocumentsThatWereParsedByOthers) {
  const auto file = parsed(kGardenCrd);
  const std::string before = value::to_json(file->documents[0]->root());
  const std::uint64_t parses = parses_begun();
  Catalog catalog({});
  EXPECT_EQ(catalog.add(file, Trust::kInput).value_or(0), 1U);
  EXPECT_NE(catalog.find(kGarden), nullptr);
  EXPECT_EQ(parses_begun(), parses);
  EXPECT_EQ(value::to_json(file->documents[0]->root()), before) << "they stay as they are";
}

TEST(Catalog, FindsDefinitionsBesideADocumentThatCannotBeRead) {
  Catalog catalog({});
  const auto file = parsed(fmt::format("{}---\na: [\n---\nb: 1\n", kGardenCrd));
  EXPECT_FALSE(file->is_whole());
  static_cast<void>(catalog.add(file, Trust::kInput));
  EXPECT_NE(catalog.find(kGarden), nullptr);
}

TEST(Catalog, LeavesTheFaultsOfInputsToTheirOwnCheck) {
  std::string broken(kGardenCrd);
  broken.replace(broken.find("gardens.example.dev"), 7, "wrong.x");
  Catalog catalog({});
  ASSERT_TRUE(catalog.add(parsed(broken), Trust::kInput));
  EXPECT_NE(catalog.find(kGarden), nullptr);
  EXPECT_TRUE(catalog.refused_files().empty());
}

TEST(Catalog, ParsesTwoDefinitionsOfAKindOnceToCompareAndToUseThem) {
  std::string other(kGardenCrd);
  other += "# another\n";
  Catalog catalog({});
  const std::uint64_t parses = parses_begun();
  ASSERT_TRUE(catalog.add("a.yaml", shared(kGardenCrd)));
  ASSERT_TRUE(catalog.add("b.yaml", shared(other)));
  EXPECT_TRUE(catalog.take_shadowed().empty());
  EXPECT_EQ(catalog.find({"example.dev", "v2", "Garden"}), nullptr) << "both are asked";
  EXPECT_EQ(parses_begun() - parses, 2U);
}

TEST(Catalog, TakesAnOpenApiDocumentWithoutKindsAsEmpty) {
  Catalog catalog({});
  EXPECT_EQ(
      catalog.add("swagger.json", shared(R"({"swagger":"2.0","definitions":{}})")).value_or(7), 0u);
}

TEST(Catalog, CountsTheLinesOfAnErrorFromTheStartOfTheFile) {
  Catalog catalog({});
  const auto added =
      catalog.add("crd.yaml", shared("kind: Pod\napiVersion: v1\n---\n\"kind\": [\n"));
  ASSERT_FALSE(added);
  ASSERT_TRUE(added.error().position());
  EXPECT_GE(added.error().position()->line, 4u);
}

TEST(Catalog, TakesJudgesForOtherKinds) {
  Catalog catalog({});
  const std::shared_ptr<const Judge> judge = judge_without_schema("none");
  catalog.add({"apps", "v1", "Deployment"}, judge);
  EXPECT_EQ(catalog.find({"apps", "v1", "Deployment"}), judge.get());
}

TEST(Catalog, TakesDefinitionsOutOfTheirOwnListWithTheirTypeLeftOut) {
  const std::string text(kGardenCrd);
  std::string item;
  for (std::size_t at = text.find("metadata:"); at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    item += (item.empty() ? "- " : "  ") + text.substr(at, end - at);
    at = end;
  }
  EXPECT_NE(with("apiVersion: apiextensions.k8s.io/v1\nitems:\n" + item +
                 "kind: CustomResourceDefinitionList\n")
                .find(kGarden),
            nullptr);
}

TEST(Catalog, SaysWhichDefinitionIsNotUsed) {
  Catalog catalog({});
  ASSERT_TRUE(catalog.add("a.yaml", shared(kGardenCrd)));
  ASSERT_TRUE(catalog.add("b.yaml", shared(fmt::format("# a comment\n{}", kGardenCrd))));
  EXPECT_TRUE(catalog.take_shadowed().empty()) << "they say the same";
  std::string other(kGardenCrd);
  other.replace(other.find("maximum: 100"), 12, "maximum: 200");
  ASSERT_TRUE(catalog.add("cluster", shared(other), Trust::kTaken));
  EXPECT_TRUE(catalog.take_shadowed().empty()) << "a cluster may have another one";
  ASSERT_TRUE(catalog.add("c.yaml", shared(other)));
  const auto shadowed = catalog.take_shadowed();
  ASSERT_EQ(shadowed.size(), 1u);
  EXPECT_EQ(shadowed[0].file, "c.yaml");
  EXPECT_EQ(shadowed[0].message,
            "another CustomResourceDefinition of kind \"Garden\" in group \"example.dev\" is used "
            "instead, the one in a.yaml");
}

TEST(Catalog, KnowsAKindByAnyOfItsVersions) {
  const Catalog catalog = with(kGardenCrd);
  EXPECT_TRUE(catalog.knows({"example.dev", "Garden"}));
  EXPECT_FALSE(catalog.knows({"example.dev", "Shed"}));
  const Catalog builtin = with(R"({"openapi":"3.0.0","components":{"schemas":{"Web":{
      "x-kubernetes-group-version-kind":[{"group":"apps","version":"v1","kind":"Web"}]}}}})");
  EXPECT_TRUE(builtin.knows({"apps", "Web"}));
  EXPECT_EQ(builtin.explain_missing({"apps", "v2", "Web"}), "there are schemas for v1");
}

}  // namespace
}  // namespace strake::validate
