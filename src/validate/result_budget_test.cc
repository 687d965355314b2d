#include "validate/result_budget.h"

#include <gtest/gtest.h>

#include "validate/checker.h"
#include "validate/test_crd.h"

namespace strake::validate {
namespace {

Finding finding(Severity severity, std::string message = "m") {
  return {.fault = {.severity = severity, .message = std::move(message)}};
}

FileResult file_with(std::size_t documents, std::size_t findings_each) {
  FileResult out{.file = "f"};
  for (std::size_t d = 0; d < documents; ++d) {
    DocumentResult& document = out.documents.emplace_back(DocumentResult{.document = d});
    document.findings.resize(findings_each, finding(Severity::kError));
  }
  return out;
}

std::vector<FileResult> settled(const ResultLimits& limits, std::vector<FileResult> files,
                                const std::vector<std::size_t>& order) {
  RunBudget budget(limits, files.size());
  for (const std::size_t i : order) {
    if (!budget.is_past(i)) budget.add(i, files[i]);
  }
  budget.settle(files);
  return files;
}

TEST(ResultBudget, CountsFindingsPastTheLimitAndSaysSoOnce) {
  ResultBudget budget({.findings = 3});
  FileResult file = file_with(3, 2);
  file.documents[2].findings[1].fault.severity = Severity::kWarning;
  for (DocumentResult& document : file.documents) budget.list(document, file);
  EXPECT_EQ(file.documents[0].findings.size(), 2);
  ASSERT_EQ(file.documents[1].findings.size(), 2);
  EXPECT_EQ(file.documents[1].findings[1].fault.issue, Issue::kTruncated);
  EXPECT_TRUE(file.documents[1].truncated);
  EXPECT_EQ(file.documents[2].findings.size(), 0);
  EXPECT_EQ(file.unlisted_errors, 2);
  EXPECT_EQ(file.unlisted_warnings, 1);
  EXPECT_TRUE(file.has_errors());
}

TEST(ResultBudget, CountsTheTextOfFindingsToo) {
  ResultBudget budget({.text = 100});
  FileResult file{.file = "f"};
  DocumentResult document;
  document.findings = {finding(Severity::kError, std::string(90, 'x')),
                       finding(Severity::kError, std::string(20, 'x')),
                       finding(Severity::kError, "short")};
  budget.list(document, file);
  ASSERT_EQ(document.findings.size(), 2);
  EXPECT_EQ(document.findings[1].fault.issue, Issue::kTruncated);
  EXPECT_EQ(file.unlisted_errors, 2);
}

TEST(ResultBudget, CountsWhatAFileHasLeftOutOnce) {
  FileResult file = file_with(1, 5);
  ResultBudget of_file({.findings = 3});
  of_file.list(file.documents[0], file);
  ResultBudget of_run({.findings = 3});
  of_run.list(file.documents[0], file);
  EXPECT_EQ(file.documents[0].findings.size(), 4);
  EXPECT_EQ(file.unlisted_errors + file.unlisted_warnings, 2);
}

TEST(RunBudget, GivesTheSameWhateverTheOrderOfTheFiles) {
  const ResultLimits limits{.documents = 9, .findings = 7};
  for (const std::vector<std::size_t>& order :
       {std::vector<std::size_t>{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 4, 1, 5, 2}}) {
    std::vector<FileResult> files;
    for (std::size_t i = 0; i < 6; ++i) files.push_back(file_with(2 + i % 2, 1));
    const auto results = settled(limits, std::move(files), order);
    ASSERT_EQ(results.size(), 4);  // 2 + 3 + 2 + 2 of 3 documents
    EXPECT_EQ(results[3].documents.size(), 3);
    EXPECT_TRUE(results[3].unreadable);
    EXPECT_EQ(results[3].documents[2].findings[0].fault.message,
              "more than 9 documents: this one and all behind it are not checked");
    EXPECT_EQ(results[2].count(Severity::kError), 2);
    EXPECT_EQ(results[3].unlisted_errors, 2);
  }
}

// Each file has been cut by a budget of its own, as the checker does.
TEST(RunBudget, EndsTheListOnceWhereFilesWereCutBefore) {
  const ResultLimits limits{.findings = 3};
  for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1}, {1, 0}}) {
    std::vector<FileResult> files;
    for (std::size_t i = 0; i < 2; ++i) {
      FileResult& file = files.emplace_back(file_with(2, 2));
      ResultBudget of_file(limits);
      for (DocumentResult& document : file.documents) of_file.list(document, file);
    }
    const auto results = settled(limits, std::move(files), order);
    EXPECT_EQ(results[0].count(Severity::kError), 3);
    EXPECT_EQ(results[0].count(Severity::kWarning), 1);
    EXPECT_EQ(results[1].count(Severity::kError) + results[1].count(Severity::kWarning), 0);
    EXPECT_EQ(results[0].unlisted_errors + results[1].unlisted_errors, 5);
  }
}

TEST(RunBudget, LeavesARunWithinItsLimitsAlone) {
  std::vector<FileResult> files;
  for (std::size_t i = 0; i < 2; ++i) files.push_back(file_with(2, 1));
  const auto results = settled({.documents = 4, .findings = 4}, std::move(files), {1, 0});
  ASSERT_EQ(results.size(), 2);
  for (const FileResult& file : results) {
    EXPECT_EQ(file.count(Severity::kError), 2);
    EXPECT_EQ(file.unlisted_errors, 0);
    EXPECT_FALSE(file.unreadable);
  }
}

TEST(CheckLimits, EndAFileWithTooManyDocuments) {
  const Catalog catalog({});
  const Checker checker(catalog, nullptr, {.results = {.documents = 3}});
  for (const std::string_view text :
       {"{}\n---\n{}\n---\n{}\n---\n{}\n---\n{}\n",
        "apiVersion: v1\nkind: List\nitems: [{}, {}, {}, {}, {}]\n"}) {
    const FileResult result = checker.check("a.yaml", text);
    ASSERT_EQ(result.documents.size(), 4) << text;
    EXPECT_EQ(result.documents.back().findings.at(0).fault.issue, Issue::kTruncated);
    EXPECT_TRUE(result.unreadable);
  }
  EXPECT_EQ(checker.check("a.yaml", "{}\n---\n{}\n---\n{}\n").documents.size(), 3);
}

}  // namespace
}  // namespace strake::validate
