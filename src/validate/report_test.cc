#include "validate/report.h"

#include <gtest/gtest.h>

#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::validate {
namespace {

std::vector<FileResult> sample() {
  Finding finding{.fault = {.issue = Issue::kTooBig,
                            .path = FieldPath() / "spec" / "a",
                            .field = "spec.a",
                            .message = "Invalid value: 3",
                            .hint = "less",
                            .params = {{"maximum", "2"}},
                            .reason = "FieldValueInvalid"},
                  .path = FieldPath() / "items" / 1 / "spec" / "a",
                  .position = Position{.offset = 30, .line = 4, .column = 5},
                  .source_line = "  a: 3",
                  .fragment = "3"};
  std::vector<FileResult> results(2);
  results[0].file = "a.yaml";
  results[0].documents.push_back(
      {.document = 2, .items = {1}, .api_version = "v1", .kind = "K", .name = "n"});
  results[0].documents[0].status = Status::kInvalid;
  results[0].documents[0].findings.push_back(finding);
  results[1].file = "b.yaml";
  results[1].documents.push_back({.document = 0, .status = Status::kSkipped});
  return results;
}

TEST(Report, IsTheSameWhetherItIsWrittenInPiecesOrAsOneDocument) {
  std::vector<std::vector<FileResult>> cases(3);
  cases[1] = sample();
  cases[2] = sample();
  cases[2][0].file = "results: []\n\n  \"results\": []";
  cases[2][0].documents[0].findings[0].fault.message = "one\n  two\n\nresults: []\n";
  cases[2][1].passed_over = NotManifest::kHelmChart;
  cases[2][1].file = "results: []\n";
  for (const auto& results : cases) {
    const value::Document whole = report_document(results, {});
    for (const ReportText text : {ReportText::kJson, ReportText::kYaml}) {
      std::string written;
      write_report(results, {}, text, [&](std::string_view piece) { written += piece; });
      EXPECT_EQ(written, text == ReportText::kJson
                             ? value::to_json(whole.root(), {.indent = 2}) + "\n"
                             : value::to_yaml(whole.root()));
    }
  }
}

TEST(Report, HasEverythingThatMachinesAsk) {
  EXPECT_EQ(value::to_json(report_document(sample(), {}).root(), {.indent = 1}),
            R"({
 "results": [
  {
   "apiVersion": "v1",
   "document": 2,
   "file": "a.yaml",
   "issues": [
    {
     "code": "too_big",
     "fieldPath": "spec.a",
     "fragment": "3",
     "hint": "less",
     "k8s": {
      "detail": "Invalid value: 3",
      "type": "FieldValueInvalid"
     },
     "message": "Invalid value: 3",
     "params": {
      "maximum": 2
     },
     "path": "/items/1/spec/a",
     "severity": "error",
     "source": {
      "column": 5,
      "document": 2,
      "file": "a.yaml",
      "line": 4,
      "offset": 30
     }
    }
   ],
   "items": [
    1
   ],
   "kind": "K",
   "name": "n",
   "status": "invalid"
  },
  {
   "document": 0,
   "file": "b.yaml",
   "issues": [],
   "status": "skipped"
  }
 ],
 "summary": {
  "documents": 2,
  "errors": 0,
  "invalid": 1,
  "skipped": 1,
  "truncated": 0,
  "valid": 0
 },
 "version": 1
})");
}

TEST(ShownPath, FollowsTheOption) {
  const Finding finding = sample()[0].documents[0].findings[0];
  EXPECT_EQ(shown_path(finding, PathRender::kK8s), "spec.a");
  EXPECT_EQ(shown_path(finding, PathRender::kPointer), "/items/1/spec/a");
  EXPECT_EQ(shown_path(finding, PathRender::kBoth), "spec.a (/items/1/spec/a)");
}

TEST(ShownPath, IsThePlaceThatAMessageNamesWhenTheServerHasNone) {
  Finding finding = sample()[0].documents[0].findings[0];
  finding.fault.field = "<nil>";
  EXPECT_EQ(shown_path(finding, PathRender::kK8s), "spec.a");
}

}  // namespace
}  // namespace strake::validate
