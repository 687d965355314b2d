#include "value/json_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "value/builder.h"
#include "value/json_writer.h"

namespace strake::value {
namespace {

std::string outcome(const Result<Document>& read) {
  return read ? to_json(read->root())
              : std::string(to_string(read.error().code())) + ": " + read.error().to_string();
}

std::string read(std::string_view text, const ReadOptions& options = {}) {
  return outcome(read_json(text, options));
}

TEST(JsonReader, ReadsEveryKindOfValue) {
  EXPECT_EQ(read(R"( {"b":[1,-2,3.5,1e3],"a":{"x":null,"t":true,"f":false},"s":"\u00e9\n"} )"),
            R"({"a":{"f":false,"t":true,"x":null},"b":[1,-2,3.5,1000],"s":"é\n"})");
}

struct BadText {
  const char* name;
  std::string_view text;
  const char* error;
};

TEST(JsonReader, SaysWhatIsWrongAndWhere) {
  using namespace std::string_view_literals;
  const BadText cases[] = {
      {"nothing", "", "parse error: line 1 column 1: unexpected end of JSON input"},
      {"only space", " \n ", "parse error: line 2 column 2: unexpected end of JSON input"},
      {"bare word", "[1,\n x]",
       "parse error: line 2 column 2: invalid character 'x' looking for beginning of value"},
      {"missing colon", R"({"a" 1})",
       "parse error: line 1 column 6: invalid character '1' after object key"},
      {"missing comma", R"({"a":1 "b":2})",
       "parse error: line 1 column 8: invalid character '\"' after object key:value pair"},
      {"missing comma in a list", "[1 2]",
       "parse error: line 1 column 4: invalid character '2' after array element"},
      {"trailing comma", R"({"a":1,})",
       "parse error: line 1 column 8: invalid character '}' looking for beginning of object key "
       "string"},
      {"rest after the value", "{} {}",
       "parse error: line 1 column 4: invalid character '{' after top-level value"},
      {"truncated list", "[1,2", "parse error: line 1 column 5: unexpected end of JSON input"},
      {"truncated string", R"("abc)", "parse error: line 1 column 5: unexpected end of JSON input"},
      {"truncated escape", R"("abc\)",
       "parse error: line 1 column 6: unexpected end of JSON input"},
      {"control character", "\"a\nb\"",
       "parse error: line 1 column 3: invalid character '\\n' in string literal"},
      {"NUL in a string", "\"a\0b\""sv,
       "parse error: line 1 column 3: invalid character '\\x00' in string literal"},
      {"NUL outside", "\0"sv,
       "parse error: line 1 column 1: invalid character '\\x00' looking for beginning of value"},
      {"unknown escape", R"("\q")",
       "parse error: line 1 column 3: invalid character 'q' in string escape code"},
      {"bad hex", R"("\u12g4")",
       "parse error: line 1 column 6: invalid character 'g' in \\u hexadecimal character escape"},
      {"bad literal", "trve",
       "parse error: line 1 column 3: invalid character 'v' in literal true (expecting 'u')"},
      {"leading zero", "[012]",
       "parse error: line 1 column 3: invalid character '1' after array element"},
      {"lone minus", "[-]",
       "parse error: line 1 column 3: invalid character ']' in numeric literal"},
      {"no digits behind the point", "[1.]",
       "parse error: line 1 column 4: invalid character ']' after decimal point in numeric "
       "literal"},
      {"no digits in the exponent", "[1e]",
       "parse error: line 1 column 4: invalid character ']' in exponent of numeric literal"},
      {"number too large", "[1e400]",
       "parse error: line 1 column 2: number 1e400 does not fit a 64-bit float"},
      {"byte order mark", "\xef\xbb\xbf{}",
       "parse error: line 1 column 1: invalid character '\u00ef' looking for beginning of value"},
      {"invalid UTF-8", "[\"caf\xe9\"]", "parse error: line 1 column 6: invalid UTF-8 in string"},
      {"lone high surrogate", R"(["\ud800x"])",
       "parse error: line 1 column 3: lone surrogate \\ud800 in string"},
      {"lone low surrogate", R"(["\udc00"])",
       "parse error: line 1 column 3: lone surrogate \\udc00 in string"},
  };
  for (const BadText& c : cases) EXPECT_EQ(read(c.text), c.error) << c.name;
}

TEST(JsonReader, CountsColumnsInCharactersAndOffsetsInBytes) {
  const Error error = read_json("[\n  \"日本\", é]").error();
  EXPECT_EQ(error.position(), (Position{.offset = 14, .line = 2, .column = 9}));
}

TEST(JsonReader, NamesTheSourceInErrors) {
  ReadOptions options;
  options.source_name = "deploy.json";
  EXPECT_EQ(read("{", options), "parse error: deploy.json:1:2: unexpected end of JSON input");
}

TEST(JsonReader, ReplacesInvalidTextAsGoDoesWhenAsked) {
  ReadOptions options;
  options.text = TextPolicy::kReplace;
  EXPECT_EQ(read("[\"a\xff\xfe\", \"\\ud800\", \"\\ud83d\\ude00\", \"\\udc00\\ud800\"]", options),
            "[\"a\ufffd\ufffd\",\"\ufffd\",\"\U0001F600\",\"\ufffd\ufffd\"]");
}

TEST(JsonReader, RefusesDuplicateKeysNamingBothPlaces) {
  EXPECT_EQ(read("{\"x\":[{\"a\":1,\n \"b\":2, \"\\u0061\":3}]}"),
            "parse error: line 2 column 9: .x[0].a: duplicate key \"a\", first at 1:8");
}

TEST(JsonReader, KeepsTheFirstOrTheLastOfDuplicateKeysAndListsThem) {
  const std::string text = R"({"a":1,"b":{"c":1,"c":2,"c":3},"a":4})";
  ReadOptions options;
  options.duplicates = DuplicatePolicy::kFirstWins;
  EXPECT_EQ(read(text, options), R"({"a":1,"b":{"c":1}})");
  options.duplicates = DuplicatePolicy::kLastWins;
  const Document last = read_json(text, options).value();
  EXPECT_EQ(to_json(last.root()), R"({"a":4,"b":{"c":3}})");
  ASSERT_EQ(last.duplicates().size(), 3u);
  EXPECT_EQ(last.duplicates()[0].path.to_pointer(), "/b/c");
  EXPECT_EQ(last.duplicates()[0].first.column, 13u);
  EXPECT_EQ(last.duplicates()[0].second.column, 19u);
  EXPECT_EQ(last.duplicates()[2].path.to_pointer(), "/a");
  EXPECT_EQ(last.duplicates()[2].second.column, 32u);
}

TEST(JsonReader, FindsDuplicatesAmongManyKeys) {
  std::string text = "{";
  for (int i = 99; i >= 0; --i) text += fmt::format("\"k{}\":{},", i, i);
  text += "\"k50\":0}";
  ReadOptions options;
  options.duplicates = DuplicatePolicy::kLastWins;
  const Document document = read_json(text, options).value();
  EXPECT_EQ(document.root().size(), 100u);
  EXPECT_EQ(document.root().find("k50")->as_int(), 0);
  EXPECT_EQ(document.duplicates().size(), 1u);
}

struct NumberCase {
  NumberPolicy policy;
  const char* text;
  Type type;
  const char* printed;
};

TEST(JsonReader, ReadsNumbersByPolicy) {
  const NumberCase cases[] = {
      {NumberPolicy::kApi, "9223372036854775807", Type::kInt, "9223372036854775807"},
      {NumberPolicy::kApi, "-9223372036854775808", Type::kInt, "-9223372036854775808"},
      {NumberPolicy::kApi, "9223372036854775808", Type::kDouble, "9223372036854776000"},
      {NumberPolicy::kApi, "-0", Type::kInt, "0"},
      {NumberPolicy::kApi, "-0.0", Type::kDouble, "-0"},
      {NumberPolicy::kApi, "1.0", Type::kDouble, "1"},
      {NumberPolicy::kApi, "1e3", Type::kDouble, "1000"},
      {NumberPolicy::kApi, "1e-400", Type::kDouble, "0"},
      {NumberPolicy::kApi, "123456789012345678", Type::kInt, "123456789012345678"},
      {NumberPolicy::kWide, "18446744073709551615", Type::kUint, "18446744073709551615"},
      {NumberPolicy::kWide, "18446744073709551616", Type::kDouble, "18446744073709552000"},
      {NumberPolicy::kWide, "7", Type::kInt, "7"},
      {NumberPolicy::kDouble, "7", Type::kDouble, "7"},
      {NumberPolicy::kLiteral, "1.10", Type::kLiteral, "1.10"},
      {NumberPolicy::kLiteral, "1e999", Type::kLiteral, "1e999"},
  };
  for (const NumberCase& c : cases) {
    ReadOptions options;
    options.numbers = c.policy;
    const Result<Document> document = read_json(c.text, options);
    ASSERT_TRUE(document) << c.text;
    EXPECT_EQ(document->root().type(), c.type) << c.text;
    EXPECT_EQ(to_json(document->root()), c.printed) << c.text;
  }
}

TEST(JsonReader, HoldsItsLimitsAtTheEdge) {
  ReadOptions options;
  options.limits.depth = 3;
  EXPECT_EQ(read("[[[]]]", options), "[[[]]]");
  EXPECT_EQ(read("[[[[]]]]", options), "limit exceeded: line 1 column 4: nesting is deeper than 3");
  options = {};
  options.limits.bytes = 4;
  EXPECT_EQ(read("[12]", options), "[12]");
  EXPECT_EQ(read("[123]", options), "limit exceeded: input is longer than 4 bytes");
  options = {};
  options.limits.nodes = 3;
  EXPECT_EQ(read("[1,2]", options), "[1,2]");
  EXPECT_EQ(read("[1,2,3]", options),
            "limit exceeded: line 1 column 1: document has more than 3 values");
  options = {};
  options.limits.string_bytes = 3;
  EXPECT_EQ(read(R"({"abc":"xyz"})", options), R"({"abc":"xyz"})");
  EXPECT_EQ(read(R"(["wxyz"])", options),
            "limit exceeded: line 1 column 2: string is longer than 3 bytes");
  EXPECT_EQ(read(R"({"abcd":1})", options),
            "limit exceeded: line 1 column 2: string is longer than 3 bytes");
}

TEST(JsonReader, TakesTenThousandLevelsAndRefusesOneMore) {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  const Result<Document> document = read_json(deep);
  ASSERT_TRUE(document);
  EXPECT_EQ(to_json(document->root()), deep);
  Arena arena;
  EXPECT_TRUE(equal(document->root(), deep_copy(document->root(), arena)));
  EXPECT_FALSE(read_json("[" + deep + "]"));
}

TEST(JsonReader, LeavesPlainStringsWhereTheyStandWhenBorrowing) {
  const std::string text = R"({"key":"value","esc":"a\tb"})";
  const Document document = read_json_borrowed(text).value();
  const std::string_view value = document.root().find("key")->as_string();
  EXPECT_EQ(value.data(), text.data() + 8);
  EXPECT_EQ(document.root().find("esc")->as_string(), "a\tb");
}

TEST(JsonReader, KeepsThePositionOfEveryNodeWhenAsked) {
  ReadOptions options;
  options.positions = true;
  options.source_name = "x.json";
  const Document document =
      read_json("{\"b\": [1,\n  {\"c\": 2}],\n \"a\": null}", options).value();
  auto place = [&](const char* pointer) {
    FieldPath path;
    EXPECT_TRUE(FieldPath::parse_pointer(pointer, path));
    const Position p = document.position(path);
    return fmt::format("{}:{}@{}", p.line, p.column, p.offset);
  };
  EXPECT_EQ(place(""), "1:1@0");
  EXPECT_EQ(place("/b"), "1:7@6");
  EXPECT_EQ(place("/b/0"), "1:8@7");
  EXPECT_EQ(place("/b/1/c"), "2:9@18");
  EXPECT_EQ(place("/a"), "3:7@29");
  EXPECT_EQ(place("/b/1/missing"), "2:3@12") << "the nearest ancestor that is there";
  EXPECT_EQ(document.key_position(FieldPath() / "a").column, 2u);
  EXPECT_EQ(document.source_name(), "x.json");
}

TEST(JsonDocuments, AreReadOneAfterTheOther) {
  JsonReader reader("{\"a\":1}\n[2]3 4\n\"x\"\"y\"\n", {});
  std::string seen;
  for (std::size_t i = 0;; ++i) {
    Result<std::optional<Document>> next = reader.next();
    ASSERT_TRUE(next) << next.error().to_string();
    if (!*next) break;
    EXPECT_EQ((*next)->index(), i);
    seen += to_json((*next)->root()) + ";";
  }
  EXPECT_EQ(seen, "{\"a\":1};[2];3;4;\"x\";\"y\";");
}

TEST(JsonDocuments, KnowTheirPlaceInTheFile) {
  JsonReader reader("{}\n\n  [1]", {});
  ASSERT_TRUE(reader.next().value());
  EXPECT_EQ(reader.next().value()->start(), (Position{.offset = 6, .line = 3, .column = 3}));
}

TEST(JsonDocuments, EndAtTheFirstError) {
  JsonReader reader("{} {\"a\" x} {}", {});
  EXPECT_TRUE(reader.next().value().has_value());
  const auto failed = reader.next();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().to_string(), "line 1 column 9: invalid character 'x' after object key");
  EXPECT_FALSE(reader.next().value().has_value());
}

