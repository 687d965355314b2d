#pragma once
// How much of what was found is held. Results must not grow with the input: 200 kB of gzip can be
// 20 million documents, each with a finding.
//
// Findings past the limit are counted, not listed, and a run goes on. A run that has more documents
// than it may list ends there: what comes behind is not checked.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "validate/finding.h"

namespace strake::validate {

struct ResultLimits {
  std::size_t documents = 500'000;
  std::size_t findings = 100'000;
  std::uint64_t text = std::uint64_t{64} << 20;  // bytes of all findings together

  // As many findings, with room for text in proportion.
  void set_findings(std::size_t count) {
    text = std::max(text, std::uint64_t{count} * (text / findings));
    findings = count;
  }
};

// Bytes that a finding holds besides itself.
std::uint64_t text_size(const Finding& finding);

// Counts results as they are listed, in their order. One thread.
class ResultBudget {
 public:
  explicit ResultBudget(const ResultLimits& limits) : limits_(limits) {}

  // Whether one more document can be listed.
  bool has_room() const { return documents_ < limits_.documents; }
  // Lists a document of the file: findings that are too many are taken from it and counted in the
  // file. The first document that loses some says so.
  void list(DocumentResult& document, FileResult& file);

 private:
  ResultLimits limits_;
  std::size_t documents_ = 0;
  std::size_t findings_ = 0;
  std::uint64_t text_ = 0;
  bool full_ = false;  // no more findings are listed
};

// The error that stands where the listing of documents ends.
DocumentResult too_many_documents(std::size_t place, std::size_t limit);

// The results of a run over many files, which end in any order. What is certain to be past a limit
// goes at once; the rest is settled at the end, so that the outcome is the same whatever the
// threads do.
class RunBudget {
 public:
  RunBudget(const ResultLimits& limits, std::size_t files);

  // Whether the file stands behind the place where the run ends. Any thread.
  bool is_past(std::size_t index) const { return index > end_.load(std::memory_order_relaxed); }
  // A file was checked. Any thread, once for each file.
  void add(std::size_t index, FileResult& result);
  // The results in the order of the files, once all were added.
  void settle(std::vector<FileResult>& results) const;

 private:
  struct Sums {
    std::size_t documents = 0;
    std::size_t findings = 0;
    std::uint64_t text = 0;
  };
  static Sums size_of(const FileResult& result);

  ResultLimits limits_;
  std::atomic<std::size_t> end_ = SIZE_MAX;
  std::mutex mutex_;
  std::vector<Sums> tree_;  // guarded by mutex_: sums of ranges, as Fenwick's trees hold them
};

}  // namespace strake::validate
