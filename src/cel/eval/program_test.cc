// Programs over documents: shapes, cost, limits, observers.
#include "cel/eval/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cel/compile.h"
#include "cel/lib/library.h"
#include "cel/value/containers.h"
#include "cel/value/format_value.h"
#include "value/json_reader.h"

namespace strake::cel {
namespace {

const Environment& environment() {
  static const Library* const kLibraries[] = {&standard_library(), &optionals_library(),
                                              &strings_library(), &lists_library(),
                                              &bindings_library()};
  static const Environment env(kLibraries);
  return env;
}

// A schema as a rule sees it: an object with fields of every kind.
struct Schema {
  Arena arena;
  TypeFactory make{arena};
  DocumentShape integer{.kind = DocumentShape::Kind::kInt, .type = &types::integer};
  DocumentShape number{.kind = DocumentShape::Kind::kDouble, .type = &types::number};
  DocumentShape string{.kind = DocumentShape::Kind::kString, .type = &types::string};
  DocumentShape bytes{.kind = DocumentShape::Kind::kBytes, .type = &types::bytes};
  DocumentShape time{.kind = DocumentShape::Kind::kTimestamp, .type = &types::timestamp};
  DocumentShape date{.kind = DocumentShape::Kind::kDate, .type = &types::timestamp};
  DocumentShape duration{.kind = DocumentShape::Kind::kDuration, .type = &types::duration};
  DocumentShape strings{
      .kind = DocumentShape::Kind::kList, .type = make.list(&types::string), .element = &string};
  DocumentShape set{.kind = DocumentShape::Kind::kList,
                    .list_kind = DocumentShape::ListKind::kSet,
                    .type = make.list(&types::string),
                    .element = &string};
  DocumentField port_fields[2] = {{"name", "name", &string}, {"port", "port", &integer}};
  DocumentShape port{.kind = DocumentShape::Kind::kObject, .fields = port_fields};
  std::string_view port_keys[1] = {"name"};
  DocumentShape ports{.kind = DocumentShape::Kind::kList,
                      .list_kind = DocumentShape::ListKind::kMap,
                      .element = &port,
                      .keys = port_keys};
  DocumentShape labels{.kind = DocumentShape::Kind::kMap,
                       .type = make.map(&types::string, &types::string),
                       .element = &string};
  DocumentField fields[12] = {{"any", "any", &kDynShape},
                              {"bytes", "bytes", &bytes},
                              {"count", "count", &integer},
                              {"date", "date", &date},
                              {"for__dash__x", "for-x", &integer},
                              {"labels", "labels", &labels},
                              {"limit", "limit", &number},
                              {"ports", "ports", &ports},
                              {"set", "set", &set},
                              {"strings", "strings", &strings},
                              {"time", "time", &time},
                              {"wait", "wait", &duration}};
  DocumentShape root{.kind = DocumentShape::Kind::kObject, .fields = fields};

