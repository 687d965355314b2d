#include "cli/fmt/fmt_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Printed {
  ExitCode code;
  std::string out;
  std::string err;
};

Printed fmt_run(std::vector<std::string> args, std::string input = "") {
  FakeWorld world(std::move(input));
  args.insert(args.begin(), "fmt");
  const ExitCode code = world.run(args);
  return {code, world.out.text(), world.err.text()};
}

TEST(Fmt, PrintsYamlWithSortedKeys) {
  const Printed got = fmt_run({"-"}, "b:   [1, two]\na: {z: true}\n");
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "a:\n  z: true\nb:\n- 1\n- two\n");
}

TEST(Fmt, KeepsTheFormatOfItsInput) {
  EXPECT_EQ(fmt_run({}, "{\"b\":1,\"a\":[]}").out, "{\n  \"a\": [],\n  \"b\": 1\n}\n");
  EXPECT_EQ(fmt_run({}, "{\"b\":1, \"a\":2}\n{\"c\": 3}\n").out, "{\"a\":2,\"b\":1}\n{\"c\":3}\n");
  EXPECT_EQ(fmt_run({}, "---\nb: 1\n---\na: 2\n").out, "b: 1\n---\na: 2\n");
}

TEST(Fmt, PrintsInTheFormatAskedFor) {
  EXPECT_EQ(fmt_run({"--to", "yaml"}, "{\"a\":{\"b\":1}}").out, "a:\n  b: 1\n");
  EXPECT_EQ(fmt_run({"--to=json"}, "a: 1\n---\nb: 2\n").out,
            "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}\n");
  EXPECT_EQ(fmt_run({"--to=ndjson"}, "a: 1\n---\nb: 2\n").out, "{\"a\":1}\n{\"b\":2}\n");
  EXPECT_EQ(fmt_run({"--to=json", "--compact"}, "a: 1\n").out, "{\"a\":1}\n");
  EXPECT_EQ(fmt_run({"--to=json", "--indent=4"}, "a: 1\n").out, "{\n    \"a\": 1\n}\n");
}

TEST(Fmt, KeepsTheValueOfLargeIntegers) {
  EXPECT_EQ(fmt_run({"--compact"}, "[18446744073709551615,-9223372036854775808,0.5]").out,
            "[18446744073709551615,-9223372036854775808,0.5]\n");
}

TEST(Fmt, DividesTheDocumentsOfSeveralFiles) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.yaml", "a: 1\n");
  const std::string b = folder.write("b.json", "{\"b\": 2}");
  EXPECT_EQ(fmt_run({a, b, a}).out, "a: 1\n---\n{\n  \"b\": 2\n}\n---\na: 1\n");
  EXPECT_EQ(fmt_run({"--to=ndjson", a, b}).out, "{\"a\":1}\n{\"b\":2}\n");
}

TEST(Fmt, PointsAtWhatItCannotRead) {
  const Printed got = fmt_run({"-"}, "{\"a\": 1,\n \"b\": }\n");
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_EQ(got.out, "");
  EXPECT_THAT(got.err, StartsWith("-:2:7: "));
  EXPECT_THAT(got.err, HasSubstr("    2 |  \"b\": }\n      |       ^\n"));
}

TEST(Fmt, PrintsTheOtherFilesWhenOneCannotBeRead) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("a.json", "{");
  const std::string good = folder.write("b.json", "{}");
  const Printed got = fmt_run({bad, good});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_EQ(got.out, "{}\n");
  EXPECT_THAT(got.err, StartsWith(bad + ":1:"));
}

TEST(Fmt, RefusesDuplicateKeysUnlessToldWhichToKeep) {
  const std::string text = "{\"a\":1,\"a\":2}";
  EXPECT_EQ(fmt_run({"--compact"}, text).code, ExitCode::kInput);
  const Printed first = fmt_run({"--compact", "--duplicates=first"}, text);
  EXPECT_EQ(first.out, "{\"a\":1}\n");
  EXPECT_THAT(first.err,
              HasSubstr("warning: .a: duplicate key at lines 1 and 1: the first is kept"));
  EXPECT_EQ(first.code, ExitCode::kFine);
  EXPECT_EQ(fmt_run({"--compact", "--duplicates=last"}, text).out, "{\"a\":2}\n");
}

