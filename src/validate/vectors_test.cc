// Real manifests through the front end, against what kube-apiserver v1.36.4 said to each under
// strict field validation.
#include "support/vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "support/files.h"
#include "validate/checker.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::validate {
namespace {

namespace fs = std::filesystem;
using value::Value;

// The recording gave every manifest without a name the name x, and sent JSON that was made of the
// YAML: duplicate keys were gone by then.
bool is_not_in_recording(const Finding& finding) {
  return finding.fault.issue == Issue::kDuplicateKey ||
         (finding.fault.issue == Issue::kRequired && finding.fault.field == "metadata.name");
}

std::set<std::string> found_messages(const FileResult& result) {
  std::set<std::string> out;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& finding : document.findings) {
      if (finding.fault.severity != Severity::kError || is_not_in_recording(finding)) continue;
      const std::string& field = finding.fault.field;
      out.insert(field.empty() ? finding.fault.message : field + ": " + finding.fault.message);
    }
  }
  return out;
}

std::set<std::string> recorded_causes(const Value& status) {
  std::set<std::string> out;
  const Value* details = status.find("details");
  const Value* causes = details != nullptr ? details->find("causes") : nullptr;
  if (causes == nullptr) return out;
  for (const Value& cause : causes->items()) {
    out.insert(std::string(text_of(cause, "field")) + ": " +
               std::string(text_of(cause, "message")));
  }
  return out;
}

// unknown field "a", duplicate field "b": one each.
std::set<std::string> strict_errors(std::string_view message) {
  std::set<std::string> out;
  constexpr std::string_view kHead = "strict decoding error: ";
  const std::size_t start = message.find(kHead);
  if (start == std::string_view::npos) return {std::string(message)};
  message.remove_prefix(start + kHead.size());
  while (!message.empty()) {
    const std::size_t end = std::min(message.find("\", "), message.size() - 1) + 1;
    out.insert(std::string(message.substr(0, end)));
    message.remove_prefix(std::min(end + 2, message.size()));
  }
  return out;
}

struct Case {
  std::string file;
  value::Document verdict;
  FileResult result;
};

// Checked once for all tests.
class RecordedManifests : public ::testing::Test {
 protected:
  struct Run {
    std::vector<Case> cases;
    std::vector<std::string> refused_crds;
    fs::path folder;
  };

  static void SetUpTestSuite() {
    const auto crds = testing::vectors_or_corpus("crds");
    const auto crs = testing::vectors_or_corpus("crs");
    if (!crds || !crs) return;
    run_ = std::make_unique<Run>();
    run_->folder = *crs;
    const rules::Engine engine;
    rules::CrdRules crd_rules;
    Catalog catalog(
        {.unknown = UnknownFields::kStrict, .rules = &engine, .rule_compiler = &crd_rules});
    const std::vector<fs::path> files = testing::files_in(*crds, ".yaml");
    ASSERT_EQ(files.size(), testing::count_in(*crds, 204U, 2U));
    for (const fs::path& file : files) {
      const auto count = catalog.add(file.filename().string(),
                                     std::make_shared<const std::string>(testing::read_file(file)));
      ASSERT_TRUE(count) << count.error().to_string();
      EXPECT_EQ(*count, 1U) << file;
    }
    const std::string lines = testing::read_file(*crs / "verdicts.jsonl");
    value::JsonReader reader(lines, {});
    const Checker checker(catalog, nullptr, {.duplicates = DuplicateKeys::kError});
    while (true) {
      auto next = reader.next();
      ASSERT_TRUE(next) << next.error().to_string();
      if (!*next) break;
      const std::string file(text_of((*next)->root(), "file"));
      FileResult result = checker.check(file, testing::read_file(*crs / file));
      run_->cases.push_back({file, *std::move(*next), std::move(result)});
    }
    for (const Catalog::Refused& one : catalog.refused_files())
      run_->refused_crds.push_back(one.file);
  }
  static void TearDownTestSuite() { run_.reset(); }

