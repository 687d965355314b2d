#include "patch/document_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Value;

TEST(DocumentEdit, HoldsWhatAMapWouldAfterAnyEdits) {
  const value::Document document =
      value::read_json(R"({"b":1,"d":2,"f":3,"h":4,"j":5,"l":6,"n":7,"p":8,"r":9,"t":10})").value();
  constexpr std::string_view kKeys = "abcdefghijklmnopqrstu";
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    DocumentEdit edit(document.root(), arena);
    EditContainer& object = *edit.open(edit.root());
    std::map<std::string_view, std::int64_t> expected;
    for (const value::Member& m : document.root().members()) expected[m.key] = m.value.as_int();
    for (std::int64_t step = 100; step < 160; ++step) {
      const std::string_view key = kKeys.substr(random() % kKeys.size(), 1);
      if (random() % 2 == 0) {
        object.set(key, {Value::integer(step)});
        expected[key] = step;
      } else {
        EXPECT_EQ(object.remove(std::string(key)), expected.erase(key) == 1);
      }
      ASSERT_EQ(object.size(), expected.size());
      ASSERT_EQ(object.get(key).has_value(), expected.contains(key));
    }
    std::string text;
    for (const auto& [key, number] : expected)
      text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", key, number);
    EXPECT_EQ(value::to_json(edit.close(edit.root())), "{" + text + "}") << "seed " << seed;
  }
}

TEST(DocumentEdit, ComparesOpenContainersWithADocument) {
  const value::Document document = value::read_json(R"({"a":[1,2,3],"b":{"c":1,"d":2}})").value();
  Arena arena;
  DocumentEdit edit(document.root(), arena);
  EditContainer& root = *edit.open(edit.root());
  edit.open(*root.at("a"))->items.erase(1);
  EditContainer& inner = *edit.open(*root.at("b"));
  inner.remove("c");
  inner.set("e", {Value::integer(3)});
  constexpr std::pair<std::string_view, bool> kCases[] = {
      {R"({"a":[1,3],"b":{"d":2,"e":3}})", true},
      {R"({"a":[1,2],"b":{"d":2,"e":3}})", false},
      {R"({"a":[1,3],"b":{"c":1,"d":2}})", false},
      {R"({"a":[1,3],"b":{"d":2}})", false},
      {R"({"a":[1,3],"b":{"d":2,"e":3},"f":1})", false},
      {R"({"a":{},"b":{"d":2,"e":3}})", false},
  };
  for (const auto& [text, same] : kCases) {
    const value::Document given = value::read_json(text).value();
    EXPECT_EQ(DocumentEdit::matches(edit.root(), given.root(), value::equal), same) << text;
  }
}

}  // namespace
}  // namespace strake::patch
