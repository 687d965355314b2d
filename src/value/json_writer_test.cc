#include "value/json_writer.h"

#include <gtest/gtest.h>

#include <random>

#include "value/builder.h"
#include "value/json_reader.h"

namespace strake::value {
namespace {

TEST(JsonWriter, EscapesAsTheApiServerDoes) {
  using namespace std::string_view_literals;
  struct Case {
    std::string_view text;
    const char* want;
  };
  const Case cases[] = {
      {"plain", R"("plain")"},
      {"a\"b\\c/", R"("a\"b\\c/")"},
      {"\b\f\n\r\t"sv, R"("\b\f\n\r\t")"},
      {"\x01\x1f\x7f"sv, "\"\\u0001\\u001f\x7f\""},
      {"\0"sv, R"("\u0000")"},
      {"<a href='x'>&</a>", R"("\u003ca href='x'\u003e\u0026\u003c/a\u003e")"},
      {"é日😀", "\"é日😀\""},
      {"\u2028\u2029", R"("\u2028\u2029")"},
      {"bad \xff\xc3 end", R"("bad \ufffd\ufffd end")"},
  };
  for (const Case& c : cases) EXPECT_EQ(to_json(Value::string(c.text)), c.want);
  EXPECT_EQ(to_json(Value::string("<&>"), {.escape_html = false}), "\"<&>\"");
}

// The writer looks at sixteen bytes at a time and collects its output in blocks of 2 KiB.
TEST(JsonWriter, FindsWhatNeedsEscapingWhereverItStands) {
  for (const std::size_t size : {1, 3, 7, 8, 15, 16, 17, 33, 40}) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '\n';
      std::string want =
          "\"" + std::string(at, 'x') + "\\n" + std::string(size - at - 1, 'x') + "\"";
      EXPECT_EQ(to_json(Value::string(text)), want);
    }
  }
}

TEST(JsonWriter, WritesTheSameAcrossItsBlocks) {
  for (std::size_t size = 2000; size < 2070; ++size) {
    const std::string filler(size, 'f');
    for (const std::string_view last : {"end", "e&d", "a text longer than sixteen bytes"}) {
      Value items[] = {Value::string(filler), Value::integer(-7), Value::string(last), Value()};
      std::string quoted;
      write_json_string(last, quoted);
      EXPECT_EQ(to_json(Value::array(items)), "[\"" + filler + "\",-7," + quoted + ",null]");
    }
  }
  const std::string long_text(10'000, 'y');
  std::string out = "before ";
  write_json(Value::string(long_text), out);
  EXPECT_EQ(out, "before \"" + long_text + "\"");
}

TEST(JsonWriter, WritesDeepDocuments) {
  const std::string text = std::string(5'000, '[') + std::string(5'000, ']');
  EXPECT_EQ(to_json(read_json(text).value().root()), text);
}

TEST(JsonWriter, PrintsDoublesAsGoDoes) {
  const std::pair<double, const char*> cases[] = {
      {0.0, "0"},
      {-0.0, "-0"},
      {1.0, "1"},
      {0.1, "0.1"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.5e-10, "1.5e-10"},
      {-2.5, "-2.5"},
      {1e100, "1e+100"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (const auto& [number, want] : cases) EXPECT_EQ(to_json(Value::number(number)), want);
}

TEST(JsonWriter, IndentsAsKubectlDoes) {
  const Document document = read_json(R"({"a":[1,{"b":[]}],"c":{},"d":[[]]})").value();
  EXPECT_EQ(to_json(document.root(), {.indent = 4}), R"({
    "a": [
        1,
        {
            "b": []
        }
    ],
    "c": {},
    "d": [
        []
    ]
})");
}

// Random documents with nasty strings and numbers, reproducible from the seed that a failure
// prints.
class RandomDocument {
 public:
  explicit RandomDocument(std::uint64_t seed) : random_(seed) {}

  void emit(EventSink& sink, int depth = 0) {
    const Position at;
    const auto kind = pick(depth > 5 ? 6 : 8);
    if (kind == 7) {
      sink.begin_object(at);
      for (std::uint64_t i = pick(6); i-- > 0;) {
        sink.key(fmt::format("{}{}", text(), i), at);
        emit(sink, depth + 1);
      }
      sink.end_object(at);
    } else if (kind == 6) {
      sink.begin_array(at);
      for (std::uint64_t i = pick(6); i-- > 0;) emit(sink, depth + 1);
      sink.end_array(at);
    } else {
      scalar(kind, sink);
    }
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  void scalar(std::uint64_t kind, EventSink& sink) {
    const Position at;
    if (kind == 0) sink.scalar(Value(), at);
    if (kind == 1) sink.scalar(Value::boolean(pick(2) == 0), at);
    if (kind == 2)
      sink.scalar(Value::integer(static_cast<std::int64_t>(random_() >> pick(64))), at);
    if (kind == 3) {
      // Whole doubles past 2^53 print as the shortest digits, which read back as another, exact
      // integer: as in Go.
      const double d = std::bit_cast<double>(random_());
      const bool reads_as_integer = std::fabs(d) >= 0x1p53 && std::fabs(d) < 0x1p63;
      sink.scalar(Value::number(std::isfinite(d) && !reads_as_integer ? d : 0.5), at);
    }
    if (kind >= 4) {
      const std::string s = text();
      sink.scalar(Value::string(s), at);
    }
  }
  std::string text() {
    static constexpr const char* kPieces[] = {"a", "\"",     "\\",   "\n", "é", "日",      "😀",
                                              "<", "\u2028", "\x01", " ",  "0", "\\u0041", "/"};
    std::string out;
    for (std::uint64_t i = pick(12); i-- > 0;) out += kPieces[pick(std::size(kPieces))];
    return out;
  }
  std::mt19937_64 random_;
};

TEST(JsonWriter, WritesWhatReadsBackTheSame) {
  const std::uint64_t start = std::random_device()();
  for (std::uint64_t seed = start; seed < start + 500; ++seed) {
    ReadOptions options;
    options.duplicates = DuplicatePolicy::kLastWins;
    DocumentBuilder builder(options);
    RandomDocument(seed).emit(builder);
    const Document document = builder.take();
    for (const std::size_t indent : {0, 2}) {
      const std::string text = to_json(document.root(), {.indent = indent});
      const Result<Document> again = read_json(text);
      ASSERT_TRUE(again) << "seed " << seed << ": " << again.error().to_string();
      EXPECT_TRUE(equal(again->root(), document.root())) << "seed " << seed << ": " << text;
      EXPECT_EQ(to_json(again->root(), {.indent = indent}), text) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace strake::value