  void SetUp() override {
    if (!run_) GTEST_SKIP() << "no recordings 'crds' and 'crs': set STRAKE_VECTORS";
  }

  template <typename Body>
  void for_each(Body body) {
    for (const Case& one : run_->cases) body(one.verdict.root(), one.file, one.result);
  }

  static inline std::unique_ptr<Run> run_;
};

TEST_F(RecordedManifests, CheckCleanWhenTheServerTookThem) {
  int clean = 0;
  for_each([&](const Value& verdict, const std::string& file, const FileResult& result) {
    if (verdict.find("code")->as_int() != 201) return;
    const std::set<std::string> found = found_messages(result);
    EXPECT_TRUE(found.empty()) << file << ": " << *found.begin();
    EXPECT_FALSE(result.unreadable) << file;
    clean += found.empty();
  });
  EXPECT_EQ(clean, testing::count_in(run_->folder, 1277, 4));
  EXPECT_EQ(run_->refused_crds, std::vector<std::string>());
}

TEST_F(RecordedManifests, HaveTheServersFindingsWhenItRefusedThem) {
  int agreed = 0;
  for_each([&](const Value& verdict, const std::string& file, const FileResult& result) {
    const std::int64_t code = verdict.find("code")->as_int();
    if (code == 201) return;
    const Value& status = *verdict.find("status");
    std::set<std::string> found = found_messages(result);
    std::set<std::string> want = recorded_causes(status);
    if (code == 400) {
      // The server stops there; the checker goes on and may find more.
      want = strict_errors(text_of(status, "message"));
      std::erase_if(found, [&](const std::string& text) { return !want.contains(text); });
    }
    agreed += found == want;
    for (const std::string& text : want) {
      if (!found.contains(text)) ADD_FAILURE() << file << "\n  lacks " << text;
    }
    for (const std::string& text : found) {
      if (!want.contains(text)) ADD_FAILURE() << file << "\n  has " << text;
    }
  });
  EXPECT_EQ(agreed, testing::count_in(run_->folder, 242, 5));
}

TEST_F(RecordedManifests, HaveDuplicateKeysThatTheServerNeverSaw) {
  std::vector<std::string> seen;
  for_each([&](const Value&, const std::string& file, const FileResult& result) {
    for (const DocumentResult& document : result.documents) {
      for (const Finding& finding : document.findings) {
        if (finding.fault.issue == Issue::kDuplicateKey)
          seen.push_back(file + ": " + finding.fault.message);
      }
    }
  });
  if (testing::is_corpus(run_->folder)) {
    EXPECT_EQ(seen, std::vector<std::string>{"pumps.water.corpus.example.com/003.yaml: duplicate "
                                             "field \"spec.mode\""});
    return;
  }
  const std::vector<std::string> want = {
      "appprojects.argoproj.io/010.yaml: duplicate field \"spec.destinations[0].namespace\"",
      "prometheuses.monitoring.coreos.com/012.yaml: duplicate field \"status\""};
  EXPECT_EQ(seen, want);
}

TEST_F(RecordedManifests, AllHavePlacesInTheirFiles) {
  for_each([&](const Value&, const std::string& file, const FileResult& result) {
    for (const DocumentResult& document : result.documents) {
      for (const Finding& finding : document.findings) {
        ASSERT_TRUE(finding.position) << file << ": " << finding.fault.message;
        // A key that is reported stands at the place.
        if (finding.fault.issue != Issue::kUnknownKey) continue;
        const std::string& key = finding.fault.path.steps().back().name;
        const std::string_view at = finding.fragment;
        EXPECT_TRUE(at.starts_with(key) || at.substr(1).starts_with(key))
            << file << ": " << finding.fault.message << " at " << at;
      }
    }
  });
}

}  // namespace
}  // namespace strake::validate
