#include "cli/cel/cel_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Answered {
  ExitCode code;
  std::string out;
  std::string err;
};

Answered cel_run(std::vector<std::string> args, std::string input = "") {
  FakeWorld world(std::move(input));
  args.insert(args.begin(), "cel");
  const ExitCode code = world.run(args);
  return {code, world.out.text(), world.err.text()};
}

constexpr std::string_view kSchema = R"(
openAPIV3Schema:
  type: object
  properties:
    spec:
      type: object
      properties:
        min: {type: integer}
        max: {type: integer, default: 5}
        names:
          type: array
          maxItems: 10
          items: {type: string, maxLength: 5}
      x-kubernetes-validations:
      - rule: self.min <= self.max
        message: min must not pass max
      - rule: self.min >= oldSelf.min
)";

class CelOverFiles : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string schema_ = folder_.write("schema.yaml", kSchema);
  std::string self_ = folder_.write("self.yaml", "spec: {min: 3, names: [a, bb]}\n");
  std::string old_ = folder_.write("old.json", R"({"spec": {"min": 4}})");
};

TEST(Cel, PrintsTheValueOfAnExpression) {
  EXPECT_EQ(cel_run({"1 + 2"}).out, "3\n");
  EXPECT_EQ(cel_run({"'a' + 'b'"}).out, "\"ab\"\n");
  EXPECT_EQ(cel_run({"self.a[1]", "--self", "-"}, "a: [1, two]\n").out, "\"two\"\n");
}

TEST(Cel, PrintsValuesAsDocuments) {
  EXPECT_EQ(cel_run({"{'b': [1], 'a': [2]}", "-o", "yaml"}).out, "a:\n- 2\nb:\n- 1\n");
  EXPECT_EQ(cel_run({"['a']", "-o", "json"}).out, "[\n  \"a\"\n]\n");
  EXPECT_EQ(cel_run({"duration('90s')", "-o", "json"}).out, "\"90s\"\n");
  EXPECT_EQ(cel_run({"b'a'", "-o", "json"}).out, "\"YQ==\"\n");
  EXPECT_EQ(cel_run({"self", "--self", "-", "-o", "yaml"}, "{b: 1, a: 2}").out, "a: 2\nb: 1\n");
}

TEST(Cel, SaysByItsExitCodeWhetherItHolds) {
  EXPECT_EQ(cel_run({"1 < 2"}).code, ExitCode::kFine);
  EXPECT_EQ(cel_run({"1 > 2"}).code, ExitCode::kFindings);
  EXPECT_EQ(cel_run({"1 / 0"}).code, ExitCode::kFindings);
  EXPECT_EQ(cel_run({"1 +"}).code, ExitCode::kInput);
}

TEST(Cel, PointsAtWhatDoesNotCompile) {
  const Answered got = cel_run({"1 + self.a"});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err,
              StartsWith("ERROR: <input>:1:5: undeclared reference to 'self' (in container '')\n"
                         " | 1 + self.a\n | ....^\n"));
  EXPECT_EQ(got.out, "");
}

TEST(Cel, TracesEverySubExpressionWhenTheResultIsFalse) {
  const Answered got =
      cel_run({"self.a > 1 && self.b > 2 && self.c", "--self", "-"}, "{a: 2, b: 1, c: true}");
  EXPECT_EQ(got.out, "false\n");
  EXPECT_EQ(got.err,
            " | self.a > 1 && self.b > 2 && self.c\n"
            " |               ^^^^^^^^^^ is false\n"
            "  self.a > 1 && self.b > 2 && self.c  false\n"
            "    self.a > 1 && self.b > 2          false\n"
            "      self.a > 1                      true\n"
            "        self.a                        2\n"
            "          self                        {\"a\": 2, \"b\": 1, \"c\": true}\n"
            "      self.b > 2                      false\n"
            "        self.b                        1\n"
            "          self                        {\"a\": 2, \"b\": 1, \"c\": true}\n"
            "    self.c                            not evaluated\n"
            "      self                            not evaluated\n");
}

TEST(Cel, TracesWhereAnEvaluationFailed) {
  const Answered got = cel_run({"self.a == 1 || self.x.y == 2", "--self", "-"}, "a: 2\n");
  EXPECT_EQ(got.out, "");
  EXPECT_THAT(got.err, StartsWith("error: no such key: x\n"
                                  " | self.a == 1 || self.x.y == 2\n"
                                  " |                ^^^^^^ no such key: x\n"));
}

