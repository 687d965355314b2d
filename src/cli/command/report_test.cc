#include "cli/command/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

Report sample_report() {
  Report report{.command = "fmt", .files = {{"a b.yaml", 1}, {"ok.yaml", 2}}};
  ReportEntry error{
      .code = "parse-error", .message = "did not find <expected> \"key\"", .file = "a b.yaml"};
  error.position = Position{.offset = 5, .line = 2, .column = 3};
  error.path = FieldPath() / "spec" / "x";
  error.hint = "look & see";
  error.source_line = "  x: [";
  report.findings.push_back(error);
  ReportEntry warning{.code = "duplicate-key",
                      .severity = Severity::kWarning,
                      .message = "twice",
                      .file = "ok.yaml"};
  report.findings.push_back(warning);
  return report;
}

const value::Value& at(const value::Document& document, std::string_view pointer) {
  FieldPath path;
  EXPECT_TRUE(FieldPath::parse_pointer(pointer, path));
  const value::Value* found = document.at(path);
  static const value::Value nothing;
  EXPECT_NE(found, nullptr) << pointer;
  return found == nullptr ? nothing : *found;
}

// Of a line of ASCII the part around the column is cut out; others are read to it.
TEST(TextReport, ShowsTheSamePartOfALineWhateverIsBehindIt) {
  std::minstd_rand random(3);
  for (int i = 0; i < 2'000; ++i) {
    Report report = sample_report();
    ReportEntry& entry = report.findings[0];
    entry.source_line.clear();
    for (int at = 0; at < 600; ++at) entry.source_line += "a b:\t"[random() % 5];
    entry.position->column = 1 + random() % 300;
    const std::string plain = render(report, ReportFormat::kText, false);
    entry.source_line += "\u00e9";
    ASSERT_EQ(render(report, ReportFormat::kText, false), plain) << entry.position->column;
  }
}

TEST(TextReport, ShowsThePlaceTheLineAndACaret) {
  EXPECT_EQ(render(sample_report(), ReportFormat::kText, false),
            "a b.yaml:2:3: .spec.x: did not find <expected> \"key\"\n"
            "    2 |   x: [\n"
            "      |   ^\n"
            "      = look & see\n"
            "ok.yaml: warning: twice\n"
            "2 files, 3 documents: 1 error, 1 warning\n");
}

TEST(TextReport, SaysSoWhenAllIsFine) {
  EXPECT_EQ(render({.command = "fmt", .files = {{"a", 1}}}, ReportFormat::kText, false),
            "1 file, 1 document: all fine\n");
}

TEST(TextReport, NamesTheFilesWithoutFindingsWhenAsked) {
  Report report = sample_report();
  report.files.push_back({"fine.yaml", 1});
  report.list_files = true;
  EXPECT_THAT(render(report, ReportFormat::kText, false),
              EndsWith("ok.yaml: warning: twice\nok fine.yaml (1 document)\n3 files, 4 documents: "
                       "1 error, 1 warning\n"));
}

TEST(TextReport, KeepsTheCaretUnderTabsAndWideText) {
  ReportEntry finding{.message = "m", .file = "f"};
  finding.position = Position{.line = 1, .column = 5};
  finding.source_line = "\t\xc3\xbc\xc3\xbc\t!";
  EXPECT_EQ(render_text(finding, false),
            "f:1:5: m\n    1 | \t\xc3\xbc\xc3\xbc\t!\n      | \t  \t^\n");
}

TEST(TextReport, CutsALongLineToAWindowAroundThePlace) {
  ReportEntry finding{.message = "m", .file = "f"};
  finding.position = Position{.line = 1, .column = 5001};
  finding.source_line = std::string(5000, '-') + "!" + std::string(5000, '-');
  const std::string text = render_text(finding, false);
  EXPECT_LT(text.size(), 300u);
  EXPECT_THAT(text, HasSubstr("-!-"));
}

TEST(TextReport, PutsTheCaretAfterTheLineWhenThePlaceIsItsEnd) {
  ReportEntry finding{.message = "m", .file = "f"};
  finding.position = Position{.line = 1, .column = 3};
  finding.source_line = "ab";
  EXPECT_EQ(render_text(finding, false), "f:1:3: m\n    1 | ab\n      |   ^\n");
}

TEST(TextReport, IsColoredOnlyWhenAsked) {
  EXPECT_EQ(render(sample_report(), ReportFormat::kText, false).find('\x1b'), std::string::npos);
  EXPECT_NE(render(sample_report(), ReportFormat::kText, true).find('\x1b'), std::string::npos);
}