  Schema() {
    port.type = make.object("port", &port);
    ports.type = make.list(port.type);
    root.type = make.object("root", &root);
  }
};

// `self` and `old` are documents of the schema above.
std::string run(std::string_view expression, std::string_view self_json = "{}",
                std::string_view old_json = "{}", CostTracker* cost = nullptr) {
  static const Schema schema;
  const Variable variables[] = {{"self", schema.root.type}, {"old", schema.root.type}};
  const auto compiled =
      compile(expression, {.environment = &environment(), .variables = variables});
  if (!compiled) return compiled.error().to_string();
  const value::Document self = value::read_json(self_json).value();
  const value::Document old = value::read_json(old_json).value();
  Arena arena;
  const Value values[] = {Value::from_node(self.root(), &schema.root, arena),
                          Value::from_node(old.root(), &schema.root, arena)};
  return to_literal(compiled->program.evaluate({.variables = values, .cost = cost}, arena), arena);
}

TEST(CelDocuments, AreReadThroughTheirShapes) {
  EXPECT_EQ(run("self.count + 1", R"({"count": 2})"), "3");
  EXPECT_EQ(run("self.limit", R"({"limit": 2})"), "2");
  EXPECT_EQ(run("type(self.limit) == double", R"({"limit": 2})"), "true");
  EXPECT_EQ(run("self.bytes", R"({"bytes": "aGk="})"), R"(b"hi")");
  EXPECT_EQ(run("self.time.getFullYear()", R"({"time": "2024-05-06T07:08:09Z"})"), "2024");
  EXPECT_EQ(run("self.date.getDate()", R"({"date": "2024-05-06"})"), "6");
  EXPECT_EQ(run("self.wait > duration('1m')", R"({"wait": "90s"})"), "true");
  EXPECT_EQ(run("self.labels['a'] + self.labels.b", R"({"labels": {"a": "x", "b": "y"}})"),
            R"("xy")");
  EXPECT_EQ(run("self.ports[0].port", R"({"ports": [{"name": "a", "port": 80}]})"), "80");
  EXPECT_EQ(run("self.for__dash__x", R"({"for-x": 5})"), "5");
  EXPECT_EQ(run("self.any == 5 || self.any == '5'", R"({"any": "5"})"), "true");
  EXPECT_EQ(run("self.strings.map(s, s.size())", R"({"strings": ["a", "bcd"]})"), "[1, 3]");
  EXPECT_EQ(run("self.labels.all(k, k.startsWith('a'))", R"({"labels": {"a": "1", "ab": "2"}})"),
            "true");
}

TEST(CelDocuments, MissAbsentAndNullFieldsAlike) {
  EXPECT_EQ(run("has(self.count)", R"({"count": null})"), "false");
  EXPECT_EQ(run("has(self.count)", R"({"count": 0})"), "true");
  EXPECT_EQ(run("self.count", R"({"count": null})"), "error(no such key: count)");
  EXPECT_EQ(run("self.count"), "error(no such key: count)");
  EXPECT_EQ(run("self.?count.orValue(7)"), "7");
  EXPECT_EQ(run("self.?ports[?0].?port.hasValue()", R"({"ports": [{"port": 1}]})"), "true");
  EXPECT_EQ(run("self.strings[3]", R"({"strings": []})"), "error(index out of bounds: 3)");
}

TEST(CelDocuments, CompareSetsAndKeyedListsWithoutOrder) {
  EXPECT_EQ(run("self.strings == old.strings", R"({"strings": ["a", "b"]})",
                R"({"strings": ["b", "a"]})"),
            "false");
  EXPECT_EQ(run("self.set == old.set", R"({"set": ["a", "b"]})", R"({"set": ["b", "a"]})"), "true");
  EXPECT_EQ(run("self.set == old.set", R"({"set": ["a", "b"]})", R"({"set": ["b", "c"]})"),
            "false");
  EXPECT_EQ(run("self.set + old.set", R"({"set": ["a", "b"]})", R"({"set": ["c", "a"]})"),
            R"(["a", "b", "c"])");
  const std::string_view two = R"({"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]})";
  const std::string_view swapped =
      R"({"ports": [{"name": "b", "port": 2}, {"name": "a", "port": 1}]})";
  const std::string_view changed =
      R"({"ports": [{"name": "b", "port": 3}, {"name": "c", "port": 4}]})";
  EXPECT_EQ(run("self.ports == old.ports", two, swapped), "true");
  EXPECT_EQ(run("self.ports == old.ports", two, changed), "false");
  EXPECT_EQ(run("(self.ports + old.ports).map(p, p.port)", two, changed), "[1, 3, 4]");
  EXPECT_EQ(run("self == old", two, swapped), "true");
  EXPECT_EQ(run("self == old", R"({"count": 1, "extra": 1})", R"({"count": 1, "extra": 2})"),
            "false");
}

std::uint64_t cost_of(std::string_view expression, std::string_view self = "{}") {
  CostTracker cost;
  run(expression, self, "{}", &cost);
  return cost.total;
}

TEST(CelCost, CountsNamesSelectionsCallsAndLiterals) {
  EXPECT_EQ(cost_of("true"), 0u);
  EXPECT_EQ(cost_of("self.count", R"({"count": 1})"), 2u);
  EXPECT_EQ(cost_of("has(self.count)"), 1u);
  EXPECT_EQ(cost_of("self.count + 1", R"({"count": 1})"), 3u);
  EXPECT_EQ(cost_of("[self.count]", R"({"count": 1})"), 12u);
  EXPECT_EQ(cost_of("[1, 2]"), 0u);
  EXPECT_EQ(cost_of("{'a': self.count}", R"({"count": 1})"), 32u);
  EXPECT_EQ(cost_of("duration('1h')"), 0u);
  EXPECT_EQ(cost_of("false && self.count == 1", R"({"count": 1})"), 0u);
}