TEST(Cel, ShowsTheRoundsOfALoop) {
  const Answered got = cel_run({"[1, 2, 3, 4].all(x, x < 3)"});
  EXPECT_THAT(got.err, HasSubstr("^^^^^ is false\n"));
  EXPECT_THAT(got.err, HasSubstr("true, true, false  (3 times)\n"));
  EXPECT_THAT(cel_run({"[1, 2, 3, 4, 5, 6, 7].exists(x, x > 9)"}).err,
              HasSubstr("1, 2, 3, 4, …, 7  (7 times)\n"));
}

TEST_F(CelOverFiles, ChecksTypesAgainstTheSchema) {
  EXPECT_EQ(cel_run({"self.min + 1", "--path", ".spec", "--schema", schema_, "--self", self_}).out,
            "4\n");
  const Answered got =
      cel_run({"self.min + 'a'", "--path", ".spec", "--schema", schema_, "--self", self_});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err, StartsWith("ERROR: <input>:1:10: found no matching overload for '_+_' "
                                  "applied to '(int, string)'\n"));
  EXPECT_THAT(cel_run({"self.spec.nix", "--schema", schema_, "--self", self_}).err,
              StartsWith("ERROR: <input>:1:10: undefined field 'nix'\n"));
}

TEST_F(CelOverFiles, SeesDefaultsAsTheServerDoes) {
  EXPECT_EQ(cel_run({"self.spec.max", "--schema", schema_, "--self", self_}).out, "5\n");
}

TEST_F(CelOverFiles, ComparesWithTheOldDocument) {
  EXPECT_EQ(cel_run({"oldSelf.spec.min - self.spec.min", "--self", self_, "--old", old_}).out,
            "1\n");
}

TEST(Cel, KeepsControlCharactersFromTheTerminal) {
  EXPECT_THAT(cel_run({"1 + \x1b[2J"}).err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(cel_run({"'\\u001b[2J' + 'x'"}).out, Not(HasSubstr("\x1b")));
}

TEST_F(CelOverFiles, SeesDataThatBreaksItsSchema) {
  const std::string wrong = folder_.write("wrong.yaml", "spec: {min: many, names: 3}\n");
  const Answered got = cel_run({"self.spec.min + 1 > 0", "--schema", schema_, "--self", wrong});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.err, StartsWith("error: "));
}

TEST_F(CelOverFiles, ExplainsTypesAndCosts) {
  const Answered got = cel_run({"self.names.all(n, n != 'x')", "--path", ".spec", "--schema",
                                schema_, "--self", self_, "--explain"});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, StartsWith("types\n"
                                  "  self.names.all(n, n != 'x')  bool\n"
                                  "    self.names                 list(string)\n"));
  EXPECT_THAT(got.out, HasSubstr("  estimated  "));
  EXPECT_THAT(got.out, HasSubstr("of the limit of 10000000\n"));
  EXPECT_THAT(got.out, HasSubstr("  at run time  "));
}

TEST_F(CelOverFiles, ExplainsWithoutADocument) {
  const Answered got = cel_run({"size(self.spec.names)", "--schema", schema_, "--explain"});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, HasSubstr("size(self.spec.names)  int\n"));
  EXPECT_THAT(got.out, Not(HasSubstr("run time")));
  EXPECT_EQ(cel_run({"size(self.spec.names)", "--schema", schema_}).err,
            "error: the expression looks at self: name a document with --self\n");
}

TEST_F(CelOverFiles, ExplainsAsADocument) {
  const Answered got = cel_run({"1 + 2", "--explain", "-o", "yaml"});
  EXPECT_THAT(got.out, HasSubstr("  runtime: 1\n"));
  EXPECT_THAT(got.out, HasSubstr("  source: 1 + 2\n  type: int\n"));
  EXPECT_THAT(got.out, HasSubstr("value: 3\n"));
}

TEST_F(CelOverFiles, RunsTheRulesOfTheSchema) {
  EXPECT_EQ(cel_run({"--rules", "--schema", schema_, "--self", self_}).out, "accepted\n");
  const Answered update = cel_run({"--rules", "--schema", schema_, "--self", self_, "--old", old_});
  EXPECT_EQ(update.code, ExitCode::kFindings);
  EXPECT_THAT(update.out,
              HasSubstr("error: spec: Invalid value: failed rule: self.min >= oldSelf.min\n"));
  const std::string high = folder_.write("high.yaml", "spec: {min: 9}\n");
  const Answered json = cel_run({"--rules", "--schema", schema_, "--self", high, "-o", "json"});
  EXPECT_THAT(json.out, HasSubstr("\"message\": \"Invalid value: min must not pass max\""));
  EXPECT_THAT(json.out, HasSubstr("\"accepted\": false"));
}