TEST(JsonReport, CarriesEveryPartOfAFinding) {
  const auto document = value::read_json(render(sample_report(), ReportFormat::kJson, true));
  ASSERT_TRUE(document) << document.error().to_string();
  EXPECT_EQ(at(*document, "/command").as_string(), "fmt");
  EXPECT_EQ(at(*document, "/findings/0/code").as_string(), "parse-error");
  EXPECT_EQ(at(*document, "/findings/0/severity").as_string(), "error");
  EXPECT_EQ(at(*document, "/findings/0/file").as_string(), "a b.yaml");
  EXPECT_EQ(at(*document, "/findings/0/line").as_int(), 2);
  EXPECT_EQ(at(*document, "/findings/0/column").as_int(), 3);
  EXPECT_EQ(at(*document, "/findings/0/path").as_string(), ".spec.x");
  EXPECT_EQ(at(*document, "/findings/0/hint").as_string(), "look & see");
  EXPECT_EQ(at(*document, "/summary/files").as_int(), 2);
  EXPECT_EQ(at(*document, "/summary/warnings").as_int(), 1);
}

TEST(JsonReport, MakesUtf8OfWhatIsNot) {
  Report report{.command = "fmt"};
  report.findings.push_back({.code = "c", .message = "m", .file = "\xff.yaml"});
  const auto document = value::read_json(render(report, ReportFormat::kJson, false));
  ASSERT_TRUE(document) << document.error().to_string();
  EXPECT_EQ(at(*document, "/findings/0/file").as_string(), "\xef\xbf\xbd.yaml");
}

TEST(YamlReport, IsTheJsonReportInYaml) {
  const auto json = value::read_json(render(sample_report(), ReportFormat::kJson, false));
  const auto yaml = value::read_yaml(render(sample_report(), ReportFormat::kYaml, false));
  ASSERT_TRUE(json);
  ASSERT_TRUE(yaml) << yaml.error().to_string();
  EXPECT_TRUE(value::identical(json->root(), yaml->root()));
}

TEST(SarifReport, HasARuleForEachCodeAndAPlaceForEachResult) {
  const auto document = value::read_json(render(sample_report(), ReportFormat::kSarif, false));
  ASSERT_TRUE(document) << document.error().to_string();
  EXPECT_EQ(at(*document, "/version").as_string(), "2.1.0");
  EXPECT_EQ(at(*document, "/runs/0/tool/driver/name").as_string(), "strake");
  EXPECT_EQ(at(*document, "/runs/0/tool/driver/rules/1/id").as_string(), "parse-error");
  EXPECT_EQ(at(*document, "/runs/0/results/0/ruleIndex").as_int(), 1);
  EXPECT_EQ(at(*document, "/runs/0/results/0/level").as_string(), "error");
  const std::string location = "/runs/0/results/0/locations/0";
  EXPECT_EQ(at(*document, location + "/physicalLocation/artifactLocation/uri").as_string(),
            "a%20b.yaml");
  EXPECT_EQ(at(*document, location + "/physicalLocation/region/startLine").as_int(), 2);
  EXPECT_EQ(at(*document, location + "/logicalLocations/0/fullyQualifiedName").as_string(),
            ".spec.x");
}

