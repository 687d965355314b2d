#include <algorithm>

#include "crd/check.h"
#include "crd/crd.h"
#include "validate/classify.h"
#include "validate/hints.h"
#include "validate/judges.h"
#include "validate/locate.h"
#include "validate/phrases.h"

namespace strake::validate {
namespace {

using value::FieldError;
using value::Value;

value::Document copy_of(const Value& v) {
  value::Document document;
  document.root() = value::deep_copy(v, document.arena());
  return document;
}

// The server moves what all versions share to the top before it checks, and names it there:
// spec.validation is the schema of the only version, or of every one.
FieldPath unhoisted(const FieldPath& path, const Value& as_sent) {
  const auto& steps = path.steps();
  const Value* spec = as_sent.find("spec");
  if (steps.size() < 2 || steps[0].name != "spec" || spec == nullptr ||
      spec->find(steps[1].name) != nullptr)
    return path;
  constexpr std::string_view kMoved[] = {"validation", "subresources", "additionalPrinterColumns",
                                         "selectableFields"};
  if (std::ranges::find(kMoved, steps[1].name) == std::end(kMoved)) return path;
  FieldPath tail;
  for (std::size_t i = 2; i < steps.size(); ++i) {
    if (steps[i].kind == FieldPath::Kind::kIndex) {
      tail.push_index(steps[i].index);
    } else {
      tail.push_field(steps[i].name);
    }
  }
  const std::string_view part =
      steps[1].name == "validation" ? std::string_view("schema") : steps[1].name;
  return join(FieldPath() / "spec" / "versions" / std::size_t{0} / part, tail);
}

class DefinitionJudge final : public Judge {
 public:
  explicit DefinitionJudge(const JudgeOptions& options) : options_(options) {}

  std::vector<Fault> judge(const Subject& subject) const override {
    std::vector<Fault> faults;
    std::vector<std::string> unknown;
    auto read = crd::Crd::read(copy_of(subject.object), &unknown);
    if (!read) {
      faults.push_back(Fault{.issue = Issue::kInvalidType, .message = read.error().message()});
      return faults;
    }
    crd::Crd& definition = *read;
    add_unknown(unknown, subject, faults);

    if (subject.old != nullptr) {
      auto old = crd::Crd::read(copy_of(*subject.old));
      if (!old) {
        faults.push_back(Fault{.issue = Issue::kSchemaInvalid,
                               .message = say(Phrase::kOldObject, old.error().message())});
        return faults;
      }
      old->assume_served();
      definition.prepare_for_update(*old);
      definition.continue_from(*old);
      add(crd::check_update(definition, *old, options_.rule_compiler), subject, faults);
      add_warnings(crd::format_warnings(definition, &*old), faults);
    } else {
      definition.prepare_for_create();
      add(crd::check_create(definition, options_.rule_compiler), subject, faults);
      add_warnings(crd::format_warnings(definition), faults);
    }
    subject.object = value::deep_copy(definition.value(), subject.arena);
    // What was assumed of the old one is no part of the result.
    const Value* sent = subject.old != nullptr ? subject.old->find("status") : nullptr;
    if (subject.old != nullptr && (sent == nullptr || sent->find("conditions") == nullptr))
      subject.object.object_at("status", subject.arena).set("conditions", Value(), subject.arena);
    return faults;
  }

 private:
  void add_unknown(const std::vector<std::string>& unknown, const Subject& subject,
                   std::vector<Fault>& faults) const {
    if (options_.unknown == UnknownFields::kPrune || options_.unknown == UnknownFields::kPreserve)
      return;
    const Severity severity =
        options_.unknown == UnknownFields::kStrict ? Severity::kError : Severity::kWarning;
    for (const std::string& path : unknown) {
      faults.push_back(unknown_field(path, subject.as_sent, nullptr, severity));
    }
  }

  static void add(const value::FieldErrors& errors, const Subject& subject,
                  std::vector<Fault>& faults) {
    for (const FieldError& error : errors) {
      Fault fault = fault_from(error);
      fault.path = unhoisted(error.path, subject.as_sent);
      faults.push_back(std::move(fault));
    }
    add_omitted(errors, faults);
  }

  static void add_warnings(const std::vector<std::string>& texts, std::vector<Fault>& faults) {
    for (const std::string& text : texts) {
      faults.push_back(
          Fault{.issue = Issue::kCustom, .severity = Severity::kWarning, .message = text});
    }
  }

  JudgeOptions options_;
};

}  // namespace

std::unique_ptr<const Judge> judge_definitions(const JudgeOptions& options) {
  return std::make_unique<DefinitionJudge>(options);
}

}  // namespace strake::validate
