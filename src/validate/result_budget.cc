#include "validate/result_budget.h"

#include "validate/classify.h"
#include "validate/phrases.h"

namespace strake::validate {
namespace {

void count_unlisted(const Finding& finding, FileResult& file) {
  ++(finding.fault.severity == Severity::kError ? file.unlisted_errors : file.unlisted_warnings);
}

// Stands where the list of findings ends.
Finding rest_finding() {
  Finding out{.fault = {.issue = Issue::kTruncated,
                        .severity = Severity::kWarning,
                        .message = say(Phrase::kRestNotListed),
                        .hint = say(Phrase::kRaiseMaxFindings)}};
  out.fault.params = {{"limit", json_text("findings")}};
  return out;
}
bool tells_of_rest(const Finding& finding) {
  return finding.fault.issue == Issue::kTruncated &&
         finding.fault.message == text_of(Phrase::kRestNotListed).english;
}

// All findings of a file become numbers.
void unlist_findings(FileResult& file) {
  for (DocumentResult& document : file.documents) {
    for (const Finding& finding : document.findings) {
      if (!tells_of_rest(finding)) count_unlisted(finding, file);
    }
    document.findings = {};
    document.truncated = true;
  }
}

}  // namespace

std::uint64_t text_size(const Finding& finding) {
  const Fault& fault = finding.fault;
  std::uint64_t sum = 0;
  for (const std::string* text :
       {&fault.field, &fault.message, &fault.hint, &fault.reason, &fault.schema_path, &fault.rule,
        &finding.file, &finding.source_line, &finding.fragment})
    sum += text->size();
  for (const Param& param : fault.params) sum += param.name.size() + param.json.size();
  for (const FieldPath* path : {&fault.path, &finding.path}) {
    for (const FieldPath::Step& step : path->steps()) sum += sizeof step + step.name.size();
  }
  return sum;
}

void ResultBudget::list(DocumentResult& document, FileResult& file) {
  ++documents_;
  // A file that had a budget of its own may say so already; that is none of its findings.
  bool tells = std::erase_if(document.findings, tells_of_rest) > 0 && !full_;
  auto rest = document.findings.begin();
  for (; rest != document.findings.end() && !full_; ++rest) {
    const std::uint64_t text = text_size(*rest);
    if (findings_ == limits_.findings || text > limits_.text - text_) break;
    text_ += text;
    ++findings_;
  }
  if (rest != document.findings.end()) {
    for (auto at = rest; at != document.findings.end(); ++at) count_unlisted(*at, file);
    document.findings.erase(rest, document.findings.end());
    document.findings.shrink_to_fit();
    document.truncated = true;
    tells = tells || !full_;
    full_ = true;
  }
  if (!tells) return;
  // The list ends here, for the files behind this one too.
  document.findings.push_back(rest_finding());
  full_ = true;
}

DocumentResult too_many_documents(std::size_t place, std::size_t limit) {
  DocumentResult out{.document = place, .status = Status::kError, .truncated = true};
  Finding finding{.fault = {.issue = Issue::kTruncated,
                            .message = say(Phrase::kTooManyDocuments, limit),
                            .hint = say(Phrase::kRaiseMaxDocuments)}};
  finding.fault.params = {{"limit", json_text("documents")}};
  out.findings.push_back(std::move(finding));
  return out;
}

RunBudget::RunBudget(const ResultLimits& limits, std::size_t files)
    : limits_(limits), tree_(files) {}

RunBudget::Sums RunBudget::size_of(const FileResult& result) {
  Sums out{.documents = result.documents.size()};
  for (const DocumentResult& document : result.documents) {
    out.findings += document.findings.size();
    for (const Finding& finding : document.findings) out.text += text_size(finding);
  }
  return out;
}

// Files finish in any order, but the list must be cut as if they came in order. A Fenwick tree over
// the file indexes gives the sums of all files before this one that are done, in O(log n). These
// sums only grow, so what is dropped here would be dropped at the end as well; settle() makes the
// exact cut.
void RunBudget::add(std::size_t index, FileResult& result) {
  const Sums own = size_of(result);
  Sums before;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t at = index; at < tree_.size(); at |= at + 1) {
      tree_[at].documents += own.documents;
      tree_[at].findings += own.findings;
      tree_[at].text += own.text;
    }
    for (std::size_t at = index; at > 0; at &= at - 1) {
      before.documents += tree_[at - 1].documents;
      before.findings += tree_[at - 1].findings;
      before.text += tree_[at - 1].text;
    }
  }
  if (before.documents > limits_.documents) {
    std::size_t known = end_.load();
    while (index < known && !end_.compare_exchange_weak(known, index)) {
    }
    result.documents = std::vector<DocumentResult>();
    return;
  }
  if (before.findings > limits_.findings || before.text > limits_.text) unlist_findings(result);
}

void RunBudget::settle(std::vector<FileResult>& results) const {
  ResultBudget budget(limits_);
  for (std::size_t i = 0; i < results.size(); ++i) {
    FileResult& file = results[i];
    for (std::size_t d = 0; d < file.documents.size(); ++d) {
      if (!budget.has_room()) {
        const std::size_t place = file.documents[d].document;
        file.documents.resize(d);
        file.documents.push_back(too_many_documents(place, limits_.documents));
        file.unreadable = true;
        results.resize(i + 1);
        return;
      }
      budget.list(file.documents[d], file);
    }
  }
}

}  // namespace strake::validate