TEST(JunitReport, HasACaseForEachFileAndEscapesItsText) {
  const std::string text = render(sample_report(), ReportFormat::kJunit, true);
  EXPECT_THAT(text,
              HasSubstr("<testsuite name=\"strake fmt\" tests=\"2\" failures=\"1\" errors=\"0\">"));
  EXPECT_THAT(text, HasSubstr("message=\"did not find &lt;expected&gt; &quot;key&quot;\""));
  EXPECT_THAT(text, HasSubstr("<system-out>ok.yaml: warning: twice"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(JunitReport, LeavesOutWhatXmlCannotSay) {
  Report report{.command = "fmt", .files = {{"a\x01.yaml", 1}}};
  EXPECT_THAT(render(report, ReportFormat::kJunit, false),
              HasSubstr("name=\"a\xef\xbf\xbd.yaml\""));
}

TEST(JunitReport, HasACaseForEachResourceWhereTheyAreKnown) {
  Report report{.command = "validate", .files = {{"a", 2}, {"b", 0}}};
  report.resources = {{.file = "a", .name = "Pod/x"},
                      {.file = "a", .name = "Pod/y", .skipped = true, .reason = "why"}};
  report.findings.push_back({.code = "required", .message = "m", .file = "a", .resource = 0});
  report.findings.push_back({.code = "parse_error", .message = "m", .file = "a", .broken = true});
  const std::string text = render(report, ReportFormat::kJunit, false);
  EXPECT_THAT(text, HasSubstr("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">"));
  EXPECT_THAT(text, HasSubstr("classname=\"a\" name=\"Pod/x\">\n      <failure type=\"required\""));
  EXPECT_THAT(text, HasSubstr("name=\"Pod/y\">\n      <skipped message=\"why\"/>"));
  EXPECT_THAT(text, HasSubstr("classname=\"strake.validate\" name=\"b\"/>"));
  EXPECT_THAT(text, HasSubstr("name=\"a\">\n      <error type=\"parse_error\""));
}

TEST(GithubReport, EscapesWhatWorkflowCommandsGiveAMeaning) {
  Report report{.command = "fmt", .files = {{"a,b:c\r.yaml", 1}}};
  report.findings.push_back({.code = "odd:code",
                             .message = "100%\nof: it, all",
                             .file = "a,b:c\r.yaml",
                             .position = Position{.offset = 0, .line = 3, .column = 4},
                             .hint = "do it"});
  report.findings.push_back({.code = "c",
                             .severity = Severity::kNote,
                             .message = "m",
                             .file = "f",
                             .path = FieldPath() / "x"});
  EXPECT_EQ(
      render(report, ReportFormat::kGithub, true),
      "::error file=a%2Cb%3Ac%0D.yaml,line=3,col=4,title=odd%3Acode::100%25%0Aof: it, all (do "
      "it)\n::notice file=f,title=c::.x: m\n1 file, 1 document: 1 error, 1 note\n");
}

TEST(LineAt, FindsTheLineOfAnOffset) {
  EXPECT_EQ(line_at("ab\ncd\r\nef", {.offset = 0}), "ab");
  EXPECT_EQ(line_at("ab\ncd\r\nef", {.offset = 2}), "ab");
  EXPECT_EQ(line_at("ab\ncd\r\nef", {.offset = 3}), "cd");
  EXPECT_EQ(line_at("ab\ncd\r\nef", {.offset = 99}), "ef");
  EXPECT_EQ(line_at("", {.offset = 0}), "");
}

TEST(FindingFrom, TakesOverWhatTheErrorKnows) {
  const Error error =
      Error(Code::kParse, "oops").at(Position{.offset = 4, .line = 2, .column = 2}).in("f.yaml");
  const ReportEntry finding = entry_from(error, "other", "ab\ncd\n");
  EXPECT_EQ(finding.code, "parse-error");
  EXPECT_EQ(finding.file, "f.yaml");
  EXPECT_EQ(finding.source_line, "cd");
  EXPECT_EQ(finding.severity, Severity::kError);
}

TEST(TextReport, IndentsTheFurtherLinesOfAMessage) {
  ReportEntry finding{.message = "one\ntwo\r\n  three", .file = "f", .hint = "a\nb"};
  EXPECT_EQ(render_text(finding, false),
            "f: one\n        two\n          three\n      = a\n        b\n");
  EXPECT_EQ(with_code("one\ntwo", "odd"), "one [odd]\ntwo");
  EXPECT_EQ(with_code("one", "odd"), "one [odd]");
}

TEST(Report, NamesThePageThatExplainsACode) {
  Report report{.command = "crd lint"};
  report.findings.push_back({.code = "c", .message = "m", .file = "f", .help = "docs/x.md#c"});
  const auto json = value::read_json(render(report, ReportFormat::kJson, false));
  ASSERT_TRUE(json);
  EXPECT_EQ(at(*json, "/findings/0/help").as_string(), "docs/x.md#c");
  const auto sarif = value::read_json(render(report, ReportFormat::kSarif, false));
  ASSERT_TRUE(sarif);
  EXPECT_EQ(at(*sarif, "/runs/0/tool/driver/rules/0/help/text").as_string(), "see docs/x.md#c");
}

TEST(JunitReport, TellsErrorsFromFailuresAndSkippedFromPassed) {
  Report report{.command = "validate", .files = {{"a", 1}, {"b", 1}, {"c", 1}}};
  report.files[1].skipped = true;
  report.findings.push_back({.code = "parse_error", .message = "m", .file = "a", .broken = true});
  report.findings.push_back({.code = "required", .message = "m", .file = "c"});
  const std::string text = render(report, ReportFormat::kJunit, false);
  EXPECT_THAT(text, HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"1\">"));
  EXPECT_THAT(text, HasSubstr("name=\"a\">\n      <error type=\"parse_error\""));
  EXPECT_THAT(text, HasSubstr("name=\"b\">\n      <skipped/>\n"));
  EXPECT_THAT(text, HasSubstr("name=\"c\">\n      <failure type=\"required\""));
}

}  // namespace
}  // namespace strake::cli
