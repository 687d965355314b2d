#include "validate/passing_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "validate/classify.h"
#include "validate/phrases.h"
#include "value/json_writer.h"

namespace strake::validate {

using value::Value;

void PassingDocument::Size::scalar(const Value& v) {
  bytes += 1 + (v.is_string() ? v.size() + 2 : v.is_number() ? value::to_json(v).size() : 4);
}

PassingDocument::PassingDocument(std::unique_ptr<StreamJudge> judge, const CheckOptions& options)
    : judge_(std::move(judge)),
      options_(options),
      filter_(*judge_, value::DuplicatePolicy::kFirstWins, options.max_issues) {}

void PassingDocument::begin(bool object, const Position& at) {
  size_.begin();
  if (judging_) went_on(object ? filter_.begin_object(at) : filter_.begin_array(at));
}

void PassingDocument::end(bool object, const Position& at) {
  if (judging_) went_on(object ? filter_.end_object(at) : filter_.end_array(at));
}

void PassingDocument::key(std::string_view name, const Position& at) {
  size_.key(name);
  if (judging_) went_on(filter_.key(name, at));
}

void PassingDocument::scalar(const Value& v, const Position& at) {
  size_.scalar(v);
  if (judging_) went_on(filter_.scalar(v, at));
}

void PassingDocument::finish(bool update, DocumentResult& out) {
  if (too_large()) {
    out.truncated = true;
    out.status = Status::kInvalid;
    return add(too_large_fault(options_.max_bytes), out);
  }
  if (judging_) static_cast<void>(filter_.end_document({}));
  StreamFindings found = judge_->take();
  certain_ = found.certain;
  for (Fault& fault : found.faults) add(std::move(fault), out);
  total_ = found.total;
  add_duplicates(out);
  if (update) add_uncertain(say(Phrase::kUpdateNeedsWhole), {}, out);
  sort_findings(out.findings);
  const bool wrong = std::ranges::any_of(
      out.findings, [](const Finding& f) { return f.fault.severity == Severity::kError; });
  out.status = wrong ? Status::kInvalid : certain_ ? Status::kValid : Status::kUnknown;
  out.output_passed = out.status == Status::kValid && judging_ && found.projected;
}

void PassingDocument::limit(DocumentResult& out) const {
  if (total_ <= options_.max_issues && total_ <= out.findings.size()) return;
  out.truncated = true;
  if (out.findings.size() > options_.max_issues) out.findings.resize(options_.max_issues);
  Fault rest{.issue = Issue::kTruncated,
             .severity = out.status == Status::kInvalid ? Severity::kError : Severity::kWarning,
             .message = say(Phrase::kMoreFindings, total_ - out.findings.size()),
             .params = {{"limit", "\"issues\""}, {"total", fmt::format("{}", total_)}}};
  out.findings.push_back({.fault = std::move(rest)});
}

void PassingDocument::add(Fault fault, DocumentResult& out) {
  ++total_;
  out.findings.push_back({.fault = std::move(fault)});
  out.findings.back().path = out.findings.back().fault.path;
}

void PassingDocument::add_uncertain(std::string message, FieldPath path, DocumentResult& out) {
  certain_ = false;
  add({.issue = Issue::kBufferExceeded,
       .severity = Severity::kWarning,
       .path = std::move(path),
       .message = std::move(message)},
      out);
}

void PassingDocument::add_duplicates(DocumentResult& out) {
  const bool silent = options_.duplicates == DuplicateKeys::kLastWins ||
                      options_.duplicates == DuplicateKeys::kFirstWins;
  const bool error = options_.duplicates == DuplicateKeys::kError;
  for (const value::DuplicateKey& duplicate : filter_.duplicates()) {
    if (silent) break;
    add(duplicate_key_fault(duplicate, duplicate.path,
                            error ? Severity::kError : Severity::kWarning),
        out);
    out.findings.back().position = duplicate.second;
  }
  // In a stream the last value cannot win: the first has been judged when it comes.
  const bool last_wins = options_.duplicates == DuplicateKeys::kWarn ||
                         options_.duplicates == DuplicateKeys::kLastWins;
  if (!last_wins || filter_.duplicates().empty()) return;
  add_uncertain(say(Phrase::kFirstKeyChecked), filter_.duplicates().front().path, out);
}

}  // namespace strake::validate
