#include "validate/prose.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/vectors.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::validate {
namespace {

TEST(WithoutProse, CutsDescriptionsInEveryStyle) {
  EXPECT_EQ(without_prose("spec:\n  description: plain text\n  a: 1\n"),
            "spec:\n  description: x\n  a: 1\n");
  EXPECT_EQ(without_prose("spec:\n  description: goes\n    on\n\n    here\n  a: 1\n"),
            "spec:\n  description: x\n  a: 1\n");
  EXPECT_EQ(without_prose("spec:\n  description: |-\n    a: 1\n    description: b\n  a: 1\n"),
            "spec:\n  description: x\n  a: 1\n");
  EXPECT_EQ(without_prose("spec:\n  description: \"it \\\" goes\non\"\n  a: 1\n"),
            "spec:\n  description: x\n  a: 1\n");
  EXPECT_EQ(without_prose("spec:\n  description: 'it''s\n    so'\n  a: 1\n"),
            "spec:\n  description: x\n  a: 1\n");
}

TEST(WithoutProse, LeavesWhatIsNoProse) {
  for (const std::string_view text : {
           "metadata:\n  description: kept\n",
           "spec:\n  description:\n    type: string\n",
           "spec:\n  description: {type: string}\n",
           "spec:\n  default:\n    description: data\n",
           "spec:\n  enum:\n  - name: a\n    description: data\n",
           "spec:\n  rule: |-\n    description: text\n",
           "spec:\n  message: \"a\n    description: b\"\n",
           "spec:\n  x: 'a\n    description: b'\n",
           "spec:\n  descriptions: many\n",
           "spec:\n\tdescription: tab\n",
           "spec:\n  description: \"open\n",
           "",
       }) {
    EXPECT_EQ(without_prose(text), text);
  }
}

void cut_descriptions(value::Value& v) {
  if (v.is_array()) {
    for (value::Value& item : v.mutable_items()) cut_descriptions(item);
  } else if (v.is_object()) {
    for (value::Member& m : v.mutable_members()) {
      if (m.key == "description" && m.value.is_string()) m.value = value::Value::string("x");
      cut_descriptions(m.value);
    }
  }
}

TEST(WithoutProse, ChangesNothingElseInRealDefinitions) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  std::size_t before = 0;
  std::size_t after = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = testing::read_file(entry.path());
    const std::string cut = without_prose(text);
    before += text.size();
    after += cut.size();
    value::Document whole = value::read_yaml(text, options).value();
    auto rest = value::read_yaml(cut, options);
    ASSERT_TRUE(rest) << entry.path() << rest.error().to_string();
    cut_descriptions(whole.root());
    cut_descriptions(rest->root());
    EXPECT_TRUE(value::identical(whole.root(), rest->root())) << entry.path();
  }
  EXPECT_LT(after, before * 2 / 3);
}

}  // namespace
}  // namespace strake::validate