TEST(Fmt, StopsAtItsLimits) {
  EXPECT_EQ(fmt_run({"--max-depth=2", "--compact"}, "[[]]").code, ExitCode::kFine);
  EXPECT_EQ(fmt_run({"--max-depth=2", "--compact"}, "[[[]]]").code, ExitCode::kInput);
  EXPECT_EQ(fmt_run({"--max-bytes=4", "--compact"}, "[[]]").code, ExitCode::kFine);
  const Printed got = fmt_run({"--max-bytes=4", "--compact"}, "[[]] ");
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err, HasSubstr("more than 4 bytes"));
}

TEST(Fmt, RefusesFlagsThatContradictEachOther) {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--check", "--write"},
                                             {"--to=json", "--check"},
                                             {"--to=json", "--write"},
                                             {"--compact", "--indent=2"},
                                             {"--indent=17"},
                                             {"-o", "json"},
                                             {"--drop-comments", "--check"},
                                             {"-v"},
                                             {"--write", "-"}}) {
    const Printed got = fmt_run(flags, "{}");
    EXPECT_EQ(got.code, ExitCode::kInput) << flags.front();
    EXPECT_THAT(got.err, StartsWith("error: ")) << flags.front();
  }
}

TEST(Fmt, AsksForFilesWhenItWouldWaitForATerminal) {
  FakeWorld world;
  world.io.in_is_terminal = true;
  EXPECT_EQ(world.run({"fmt"}), ExitCode::kInput);
  EXPECT_EQ(world.err.text(), "error: name files or folders, or - for standard input\n");
}

TEST(FmtCheck, PassesOverCanonicalFilesAndTheirComments) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "# A comment.\n\na: 1 # one\nb:\n- 2\n");
  folder.write("b.json", "{\n  \"a\": 1\n}\n");
  folder.write("c.ndjson", "{\"a\":1}\n{\"b\":2}\n");
  const Printed got = fmt_run({"--check", folder.path().string()});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "3 files, 4 documents: all fine\n");
}

TEST(FmtCheck, PointsAtTheFirstDifferenceOfEachFile) {
  const TemporaryFolder folder;
  const std::string name = folder.write("a.yaml", "# first\na: 1\nb:\n  - 2\n");
  const Printed got = fmt_run({"--check", name});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, StartsWith(name + ":4:1: not in canonical form\n    4 |   - 2\n"));
  EXPECT_THAT(got.out, EndsWith("1 file, 1 document: 1 error\n"));
}

TEST(FmtCheck, ShowsTheDifferenceWhenAsked) {
  const Printed got = fmt_run({"--diff"}, "b: 1\na: 2\n");
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("--- -\n+++ -\n@@ -1,2 +1,2 @@\n"));
  EXPECT_THAT(got.out, HasSubstr("-b: 1\n"));
  EXPECT_THAT(got.out, HasSubstr("+b: 1\n"));
}

TEST(FmtCheck, ReportsWhatItCannotReadAmongItsFindings) {
  const TemporaryFolder folder;
  folder.write("a.json", "{");
  folder.write("b.json", "{ }");
  const Printed got = fmt_run({"--check", "-o", "json", folder.path().string()});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("\"code\": \"parse-error\""));
  EXPECT_THAT(got.out, HasSubstr("\"code\": \"not-canonical\""));
  EXPECT_EQ(got.err, "");
}

TEST(FmtCheck, TakesATextWithoutDocumentsForCanonical) {
  EXPECT_EQ(fmt_run({"--check"}, "").code, ExitCode::kFine);
  EXPECT_EQ(fmt_run({"--check"}, "# nothing but this\n").code, ExitCode::kFine);
}

TEST(FmtWrite, RewritesOnlyWhatIsNotCanonical) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "b: 1\na: 2\n");
  folder.write("b.yaml", "a: 1\n");
  const Printed got = fmt_run({"-w", folder.path().string()});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "1 of 2 files rewritten\n");
  EXPECT_EQ(folder.read("a.yaml"), "a: 2\nb: 1\n");
  EXPECT_EQ(fmt_run({"--check", folder.path().string()}).code, ExitCode::kFine);
}