TEST(CelCost, EndsAnEvaluationThatNothingCanRescue) {
  CostTracker cost{.limit = 100};
  const std::string list =
      R"({"strings": ["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p"]})";
  EXPECT_EQ(
      run("self.strings.all(s, self.strings.all(t, s != t || s == t)) || true", list, "{}", &cost),
      "error(operation cancelled: actual cost limit exceeded)");
  EXPECT_TRUE(cost.exceeded());
  EXPECT_LT(cost.total, 200u);
}

TEST(CelLimits, RefuseDeepAndLongExpressions) {
  auto refused = [](const std::string& text) {
    const auto ast = parse(text, environment());
    return ast ? "accepted" : ast.error().to_string();
  };
  auto repeated = [](std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += piece;
    return out;
  };
  const std::string too_deep = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
  EXPECT_EQ(refused(repeated("(", 200) + "1" + repeated(")", 200)), "accepted");
  EXPECT_EQ(refused(repeated("(", 100'000 / 2 - 1) + "1" + repeated(")", 100'000 / 2 - 1)),
            too_deep);
  EXPECT_EQ(refused(repeated("[", 30'000)), too_deep);
  EXPECT_EQ(refused("1" + repeated("+1", 248)), "accepted");
  EXPECT_EQ(refused("1" + repeated("+1", 249)), too_deep);
  EXPECT_EQ(refused("1" + repeated("+1", 40'000)), too_deep);
  EXPECT_EQ(refused("a" + repeated(".a", 40'000)), too_deep);
  EXPECT_EQ(refused("true" + repeated("&&true", 10'000)), "accepted");
  EXPECT_EQ(refused(repeated("true?1:", 10'000) + "1"), too_deep);
  EXPECT_EQ(refused(repeated("!", 50'000) + "true"), "accepted");
  EXPECT_EQ(
      refused(std::string(100'001, ' ') + "1"),
      "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit 100000");
}

TEST(CelLimits, KeepJoinedListsFromGrowingWithoutBound) {
  std::string expression = "size(x0)";
  for (int i = 1; i <= 40; ++i)
    expression = fmt::format("cel.bind(x{0}, x{1} + x{1}, {2})", i - 1, i, expression);
  expression = fmt::format("cel.bind(x40, [1, 2, 3, 4, 5, 6, 7, 8], {})", expression);
  EXPECT_EQ(run(expression), "error(list too long)");
}

TEST(CelContainers, AppendInPlaceWithoutDisturbingOthers) {
  Arena arena;
  Value list = Value::list(new_list(0, arena), 0);
  for (int i = 0; i < 5000; ++i) list = list_append(list, Value::integer(i), arena);
  const Value longer = list_append(list, Value::integer(-1), arena);
  const Value other = list_append(list, Value::integer(-2), arena);
  EXPECT_EQ(list_size(list), 5000u);
  EXPECT_EQ(list_at(longer, 5000, arena).as_int(), -1);
  EXPECT_EQ(list_at(other, 5000, arena).as_int(), -2);
  EXPECT_EQ(list_at(other, 4999, arena).as_int(), 4999);
  Value map = new_map(0, arena);
  for (int i = 0; i < 1000; ++i)
    map = *map_insert(map, Value::integer(i), Value::integer(i * i), arena);
  const Value more = *map_insert(map, Value::string("x"), Value::integer(1), arena);
  EXPECT_FALSE(map_find(map, Value::string("x"), arena).has_value());
  EXPECT_EQ(map_find(more, Value::uinteger(31), arena)->as_int(), 961);
  EXPECT_EQ(map_find(more, Value::number(31.0), arena)->as_int(), 961);
  EXPECT_FALSE(map_insert(more, Value::uinteger(31), Value::null(), arena).has_value());
}

TEST(CelContainers, WalkConcatenatedLists) {
  Arena arena;
  std::vector<Value> items(2000, Value::integer(1));
  const Value big = Value::list(items, arena);
  const Value joined = list_concat(list_concat(big, big, arena), big, arena);
  ASSERT_NE(joined.concat_list(), nullptr);
  std::int64_t sum = 0;
  for (Cursor c(joined, arena); !c.done(); c.next()) sum += c.item().as_int();
  EXPECT_EQ(sum, 6000);
}

struct Recorder final : Observer {
  std::vector<std::string> seen;
  Arena arena;
  void on_value(std::uint32_t id, const Value& value) override {
    seen.push_back(fmt::format("{}: {}", id, to_literal(value, arena)));
  }
};

TEST(CelPrograms, FormatAsKubernetesDoes) {
  EXPECT_EQ(run("'%d|%s|%.2f'.format([5, 'x', 1.5])"), R"("5|x|1.50")");
  EXPECT_EQ(run("'%s'.format([['a', 1, 2.5, null, true]])"),
            R"("[\"a\", 1, 2.500000, null, true]")");
  EXPECT_EQ(run("'%s'.format([{'b': duration('1s'), 'a': b'x'}])"),
            R"("{\"a\":b\"x\", \"b\":duration(\"1s\")}")");
  EXPECT_EQ(run("'%s %f'.format([1e21, -1234567.5])"), R"("1e+21 -1,234,567.500000")");
  EXPECT_EQ(run("'%.1f %.0f'.format([999.96, 1000.0])"), R"("1,000.0 1,000")");
  EXPECT_EQ(run("'%e'.format([1052.032911275])"), "\"1.052033\\u202f\u00D7\\u202f10\u2070\u00B3\"");
  EXPECT_EQ(run("'%d'.format([1.5])"),
            "error(error during formatting: decimal clause can only be used on integers, was given "
            "double)");
}

TEST(CelPrograms, TellAnObserverTheValueOfEveryPart) {
  const auto compiled = compile("1 + 2 > 2", {.environment = &environment()}, {.observable = true});
  ASSERT_TRUE(compiled);
  Recorder recorder;
  Arena arena;
  compiled->program.evaluate({.observer = &recorder}, arena);
  EXPECT_EQ(recorder.seen, (std::vector<std::string>{"1: 1", "2: 2", "3: 3", "4: 2", "5: true"}));
}

TEST(CelPrograms, OutliveTheTreeTheyWerePlannedFrom) {
  Program program;
  {
    const auto compiled =
        compile("['a', 'b'].map(x, x + 'c')[1].matches('^bc$')", {.environment = &environment()});
    ASSERT_TRUE(compiled);
    program = compiled->program;
  }
  Arena arena;
  EXPECT_TRUE(program.evaluate({}, arena).is_true());
  EXPECT_TRUE(program.evaluate({}, arena).is_true());
}

TEST(CelPrograms, FindNothingInScalarsWhenNotStrict) {
  static const Library* const kLibraries[] = {&standard_library(), &optionals_library()};
  const Environment lenient(kLibraries, {.error_on_bad_presence_test = false});
  Arena arena;
  for (const char* text : {"!has(dyn(1).x)", "!dyn(1).?x.hasValue()", "!dyn(1)[?'x'].hasValue()",
                           "!optional.of(dyn(1)).x.hasValue()"}) {
    const auto compiled = compile(text, {.environment = &lenient});
    ASSERT_TRUE(compiled) << text;
    EXPECT_TRUE(compiled->program.evaluate({}, arena).is_true()) << text;
  }
}

TEST(CelPrograms, ReportVariablesThatWereNotGiven) {
  const Variable variables[] = {{"x", &types::integer}};
  const auto compiled =
      compile("x == 1 || true", {.environment = &environment(), .variables = variables});
  Arena arena;
  EXPECT_TRUE(compiled->program.evaluate({}, arena).is_true());
  const auto alone = compile("x", {.environment = &environment(), .variables = variables});
  EXPECT_EQ(to_literal(alone->program.evaluate({}, arena), arena),
            "error(no such attribute(s): x)");
}

}  // namespace
}  // namespace strake::cel
