#include "patch/merge_patch.h"

#include <gtest/gtest.h>

#include <random>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::Member;
using value::read_json;
using value::to_json;
using value::Value;

std::string merged(std::string_view document, std::string_view patch) {
  const Document doc = read_json(document).value();
  Arena arena;
  Value out;
  {
    const Document given = read_json(patch).value();
    out = apply_merge_patch(doc.root(), given.root(), arena);
  }
  EXPECT_EQ(to_json(doc.root()), to_json(read_json(document)->root())) << "the input changed";
  return to_json(out);
}

TEST(MergePatch, DoesWhatTheAppendixShows) {
  struct Case {
    const char* document;
    const char* patch;
    const char* want;
  };
  const Case cases[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", "null", "null"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"a":1,"e":null})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
      // Of the server's library: nulls inside arrays.
      {R"({})", R"({"a":[{"b":null,"c":1},null]})", R"({"a":[{"c":1},null]})"},
      {R"({"a":[1]})", R"({"a":[{"b":null}]})", R"({"a":[{}]})"},
      {R"({"a":{"x":1}})", R"({"a":[{"b":null}]})", R"({"a":[{"b":null}]})"},
  };
  for (const Case& c : cases) EXPECT_EQ(merged(c.document, c.patch), c.want) << c.patch;
}

TEST(MergePatch, SharesWhatItDoesNotTouch) {
  const Document doc = read_json(R"({"a":{"x":[1]},"b":{"c":1}})").value();
  const Document patch = read_json(R"({"b":{"d":2}})").value();
  Arena arena;
  const Value out = apply_merge_patch(doc.root(), patch.root(), arena);
  EXPECT_EQ(out.find("a")->members().data(), doc.root().find("a")->members().data());
}

TEST(MergePatch, IsMadeAsSmallAsItCanBe) {
  const auto made = [](const char* from, const char* to) {
    const Document a = read_json(from).value();
    const Document b = read_json(to).value();
    Arena arena;
    return to_json(make_merge_patch(a.root(), b.root(), arena));
  };
  EXPECT_EQ(made(R"({"a":1})", R"({"a":1})"), "{}");
  EXPECT_EQ(made(R"({"a":1,"b":{"c":1,"d":[1]}})", R"({"b":{"c":2,"d":[1]}})"),
            R"({"a":null,"b":{"c":2}})");
  EXPECT_EQ(made(R"({"a":[1,2]})", R"({"a":[1]})"), R"({"a":[1]})");
  EXPECT_EQ(made(R"({"a":{}})", R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(made(R"({"a":1})", R"({"a":1.0})"), R"({"a":1})");
  EXPECT_EQ(made(R"([1])", R"([2])"), "[2]");
}

// A document without nulls, of a few small names so that two of them often meet.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Value make(Arena& arena, int depth) {
    const unsigned kind = pick(depth > 0 ? 6 : 4);
    if (kind == 0) return Value::integer(pick(3));
    if (kind == 1) return Value::string(pick(2) == 0 ? "x" : "y");
    if (kind == 2) return Value::boolean(pick(2) == 0);
    if (kind == 3) return Value::number(0.5 + pick(2));
    if (kind == 4) {
      Value array = Value::array({});
      for (unsigned i = pick(4); i > 0; --i) array.append(make(arena, depth - 1), arena);
      return array;
    }
    return object(arena, depth - 1);
  }

  Value object(Arena& arena, int depth) {
    static constexpr std::string_view kNames[] = {"a", "b", "c", "d", "e"};
    Value out = Value::object({});
    for (unsigned i = pick(5); i > 0; --i) out.set(kNames[pick(5)], make(arena, depth), arena);
    return out;
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::mt19937 random_;
};

TEST(MergePatch, LeadsToTheTargetItWasMadeFor) {
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    Maker maker(seed);
    Arena arena;
    const Value from = maker.object(arena, 4);
    const Value to = maker.object(arena, 4);
    const Value patch = make_merge_patch(from, to, arena);
    const Value got = apply_merge_patch(from, patch, arena);
    ASSERT_TRUE(value::identical(got, to))
        << "seed " << seed << ": " << to_json(from) << " to " << to_json(to) << " by "
        << to_json(patch) << " gave " << to_json(got);
    ASSERT_EQ(to_json(make_merge_patch(got, to, arena)), "{}") << "seed " << seed;
  }
}

TEST(MergePatch, TakesDocumentsOfAnyDepth) {
  constexpr int kDepth = 9'000;
  std::string open;
  for (int i = 0; i < kDepth; ++i) open += R"({"a":)";
  const std::string close(kDepth, '}');
  const Document a = read_json(open + "1" + close).value();
  const Document b = read_json(open + "2" + close).value();
  Arena arena;
  const Value patch = make_merge_patch(a.root(), b.root(), arena);
  EXPECT_TRUE(value::identical(apply_merge_patch(a.root(), patch, arena), b.root()));
}

}  // namespace
}  // namespace strake::patch
