// What expressions are estimated to cost, and what they cost when they run.
#include <gtest/gtest.h>

#include "cel/compile.h"
#include "cel/cost/cost_estimate.h"
#include "cel/cost/cost_runtime.h"
#include "cel/lib/k8s_environment.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/library.h"
#include "cel/value/shape_type.h"
#include "value/json_reader.h"

namespace strake::cel {
namespace {

// An object with a text of up to 100, a number, a list of up to 10 texts and a map of up to 5.
struct Data {
  Data() {
    list.type = make.list(&types::string);
    map.type = make.map(&types::string, &types::string);
    root.type = make.object("data", &root);
  }
  Arena arena;
  TypeFactory make{arena};
  DocumentShape text{.kind = DocumentShape::Kind::kString, .type = &types::string};
  DocumentShape number{.kind = DocumentShape::Kind::kInt, .type = &types::integer};
  DocumentShape list{.kind = DocumentShape::Kind::kList, .element = &text};
  DocumentShape map{.kind = DocumentShape::Kind::kMap, .element = &text};
  DocumentField fields[4] = {{"list", "list", &list},
                             {"map", "map", &map},
                             {"number", "number", &number},
                             {"text", "text", &text}};
  DocumentShape root{.kind = DocumentShape::Kind::kObject, .fields = fields};
};

class Sizes final : public SizeEstimator {
 public:
  std::uint64_t max_size(const DocumentShape& shape) const override {
    switch (shape.kind) {
      case DocumentShape::Kind::kString: return 100;
      case DocumentShape::Kind::kList: return 10;
      case DocumentShape::Kind::kMap: return 5;
      default: return 0;
    }
  }
};

class Cost : public ::testing::Test {
 protected:
  const Environment& environment() {
    static const Library none("none");
    static const Environment out(libraries_of(kThisKubernetes, none), kubernetes_options());
    return out;
  }
  Ast checked(std::string_view text) {
    auto ast = parse(text, environment());
    if (!ast) ADD_FAILURE() << ast.error().to_string();
    if (auto result = check(*ast, scope_); !result) {
      ADD_FAILURE() << result.error().to_string(ast->source);
    }
    return *std::move(ast);
  }
  CostRange estimate(std::string_view text) {
    return estimate_cost(checked(text), data_.root, Sizes());
  }
  std::uint64_t actual(std::string_view text, std::string_view json) {
    const auto document = value::read_json(std::string(json)).value();
    const Program program = plan(checked(text), scope_, {.cost_of = kubernetes_call_cost});
    Arena arena;
    const Value self = Value::from_node(document.root(), &data_.root, arena);
    CostTracker cost;
    EXPECT_FALSE(program.evaluate({.variables = {&self, 1}, .cost = &cost}, arena).is_error())
        << text;
    return cost.total;
  }