TEST_F(CelOverFiles, RefusesWhatMakesNoSense) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"1", "--rules", "--schema", schema_, "--self", self_},
           {"--rules", "--self", self_},
           {"--rules", "--schema", schema_},
           {"1", "--version", "v1"},
           {"1", "--version", "v1", "--schema", schema_},
           {"self", "--self", "-", "--old", "-"},
           {"self", "--self", self_, "--path", ".nix"},
           {"self", "--self", self_, "--path", "..[x"},
           {"self", "--self", folder_.path().string() + "/missing.yaml"},
           {"1", "--old", old_},
           {"--explain"},
           {"--self", "-"}}) {
    const Answered got = cel_run(args, "{}");
    EXPECT_EQ(got.code, ExitCode::kInput) << args.front();
    EXPECT_THAT(got.err, StartsWith("error: ")) << args.front();
  }
}

constexpr std::string_view kTwoGardens =
    "{kind: Garden, metadata: {name: kitchen}, beds: 3}\n---\n{beds: 0}\n";

TEST(Cel, EvaluatesForEachDocument) {
  const Answered got = cel_run({"self.beds > 1", "--self", "-"}, std::string(kTwoGardens));
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_EQ(got.out, "Garden/kitchen: true\ndocument 2: false\n");
  EXPECT_THAT(got.err, StartsWith("document 2: false\n | self.beds > 1\n"));
  EXPECT_EQ(cel_run({"self.beds >= 0", "--self", "-"}, std::string(kTwoGardens)).code,
            ExitCode::kFine);
  EXPECT_EQ(cel_run({"self.beds", "--self", "-", "-o", "yaml"}, std::string(kTwoGardens)).out,
            "3\n---\n0\n");
  EXPECT_THAT(cel_run({"self.kind", "--self", "-"}, std::string(kTwoGardens)).err,
              StartsWith("error: document 2: no such key: kind\n"));
}

TEST(Cel, SaysOnceThatAnExpressionDoesNotCompile) {
  const Answered got = cel_run({"self.beds >", "--self", "-"}, std::string(kTwoGardens));
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_EQ(got.out, "");
  EXPECT_EQ(got.err.find("ERROR"), got.err.rfind("ERROR"));
}

TEST_F(CelOverFiles, ExplainsAndJudgesEachDocument) {
  const std::string two = folder_.write("two.yaml", "spec: {min: 3}\n---\nspec: {min: 9}\n");
  const Answered judged = cel_run({"--rules", "--schema", schema_, "--self", two});
  EXPECT_EQ(judged.code, ExitCode::kFindings);
  EXPECT_EQ(judged.out,
            "document 1: accepted\n"
            "error: document 2: spec: Invalid value: min must not pass max\n");
  const Answered explained = cel_run({"self.spec.min", "--self", two, "--explain"});
  EXPECT_THAT(explained.out, StartsWith("document 1\ntypes\n"));
  EXPECT_THAT(explained.out, HasSubstr("\ndocument 2\ntypes\n"));
}

TEST_F(CelOverFiles, WantsOneDocumentWhereOnlyOneMakesSense) {
  const std::string two = folder_.write("two.yaml", kTwoGardens);
  EXPECT_EQ(cel_run({"self", "--self", two, "--old", old_}).err,
            "error: --old needs one document in --self, got 2\n");
  EXPECT_EQ(cel_run({"self", "--self", self_, "--old", two}).err,
            "error: " + two + ": must hold one document, got 2\n");
  EXPECT_EQ(cel_run({"--self", two}, "1\n").err,
            "error: " + two + ": must hold one document, got 2\n");
  const std::string none = folder_.write("none.yaml", "");
  EXPECT_EQ(cel_run({"self", "--self", none}).err, "error: " + none + ": holds no document\n");
}

TEST_F(CelOverFiles, ReadsExpressionsFromAPipe) {
  const Answered got =
      cel_run({}, ":self " + self_ + "\n\n1 + 1\nself.spec.names\n:type size('a')\n:cost 1 + 2\n");
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, StartsWith("2 : int\n[\"a\", \"bb\"] : list\n  size('a')  int\n"));
  EXPECT_EQ(got.err, "");
}

TEST(CelRepl, GoesOnAfterAFault) {
  const Answered got = cel_run({}, "1 +\n:nix\n:self\n1 == 2\n7\n:quit\n8\n");
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_EQ(got.out, "false : bool\n7 : int\n");
  EXPECT_THAT(got.err, HasSubstr("error: unknown command :nix"));
  EXPECT_THAT(got.err, HasSubstr("error: :self needs a file\n"));
  EXPECT_EQ(cel_run({}, "1 == 2\n").code, ExitCode::kFindings);
}

}  // namespace
}  // namespace strake::cli