TEST(FmtWrite, KeepsCommentsWithWhatTheyBelongTo) {
  struct Case {
    std::string_view what, before, after;
  };
  constexpr Case kCases[] = {
      {"behind a value", "b: 1\na: 2 # why\n", "a: 2 # why\nb: 1\n"},
      {"above a key", "# of b\nb: 1\n# of a\na: 2\n", "# of a\na: 2\n# of b\nb: 1\n"},
      {"about the document", "# Licence\n\nb: 1\na: 2\n", "# Licence\n\na: 2\nb: 1\n"},
      {"at the end", "b: 1\na: 2\n\n# the end\n", "a: 2\nb: 1\n\n# the end\n"},
      {"in a nested map", "b:\n    # of d\n    d: 1\n    c: {x: 2} # of c\na: 2\n",
       "a: 2\nb:\n  c: # of c\n    x: 2\n  # of d\n  d: 1\n"},
      {"in a list", "a:\n  # first\n  - 1 # one\n  # second\n  - 2\n",
       "a:\n# first\n- 1 # one\n# second\n- 2\n"},
      {"of a field that becomes the first of its item", "a:\n- c: 1\n  # of b\n  b: 2\n",
       "a:\n# of b\n- b: 2\n  c: 1\n"},
      {"at the head of a block text", "b: | # text\n  # not a comment\na: 2\n",
       "a: 2\nb: | # text\n  # not a comment\n"},
      {"behind a scalar that was in another style", "b: 'x' # quoted\na: \"y\"\n",
       "a: \"y\"\nb: x # quoted\n"},
      {"between documents", "b: 1 # one\na: 2\n---\n# two\nd: 3\nc: 4\n",
       "a: 2\nb: 1 # one\n---\nc: 4\n# two\nd: 3\n"},
      {"before the first document", "# Licence\n---\nb: 1\na: 2\n", "# Licence\n\na: 2\nb: 1\n"},
      {"below a field that moves", "b: 1\n# below b\n\na: 2\n", "a: 2\nb: 1\n# below b\n"},
      {"that starts as another one", "b: 1 # mode\na: 2 # mode of a\n",
       "a: 2 # mode of a\nb: 1 # mode\n"},
      {"of items of a flow list", "b: [ # list\n  1, # one\n  2 ]\na: 2\n", ""},
  };
  for (const Case& one : kCases) {
    const TemporaryFolder folder;
    const std::string name = folder.write("a.yaml", one.before);
    const Printed got = fmt_run({"-w", name});
    EXPECT_EQ(got.code, ExitCode::kFine) << one.what << got.err;
    const std::string after = folder.read("a.yaml");
    if (!one.after.empty()) EXPECT_EQ(after, one.after) << one.what;
    EXPECT_EQ(fmt_run({name}).out, after) << one.what;
    EXPECT_EQ(fmt_run({"--check", name}).code, ExitCode::kFine) << one.what << after;
    EXPECT_EQ(fmt_run({"-w", name}).out, "0 of 1 file rewritten\n") << one.what;
    EXPECT_EQ(fmt_run({"-w", "--drop-comments", name}).code, ExitCode::kFine) << one.what;
    EXPECT_EQ(folder.read("a.yaml"), fmt_run({"--drop-comments", name}).out) << one.what;
  }
}

TEST(FmtWrite, LeavesAFileAloneWhoseCommentsCannotBeKept) {
  const TemporaryFolder folder;
  const std::string text = "x: &x {a: 1}\ny:\n  # of the merge\n  <<: *x\nb: 2\n";
  const std::string name = folder.write("a.yaml", text);
  const Printed refused = fmt_run({"-w", name});
  EXPECT_EQ(refused.code, ExitCode::kInput);
  EXPECT_THAT(refused.err, StartsWith(name + ":3:3: not rewritten: a comment here has no place in "
                                             "the canonical form\n"));
  EXPECT_THAT(refused.err, HasSubstr("--drop-comments"));
  EXPECT_EQ(folder.read("a.yaml"), text);
  const Printed printed = fmt_run({name});
  EXPECT_EQ(printed.code, ExitCode::kFine);
  EXPECT_THAT(printed.err, HasSubstr("warning: printed without comments: "));
  EXPECT_EQ(fmt_run({"-w", "--drop-comments", name}).code, ExitCode::kFine);
  EXPECT_EQ(folder.read("a.yaml"), printed.out);
}

TEST(FmtWrite, LeavesAFileThatIsCanonicalButForItsComments) {
  const TemporaryFolder folder;
  const std::string text = "# why\na: 1\n";
  const std::string name = folder.write("a.yaml", text);
  EXPECT_EQ(fmt_run({"-w", name}).code, ExitCode::kFine);
  EXPECT_EQ(folder.read("a.yaml"), text);
}

TEST(FmtWrite, LeavesAFileItCannotReadAsItWas) {
  const TemporaryFolder folder;
  const std::string name = folder.write("a.json", "{\"a\": ");
  EXPECT_EQ(fmt_run({"-w", name}).code, ExitCode::kInput);
  EXPECT_EQ(folder.read("a.json"), "{\"a\": ");
}

}  // namespace
}  // namespace strake::cli
