#include "cli/webhook/webhook_judge.h"

#include <fmt/format.h>

#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using validate::Fault;

using value::text_of;
using value::Value;

// Names for messages and for the reader: what comes is JSON.
const std::string kObjectFile = "object.json";
const std::string kOldFile = "oldObject.json";

// The policies, asked about one request. Remembers what they say, since that is worded otherwise.
class RequestReviewer final : public validate::Reviewer {
 public:
  RequestReviewer(const OfflinePolicies& policies, const Value& request)
      : policies_(policies), request_(request) {}

  std::vector<Fault> review(const validate::Subject& subject) const override {
    std::vector<Fault> out = policies_.review(subject, &request_);
    // An object with faults is judged again, to find their places.
    denials_.clear();
    for (const Fault& one : out) {
      if (one.severity == validate::Severity::kError) denials_.push_back(one.message);
    }
    return out;
  }
  const std::vector<std::string>& denials() const { return denials_; }

 private:
  const OfflinePolicies& policies_;
  const Value& request_;
  mutable std::vector<std::string> denials_;
};

std::string text_of_fault(const Fault& fault) {
  return fault.field.empty() ? fault.message : fmt::format("{}: {}", fault.field, fault.message);
}

// "[a, b]", or "a" alone.
std::string listed(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? texts.front() : fmt::format("[{}]", fmt::join(texts, ", "));
}

meta::Status status_about(const Value& request, const Value& object, std::string message) {
  meta::Status out;
  out.code = 422;
  out.reason = "Invalid";
  out.message = std::move(message);
  out.details.name = meta::ObjectMeta::of(object).name();
  out.details.group = text_of(request.get("kind"), "group");
  out.details.kind = text_of(request.get("kind"), "kind");
  return out;
}

// As a server that has the schema words it.
meta::Status invalid(const Value& request, const Value& object,
                     const std::vector<const Fault*>& faults) {
  const meta::GroupKind kind{std::string(text_of(request.get("kind"), "group")),
                             std::string(text_of(object, "kind"))};
  std::vector<std::string> texts;
  for (const Fault* one : faults) texts.push_back(text_of_fault(*one));
  meta::Status out = status_about(request, object,
                                  fmt::format("{} \"{}\" is invalid: {}", kind.to_string(),
                                              meta::ObjectMeta::of(object).name(), listed(texts)));
  for (const Fault* one : faults) {
    out.details.causes.push_back({.reason = one->reason.empty() ? "FieldValueInvalid" : one->reason,
                                  .message = one->message,
                                  .field = one->field});
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<const WebhookJudge>> WebhookJudge::load(const ValidateOptions& options,
                                                               const DiskFiles& files, Io& io) {
  auto out = std::make_shared<WebhookJudge>(options, files, io);
  STRAKE_CHECK(out->load());
  return out;
}

Result<> WebhookJudge::load() {
  STRAKE_CHECK(run_.run());
  const auto fail_with = [](const validate::FileResult& file) -> Result<> {
    for (const validate::DocumentResult& document : file.documents) {
      for (const validate::Finding& one : document.findings) {
        if (one.fault.severity != validate::Severity::kError) continue;
        return std::unexpected(Error(Code::kInvalid, text_of_fault(one.fault)).in(file.file));
      }
    }
    return {};
  };
  for (const validate::FileResult& file : run_.results()) {
    if (file.unreadable || file.has_errors()) STRAKE_CHECK(fail_with(file));
  }
  kinds_ = catalog().added_kinds();
  // A definition is judged when its kind is asked for: here all of them are.
  for (const meta::GroupVersionKind& kind : kinds_) static_cast<void>(catalog().find_added(kind));
  const validate::Checker checker(catalog(), nullptr, run_.check_options());
  for (const validate::Catalog::Refused& one : catalog().refused_files())
    STRAKE_CHECK(fail_with(checker.check_faulty(one.file, *one.text)));
  return {};
}

WebhookJudge::Verdict WebhookJudge::judge(const Value& request) const {
  Verdict out;
  const std::string_view operation = text_of(request, "operation");
  const Value& object = request.get("object");
  if ((operation != "CREATE" && operation != "UPDATE") || !object.is_object()) return out;

  validate::CheckOptions options = run_.check_options();
  options.reviewer = nullptr;
  std::optional<RequestReviewer> reviewer;
  if (policies() != nullptr) options.reviewer = &reviewer.emplace(*policies(), request);
  validate::OldObjects old;
  const Value& replaced = request.get("oldObject");
  const bool replaces =
      replaced.is_object() &&
      old.add(value::to_json(replaced), validate::read_options(kOldFile, options, false))
          .has_value();
  const validate::Checker checker(catalog(), replaces ? &old : nullptr, options);
  const validate::FileResult result = checker.check(kObjectFile, value::to_json(object));

  std::vector<const Fault*> errors;
  bool skipped = false;
  for (const validate::DocumentResult& document : result.documents) {
    skipped = skipped || document.status == validate::Status::kSkipped;
    for (const validate::Finding& one : document.findings) {
      if (one.fault.severity == validate::Severity::kError) {
        errors.push_back(&one.fault);
      } else {
        out.warnings.push_back(text_of_fault(one.fault));
      }
    }
  }
  // Policies may be about kinds that nobody has a schema for.
  std::vector<Fault> reviewed;
  if (skipped && reviewer) {
    value::Document copy;
    copy.root() = value::deep_copy(object, copy.arena());
    reviewed = reviewer->review({.object = copy.root(),
                                 .arena = copy.arena(),
                                 .as_sent = object,
                                 .old = replaces ? &replaced : nullptr});
    for (const Fault& one : reviewed) {
      if (one.severity == validate::Severity::kError) {
        errors.push_back(&one);
      } else {
        out.warnings.push_back(text_of_fault(one));
      }
    }
  }
  if (errors.empty()) return out;
  if (reviewer && !reviewer->denials().empty()) {
    out.refused =
        status_about(request, object, fmt::format("{}", fmt::join(reviewer->denials(), "; ")));
  } else {
    out.refused = invalid(request, object, errors);
  }
  return out;
}

}  // namespace strake::cli