TEST(JsonDocuments, AreNoneInEmptyText) {
  EXPECT_FALSE(JsonReader("", {}).next().value().has_value());
  EXPECT_FALSE(JsonReader(" \n\t", {}).next().value().has_value());
}

TEST(JsonPush, ReportsADocumentsEndAsItComes) {
  struct Counter final : EventSink {
    int documents = 0;
    bool begin_object(const Position&) override { return true; }
    bool key(std::string_view, const Position&) override { return true; }
    bool end_object(const Position&) override { return true; }
    bool begin_array(const Position&) override { return true; }
    bool end_array(const Position&) override { return true; }
    bool scalar(const Value&, const Position&) override { return true; }
    bool end_document(const Position&) override { return ++documents < 3; }
  } counter;
  JsonPushParser parser(counter, {}, JsonPushParser::Documents::kMany);
  ASSERT_TRUE(parser.feed("{\"a\":1}\n{\"a\""));
  EXPECT_EQ(counter.documents, 1);
  ASSERT_TRUE(parser.feed(":2}"));
  EXPECT_EQ(counter.documents, 2);
  const Result<> stopped = parser.feed("[]");
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), Code::kCancelled);
}

TEST(JsonPush, WaitsForTheRestOfACharacterBehindAnEscape) {
  DocumentBuilder builder({});
  JsonPushParser parser(builder, {});
  for (const char c : std::string("[\"\\té\"]")) ASSERT_TRUE(parser.feed(std::string_view(&c, 1)));
  ASSERT_TRUE(parser.finish());
  EXPECT_EQ(to_json(builder.take().root()), "[\"\\té\"]");
}

