#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "meta/object_meta.h"
#include "resource/prepare.h"
#include "resource/settle.h"
#include "resource/validate.h"
#include "schema/defaults.h"
#include "validate/classify.h"
#include "validate/filled_in.h"
#include "validate/hints.h"
#include "validate/judges.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "validate/schema_path.h"
#include "value/fields.h"

// Takes the way of a create or update through kube-apiserver, without the store: settle (decode,
// prune, default), prepare, fill in what the server fills in, validate, run the rules. The order is
// the server's, because each step changes what the next one sees. What only the server could fill
// in is put in place for validation and taken out again by FilledIn, since the object is also
// output.

namespace strake::validate {
namespace {

using resource::Kind;
using resource::RuleOutcome;
using value::FieldError;
using value::Value;

// Counts what the rules found: their faults stand behind all others, and can be told by nothing
// else.
class CountingRunner final : public resource::RuleRunner {
 public:
  explicit CountingRunner(const resource::RuleRunner& rules) : rules_(rules) {}
  RuleOutcome run(const Value& object, const schema::NodePtr& schema,
                  const Value* old) const override {
    RuleOutcome outcome = rules_.run(object, schema, old);
    count_ = outcome.errors.size();
    return outcome;
  }
  RuleOutcome run_part(const resource::RulePart& part,
                       std::optional<std::int64_t>& budget) const override {
    return rules_.run_part(part, budget);
  }
  bool has_rules(const schema::NodePtr& schema, const FieldPath& at) const override {
    return rules_.has_rules(schema, at);
  }
  std::size_t count() const { return count_; }

 private:
  const resource::RuleRunner& rules_;
  mutable std::size_t count_ = 0;
};

// Where the decoder's words point to: "... Go struct field ObjectMeta.labels of type string", or a
// path in front.
FieldPath path_of_decode_error(std::string_view message, const Value& as_sent) {
  constexpr std::string_view kField = "ObjectMeta.";
  const std::size_t found = message.find(kField);
  // The metadata of a resource inside has its path in front.
  if (found != std::string_view::npos && message.find(": Invalid value: ") > found &&
      message.find("Go struct field") != std::string_view::npos) {
    std::string_view name = message.substr(found + kField.size());
    name = name.substr(0, name.find(' '));
    return find_nearest_path(as_sent, fmt::format("metadata.{}", name));
  }
  FieldPath path = find_nearest_path(as_sent, message.substr(0, message.find(": ")));
  if (path.empty() && message.find("metadata") != std::string_view::npos)
    path = FieldPath() / "metadata";
  return path;
}

Fault warning(FieldPath path, std::string message) {
  return {.issue = Issue::kCustom,
          .severity = Severity::kWarning,
          .path = std::move(path),
          .message = std::move(message)};
}

// Refused when it is stored, and not before: a dry run passes. An update may well carry it.
Fault version_on_create() {
  return {.issue = Issue::kNotAllowed,
          .severity = Severity::kWarning,
          .path = FieldPath() / "metadata" / "resourceVersion",
          .field = "metadata.resourceVersion",
          .message = say(Phrase::kResourceVersionSet)};
}

class CustomResourceJudge final : public Judge {
 public:
  CustomResourceJudge(Kind kind, std::string deprecation, const JudgeOptions& options)
      : kind_(std::move(kind)), deprecation_(std::move(deprecation)), options_(options) {}

  std::vector<Fault> judge(const Subject& subject) const override {
    std::vector<Fault> faults;
    Value& object = subject.object;
    if (!deprecation_.empty()) faults.push_back(warning(FieldPath() / "apiVersion", deprecation_));

    std::vector<std::string> unknown;
    const bool silent =
        options_.unknown == UnknownFields::kPrune || options_.unknown == UnknownFields::kPreserve;
    const bool keeps = options_.unknown == UnknownFields::kPreserve;
    if (auto settled = settle_by(options_.defaults, object, kind_, subject.arena,
                                 silent ? nullptr : &unknown, keeps);
        !settled) {
      Fault fault{.issue = Issue::kInvalidType};
      fault.message = resource::decode_failure(kind_.gvk, settled.error().message());
      fault.path = path_of_decode_error(settled.error().message(), subject.as_sent);
      faults.push_back(std::move(fault));
      return faults;
    }
    add_unknown(unknown, subject, faults);

    if (subject.old == nullptr) {
      const bool has_version = resource::names_resource_version(object);
      resource::prepare_create(object, kind_.status_subresource);
      resource::fill_new(object, {}, subject.arena);
      {
        const FilledIn filled(object, subject.arena, kind_.namespaced);
        run(subject, nullptr, faults);
      }
      if (has_version) faults.push_back(version_on_create());
      return faults;
    }
    Value old = value::deep_copy(*subject.old, subject.arena);
    const resource::SettleOptions stored{.drop_malformed_metadata = true};
    if (!resource::settle(old, kind_, subject.arena, nullptr, stored)) old.remove("metadata");
    resource::carry_over(object, old, subject.arena);
    resource::prepare_update(object, old, kind_.status_subresource, subject.arena);
    // An object that no server has seen yet is not counted.
    if (meta::ObjectMeta::of(old).generation() > 0)
      resource::count_change(object, old, {}, subject.arena);
    {
      const FilledIn old_filled(old, subject.arena, kind_.namespaced);
      FilledIn filled(object, subject.arena, kind_.namespaced);
      filled.take_from(old, subject.arena);
      run(subject, &old, faults);
    }
    resource::remove_meta(object, "resourceVersion");  // the server gives a new one
    return faults;
  }