  Data data_;
  Variable self_{"self", type_at(data_.root, "data", data_.make)};
  Scope scope_{.environment = &environment(), .variables = {&self_, 1}};
};

using Range = CostRange;

TEST_F(Cost, OfLookingIsOneForEachStep) {
  EXPECT_EQ(estimate("self.number > 1"), (Range{3, 3}));
  EXPECT_EQ(estimate("has(self.text)"), (Range{1, 1}));
  EXPECT_EQ(estimate("self.list[0] == ''"), (Range{3, 3}));
  EXPECT_EQ(actual("self.number > 1", R"({"number": 2})"), 3u);
  EXPECT_EQ(actual("has(self.text)", R"({})"), 1u);
}

TEST_F(Cost, OfComparingTextsIsATenthOfTheShorter) {
  EXPECT_EQ(estimate("self.text == self.list[0]"), (Range{6, 15}));
  EXPECT_EQ(estimate("self.text == 'abcdefghijk'"), (Range{3, 4}));
  EXPECT_EQ(actual("self.text == 'abcdefghijk'", R"({"text": "abcdefghijklmnopqrstuvwxyz"})"), 4u);
  EXPECT_EQ(actual("self.text == 'abcdefghijk'", R"({"text": ""})"), 2u);
}

TEST_F(Cost, OfShortCircuitsStartsAtTheFirstOperand) {
  EXPECT_EQ(estimate("self.number > 1 && self.number > 2"), (Range{3, 6}));
  EXPECT_EQ(actual("self.number > 1 && self.number > 2", R"({"number": 0})"), 3u);
  EXPECT_EQ(estimate("true ? self.number : 1"), (Range{0, 2}));
}

TEST_F(Cost, OfALoopGrowsWithTheRange) {
  // Each round: the condition looks at the accumulator, the step too, and at the predicate.
  EXPECT_EQ(estimate("self.list.all(x, x == '')"), (Range{3, 43}));
  EXPECT_EQ(actual("self.list.all(x, x == '')", R"({"list": ["", ""]})"), 11u);
  EXPECT_EQ(estimate("self.map.all(k, k == '')"), (Range{3, 23}));
}

TEST_F(Cost, OfUnknownSizesIsUnbounded) {
  EXPECT_EQ(estimate("self.text.split(',').map(x, x + x).size() > 2").max > 1000, true);
  EXPECT_EQ(estimate("dyn(self.text).contains(string(self.number))").max, kUnbounded);
}

TEST_F(Cost, OfLibraryCallsFollowsTheirSizes) {
  EXPECT_EQ(estimate("self.text.contains('ab')"), (Range{2, 12}));
  EXPECT_EQ(estimate("self.text.matches('^[a-z]+$')"), (Range{4, 24}));
  EXPECT_EQ(estimate("self.text.startsWith('abcdefghijk')"), (Range{4, 4}));
  EXPECT_EQ(estimate("self.text.upperAscii()"), (Range{2, 12}));
  EXPECT_EQ(estimate("self.text.replace('a', 'bc')"), (Range{2, 22}));
  EXPECT_EQ(estimate("self.list.join(',')"), (Range{2, 103}));
  EXPECT_EQ(estimate("self.list.isSorted()"), (Range{2, 112}));
  EXPECT_EQ(estimate("isIP(self.text)"), (Range{2, 12}));
  EXPECT_EQ(estimate("ip('1.2.3.4') == ip('::1')"), (Range{3, 3}));
  EXPECT_EQ(estimate("cidr('1.2.3.4/5').containsIP('1.2.3.4')"), (Range{3, 6}));
  EXPECT_EQ(estimate("quantity(self.text).isGreaterThan(quantity('1'))"), (Range{4, 14}));
  EXPECT_EQ(estimate("self.number in [1, 2, 3]"), (Range{15, 15}));
  EXPECT_EQ(estimate("sets.contains(self.list, ['a'])"), (Range{13, 23}));
  EXPECT_EQ(estimate("self.list.distinct().size() == 1"), (Range{15, 215}));
}

TEST_F(Cost, OfLibraryCallsWhenTheyRun) {
  const std::string_view json = R"({"text": "abcdefghijk", "list": ["b", "a"]})";
  EXPECT_EQ(actual("self.text.contains('ab')", json), 4u);
  EXPECT_EQ(actual("self.text.matches('^[a-z]+$')", json), 6u);
  EXPECT_EQ(actual("self.text.upperAscii() == ''", json), 4u);
  EXPECT_EQ(actual("self.text.replace('a', 'b') == ''", json), 5u);
  EXPECT_EQ(actual("self.list.isSorted()", json), 2u);
  EXPECT_EQ(actual("self.list.indexOf('c') < 0", json), 3u);
  EXPECT_EQ(actual("isIP(self.text)", json), 4u);
  EXPECT_EQ(actual("sets.contains(self.list, ['a'])", json), 5u);
  EXPECT_EQ(actual("self.list.sort() == ['a', 'b']", json), 22u);
}

TEST_F(Cost, EndsAnEvaluationAtItsLimit) {
  const auto document = value::read_json(R"({"number": 1})").value();
  const Program program =
      plan(checked("lists.range(1000).all(x, lists.range(1000).all(y, self.number >= 0)) || true"),
           scope_, {.cost_of = kubernetes_call_cost});
  Arena arena;
  const Value self = Value::from_node(document.root(), &data_.root, arena);
  CostTracker cost{.limit = 10'000};
  const Value result = program.evaluate({.variables = {&self, 1}, .cost = &cost}, arena);
  ASSERT_TRUE(result.is_error());
  EXPECT_EQ(result.as_error().message, "operation cancelled: actual cost limit exceeded");
  EXPECT_LT(cost.total, 12'000u);
}

TEST_F(Cost, EndsAnEvaluationThatIsInterrupted) {
  // Due at the third question.
  class Third final : public Interrupt {
   public:
    bool is_due() const override { return ++asked_ >= 3; }
    std::uint32_t asked() const { return asked_; }

   private:
    mutable std::uint32_t asked_ = 0;
  };
  const auto document = value::read_json(R"({"number": 1})").value();
  Arena outer;
  const Value self = Value::from_node(document.root(), &data_.root, outer);
  // Loops over constants cost next to nothing, and must end all the same.
  for (const char* text :
       {"lists.range(1000).all(x, lists.range(1000).all(y, self.number >= 0)) || true",
        "lists.range(1000).all(x, true)"}) {
    const Program program = plan(checked(text), scope_, {.cost_of = kubernetes_call_cost});
    Arena arena;
    Third interrupt;
    CostTracker cost{.interrupt = &interrupt};
    const Value result = program.evaluate({.variables = {&self, 1}, .cost = &cost}, arena);
    ASSERT_TRUE(result.is_error()) << text;
    EXPECT_EQ(result.as_error().message, "operation interrupted") << text;
    EXPECT_TRUE(cost.interrupted);
    EXPECT_EQ(interrupt.asked(), 3u) << "nothing is asked once it is over";
  }
}

TEST(CostRange, StopsAtTheLargestNumber) {
  EXPECT_EQ(CostRange::unknown() + CostRange::exactly(1), (CostRange{1, kUnbounded}));
  EXPECT_EQ(CostRange::unknown() * CostRange::exactly(3), (CostRange{0, kUnbounded}));
  EXPECT_EQ(scaled(kUnbounded, 2), kUnbounded);
  EXPECT_EQ(scaled(11, 0.1), 2u);
}

}  // namespace
}  // namespace strake::cel