// Texts that repeat in a large document are kept once; each must still be itself, also in the next
// document.
TEST(JsonPush, KeepsRepeatedKeysAndShortTexts) {
  DocumentBuilder builder({});
  for (const std::string mark : {"a", "b"}) {
    std::string text = "[";
    for (int i = 0; i < 400; ++i) {
      if (i != 0) text += ',';
      text +=
          fmt::format(R"({{"description":"{0}{1}","type":"{0}","x{1}":"{2}"}})", mark, i, i % 7);
    }
    text += ']';
    JsonPushParser parser(builder, {});
    for (std::size_t i = 0; i < text.size(); i += 11) {
      const std::string chunk = text.substr(i, 11);  // gone before the document is
      ASSERT_TRUE(parser.feed(chunk));
    }
    ASSERT_TRUE(parser.finish());
    EXPECT_EQ(to_json(builder.take().root()), text);
  }
}

TEST(JsonPush, BoundsAStringThatNeverEnds) {
  DocumentBuilder builder({});
  ReadOptions options;
  options.limits.string_bytes = 1000;
  JsonPushParser parser(builder, options);
  ASSERT_TRUE(parser.feed("\""));
  const std::string filler(64, 'x');
  Result<> fed;
  int chunks = 0;
  while (fed && ++chunks < 100) fed = parser.feed(filler);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code(), Code::kLimit);
  EXPECT_LT(chunks, 20);
}

}  // namespace
}  // namespace strake::value
