#include "base/field_path.h"

#include <gtest/gtest.h>

#include <random>

namespace strake {
namespace {

struct Shown {
  FieldPath path;
  std::string_view k8s, dotted, pointer;
};

std::vector<Shown> shown_paths() {
  const FieldPath root;
  return {
      {root, "", ".", ""},
      {root / "spec" / "containers" / 0 / "image", "spec.containers[0].image",
       ".spec.containers[0].image", "/spec/containers/0/image"},
      {(root / "metadata" / "labels").key("app"), "metadata.labels[app]", ".metadata.labels.app",
       "/metadata/labels/app"},
      {(root / "metadata" / "labels").key("example.com/a"), "metadata.labels[example.com/a]",
       ".metadata.labels[\"example.com/a\"]", "/metadata/labels/example.com~1a"},
      {root / 3 / "x", "[3].x", ".[3].x", "/3/x"},
      {root / 1 / 2, "[1][2]", ".[1][2]", "/1/2"},
      {root / "a" / "", "a.", ".a[\"\"]", "/a/"},
      {root / "", "", ".[\"\"]", "/"},
      {root / "a\"b\\c]", "a\"b\\c]", ".[\"a\\\"b\\\\c]\"]", "/a\"b\\c]"},
      {root / "~/", "~/", ".[\"~/\"]", "/~0~1"},
      {root / "x-preserve_$1", "x-preserve_$1", ".x-preserve_$1", "/x-preserve_$1"},
      {root / "h\u00e9", "h\u00e9", ".[\"h\u00e9\"]", "/h\u00e9"},
      {root / "a" / std::size_t{18446744073709551615u}, "a[18446744073709551615]",
       ".a[18446744073709551615]", "/a/18446744073709551615"},
  };
}

TEST(FieldPath, PrintsInThreeWays) {
  for (const Shown& c : shown_paths()) {
    EXPECT_EQ(c.path.to_k8s(), c.k8s);
    EXPECT_EQ(c.path.to_dotted(), c.dotted);
    EXPECT_EQ(c.path.to_pointer(), c.pointer);
  }
}

TEST(FieldPath, ReadsBackWhatItPrints) {
  for (const Shown& c : shown_paths()) {
    FieldPath read;
    ASSERT_TRUE(FieldPath::parse_dotted(c.dotted, read)) << c.dotted;
    EXPECT_EQ(read.to_dotted(), c.dotted);
    ASSERT_EQ(read.steps().size(), c.path.steps().size());
    for (std::size_t i = 0; i < read.steps().size(); ++i) {
      EXPECT_EQ(read.steps()[i].name, c.path.steps()[i].name);
      EXPECT_EQ(read.steps()[i].index, c.path.steps()[i].index);
    }
    ASSERT_TRUE(FieldPath::parse_pointer(c.pointer, read)) << c.pointer;
    EXPECT_EQ(read.to_pointer(), c.pointer);
    EXPECT_EQ(read.steps().size(), c.path.steps().size());
  }
}

TEST(FieldPath, NeedsNoLeadingDot) {
  FieldPath read;
  ASSERT_TRUE(FieldPath::parse_dotted("spec.replicas", read));
  EXPECT_EQ(read, FieldPath() / "spec" / "replicas");
  ASSERT_TRUE(FieldPath::parse_dotted("[0].a", read));
  EXPECT_EQ(read, FieldPath() / 0 / "a");
  ASSERT_TRUE(FieldPath::parse_dotted("", read));
  EXPECT_TRUE(read.empty());
}

TEST(FieldPath, RefusesWhatIsNoPath) {
  FieldPath read;
  for (std::string_view text :
       {"..",      "..a",        ".a.",        "a..b",     ".a[",
        ".a[]",    ".a[x]",      ".a[-1]",     ".a[01]",   ".a[1",
        ".a[\"x]", ".a[\"x\"",   ".a[\"x\"y]", ".a[\"x\\", ".a b",
        ".a[0]b",  ".a[\"x\"]b", ".\u00e9",    ".a[1]]",   ".a[99999999999999999999]",
        ".a[1 ]"}) {
    EXPECT_FALSE(FieldPath::parse_dotted(text, read)) << text;
  }
}

TEST(FieldPath, RefusesWhatIsNoPointer) {
  FieldPath read;
  for (std::string_view text : {"a", "a/b", "/~", "/~2", "/a~", "~0"}) {
    EXPECT_FALSE(FieldPath::parse_pointer(text, read)) << text;
  }
}

TEST(FieldPath, KeepsTheTextOfAPointerStepOfDigits) {
  FieldPath read;
  ASSERT_TRUE(FieldPath::parse_pointer("/items/10/010/-/99999999999999999999", read));
  const auto& steps = read.steps();
  EXPECT_EQ(steps[1].kind, FieldPath::Kind::kIndex);
  EXPECT_EQ(steps[1].index, 10u);
  EXPECT_EQ(steps[1].name, "10");
  EXPECT_EQ(steps[2].kind, FieldPath::Kind::kField);
  EXPECT_EQ(steps[2].name, "010");
  EXPECT_EQ(steps[3].name, "-");
  EXPECT_EQ(steps[4].kind, FieldPath::Kind::kField);  // more than an index can be
}

TEST(FieldPath, GrowsAndShrinksInPlace) {
  FieldPath path;
  path.push_field("a");
  path.push_index(2);
  path.push_key("k");
  EXPECT_EQ(path.to_k8s(), "a[2][k]");
  path.pop();
  EXPECT_EQ(path, FieldPath() / "a" / 2);
  EXPECT_NE(path, FieldPath() / "a" / "2");
}

TEST(FieldPath, SurvivesAnyNames) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    FieldPath path;
    for (unsigned step = random() % 5; step > 0; --step) {
      if (random() % 3 == 0) {
        path.push_index(random());
        continue;
      }
      std::string name(random() % 6, '\0');
      for (char& c : name) c = "ab01.[]\"\\~/ -\n"[random() % 14];
      path.push_field(name);
    }
    FieldPath read;
    ASSERT_TRUE(FieldPath::parse_dotted(path.to_dotted(), read)) << path.to_dotted();
    ASSERT_EQ(read, path) << path.to_dotted();
    ASSERT_TRUE(FieldPath::parse_pointer(path.to_pointer(), read));
    ASSERT_EQ(read.to_pointer(), path.to_pointer());
  }
}

TEST(FieldPath, NeverReadsPastTheEnd) {
  std::mt19937 random(12);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = "a0.[]\"\\~/"[random() % 9];
    FieldPath read;
    if (FieldPath::parse_dotted(text, read)) {
      FieldPath again;
      ASSERT_TRUE(FieldPath::parse_dotted(read.to_dotted(), again));
      ASSERT_EQ(read, again) << text;
    }
    if (FieldPath::parse_pointer(text, read)) {
      ASSERT_EQ(read.to_pointer(), text);
    }
  }
}

}  // namespace
}  // namespace strake