  void fill_defaults(Value& object, Arena& arena) const override {
    if (kind_.schema) schema::apply_defaults(object, *kind_.schema, arena);
  }
  const schema::Node* schema() const override { return kind_.schema.get(); }
  bool knows(const FieldPath& path) const override { return is_known(kind_.schema.get(), path); }
  std::unique_ptr<StreamJudge> stream(const StreamLimits& limits) const override {
    // What is kept needs the object whole.
    if (options_.unknown == UnknownFields::kPreserve) return nullptr;
    return stream_custom_resource(kind_, deprecation_, options_, limits);
  }

 private:
  void add_unknown(std::vector<std::string>& unknown, const Subject& subject,
                   std::vector<Fault>& faults) const {
    const Severity severity =
        options_.unknown == UnknownFields::kStrict ? Severity::kError : Severity::kWarning;
    std::unordered_set<std::string_view> told;
    for (const std::string& path : unknown) {
      if (!told.insert(path).second) continue;
      faults.push_back(unknown_field(path, subject.as_sent, kind_.schema.get(), severity));
    }
  }

  void run(const Subject& subject, const Value* old, std::vector<Fault>& faults) const {
    std::optional<CountingRunner> runner;
    if (options_.rules != nullptr) runner.emplace(*options_.rules);
    const resource::RuleRunner* rules = runner ? &*runner : nullptr;
    const resource::Verdict verdict =
        old != nullptr ? resource::validate_update(subject.object, *old, kind_, rules)
                       : resource::validate_create(subject.object, kind_, rules);
    // The rules come last, so that what is past the limit is theirs before it is anyone else's.
    const std::uint64_t of_rules = runner ? runner->count() : 0;
    const std::uint64_t first_of_rules =
        verdict.errors.size() - (of_rules - std::min(of_rules, verdict.errors.omitted()));
    std::unordered_set<std::string> told;
    for (std::size_t i = 0; i < verdict.errors.size(); ++i) {
      const FieldError& error = verdict.errors[i];
      // The server checks some things twice, and says so twice; once is enough for people.
      if (!told.insert(error.to_string()).second) continue;
      Fault fault = i < first_of_rules ? fault_from(error) : rule_fault_from(error);
      if (kind_.schema) add_hint(fault, error, *kind_.schema);
      faults.push_back(std::move(fault));
    }
    add_omitted(verdict.errors, faults);
    for (const std::string& text : verdict.warnings) {
      faults.push_back(rule_warning_from(text, subject.as_sent));
      if (kind_.schema) add_schema_path(faults.back(), *kind_.schema);
    }
    const meta::ObjectMeta metadata = meta::ObjectMeta::of(subject.object);
    const meta::ObjectMeta before(old != nullptr ? old->find("metadata") : nullptr);
    for (std::string& text : meta::finalizer_warnings(metadata, before)) {
      faults.push_back(warning(FieldPath() / "metadata" / "finalizers", std::move(text)));
    }
  }

  Kind kind_;
  std::string deprecation_;
  JudgeOptions options_;
};

class NoSchemaJudge final : public Judge {
 public:
  explicit NoSchemaJudge(std::string why) : why_(std::move(why)) {}
  std::vector<Fault> judge(const Subject&) const override {
    return {
        Fault{.issue = Issue::kSchemaInvalid, .path = FieldPath() / "apiVersion", .message = why_}};
  }

 private:
  std::string why_;
};

}  // namespace

std::unique_ptr<const Judge> judge_custom_resource(Kind kind, std::string deprecation,
                                                   const JudgeOptions& options) {
  return std::make_unique<CustomResourceJudge>(std::move(kind), std::move(deprecation), options);
}

std::unique_ptr<const Judge> judge_without_schema(std::string why) {
  return std::make_unique<NoSchemaJudge>(std::move(why));
}

}  // namespace strake::validate
