#include <mutex>

#include "schema/loose/evaluate.h"
#include "schema/loose/import.h"
#include "validate/judges.h"

namespace strake::validate {
namespace {

namespace loose = schema::loose;
using loose::IssueCode;
using value::Value;

Issue issue_of(IssueCode code) {
  switch (code) {
    case IssueCode::kInvalidType: return Issue::kInvalidType;
    case IssueCode::kRequired: return Issue::kRequired;
    case IssueCode::kUnknownKey: return Issue::kUnknownKey;
    case IssueCode::kDuplicateItem: return Issue::kDuplicateItem;
    case IssueCode::kTooSmall: return Issue::kTooSmall;
    case IssueCode::kTooBig: return Issue::kTooBig;
    case IssueCode::kNotMultiple: return Issue::kNotMultiple;
    case IssueCode::kTooShort: return Issue::kTooShort;
    case IssueCode::kTooLong: return Issue::kTooLong;
    case IssueCode::kPattern: return Issue::kPattern;
    case IssueCode::kInvalidEnum: return Issue::kInvalidEnum;
    case IssueCode::kInvalidFormat: return Issue::kInvalidFormat;
    case IssueCode::kUnionAmbiguous: return Issue::kUnionAmbiguous;
    case IssueCode::kNoMatch: return Issue::kNoMatch;
    case IssueCode::kNotAllowed: return Issue::kNotAllowed;
    case IssueCode::kParseError: return Issue::kParseError;
    case IssueCode::kTruncated:
    case IssueCode::kBufferExceeded: return Issue::kTruncated;
    case IssueCode::kSchemaInvalid: return Issue::kSchemaInvalid;
    case IssueCode::kDiscriminatorMissing:
    case IssueCode::kDiscriminatorUnknown: break;
  }
  return Issue::kCustom;
}

Fault fault_of(const loose::Issue& issue, UnknownFields unknown) {
  Fault fault{.issue = issue_of(issue.code),
              .path = issue.path,
              .field = issue.path.to_k8s(),
              .message = issue.message,
              .hint = issue.hint};
  if (issue.severity == loose::Severity::kWarning) fault.severity = Severity::kWarning;
  for (const auto& [name, json] : issue.params) fault.params.push_back({name, json});
  if (fault.issue == Issue::kUnknownKey) {
    fault.at_key = true;
    fault.message = "unknown field \"" + fault.field + "\"";
    fault.field.clear();
    if (unknown != UnknownFields::kStrict) fault.severity = Severity::kWarning;
  }
  return fault;
}

// One component of a document. It is imported when the first object of its kind is met.
class ComponentJudge final : public Judge {
 public:
  ComponentJudge(std::shared_ptr<const value::Document> document, std::string pointer,
                 UnknownFields unknown)
      : document_(std::move(document)), pointer_(std::move(pointer)), unknown_(unknown) {}

  std::vector<Fault> judge(const Subject& subject) const override {
    std::call_once(
        once_, [this] { imported_ = loose::import_schema(document_->root(), {.root = pointer_}); });
    if (!imported_) {
      return {Fault{.issue = Issue::kSchemaInvalid,
                    .message = "the schema cannot be used: " + imported_.error().to_string()}};
    }
    loose::Options options;
    options.numbers = loose::NumberMode::kK8s;
    options.max_depth = 10'000;
    const bool tells = unknown_ == UnknownFields::kStrict || unknown_ == UnknownFields::kWarn;
    options.unknown = tells ? loose::UnknownMode::kStrict : loose::UnknownMode::kPrune;
    std::vector<Fault> faults;
    for (const loose::Issue& issue :
         loose::evaluate(subject.object, *imported_->schema, options).issues) {
      faults.push_back(fault_of(issue, unknown_));
    }
    return faults;
  }

 private:
  std::shared_ptr<const value::Document> document_;
  std::string pointer_;
  UnknownFields unknown_;
  mutable std::once_flag once_;
  mutable Result<loose::Imported> imported_;
};

std::string escaped(std::string_view name) { return (FieldPath() / name).to_pointer(); }

std::string text_of(const Value& v, std::string_view key) {
  const Value* found = v.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

}  // namespace

std::vector<KindJudge> judges_of_open_api(std::shared_ptr<const value::Document> document,
                                          const JudgeOptions& options) {
  std::vector<KindJudge> out;
  const Value& root = document->root();
  const Value* components = root.find("components");
  const bool swagger = components == nullptr;
  const Value* schemas = swagger ? root.find("definitions") : components->find("schemas");
  if (schemas == nullptr || !schemas->is_object()) return out;
  for (const value::Member& m : schemas->members()) {
    const Value* kinds = m.value.find("x-kubernetes-group-version-kind");
    if (kinds == nullptr || !kinds->is_array()) continue;
    const std::string pointer =
        (swagger ? "#/definitions" : "#/components/schemas") + escaped(m.key);
    auto judge = std::make_shared<const ComponentJudge>(document, pointer, options.unknown);
    for (const Value& kind : kinds->items()) {
      out.push_back(
          {{text_of(kind, "group"), text_of(kind, "version"), text_of(kind, "kind")}, judge});
    }
  }
  return out;
}

}  // namespace strake::validate
