#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "resource/settle.h"
#include "schema/stream/stream.h"
#include "validate/classify.h"
#include "validate/hints.h"
#include "validate/judges.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "validate/presence.h"
#include "validate/schema_path.h"
#include "validate/stream_parts.h"
#include "validate/stream_projector.h"
#include "validate/stream_stub.h"

// A custom resource that is too large to hold is judged by three listeners on the same events: the
// streaming validator (schema), parts that are gathered for rules and embedded resources, and a
// stub that keeps apiVersion, kind and metadata. The stub is a small object, and is judged by the
// ordinary code with a schema that has only metadata. Findings come out in the order in which the
// whole object would have given them.

namespace strake::validate {
namespace {

using resource::Kind;
using schema::Node;
using schema::StreamOptions;
using value::FieldError;
using value::Value;

using Strategy = StreamOptions::Strategy;

StreamOptions stream_options(const StreamLimits& limits, DefaultMode defaults) {
  StreamOptions out;
  out.strategy = limits.strategy;
  out.max_buffer = limits.max_buffer;
  out.max_total_buffer = limits.max_total_buffer;
  out.max_errors = limits.max_issues;
  out.apply_defaults = defaults == DefaultMode::kApply;
  return out;
}

// Null when nobody wants the output, or unknown fields stay: then the object is needed whole.
std::unique_ptr<StreamProjector> make_projector(const Node& schema, const JudgeOptions& options,
                                                const StreamLimits& limits, const Kind* kind) {
  if (limits.projection == nullptr || options.unknown == UnknownFields::kPreserve) return nullptr;
  return std::make_unique<StreamProjector>(
      schema,
      ProjectOptions{
          .preserving = limits.projection->preserving,
          .apply_defaults = options.defaults == DefaultMode::kApply,
          .resource = kind != nullptr,
          .drops_status = kind != nullptr && kind->status_subresource,
          .max_buffer = limits.strategy == Strategy::kFullBuffer ? SIZE_MAX : limits.max_buffer},
      limits.projection->write);
}

// What judges a document with its schema: piece by piece, and what needs more than that by parts.
class SchemaStream {
 public:
  // The kind is null for documents that are no resources.
  SchemaStream(schema::NodePtr schema, const JudgeOptions& options, const StreamLimits& limits,
               const Kind* kind)
      : schema_(std::move(schema)),
        options_(options),
        limits_(limits),
        parts_(schema_, options, limits, kind != nullptr),
        validator_(*schema_, validator_options(kind)) {}

  schema::StreamValidator& sink() { return validator_; }
  PartsJudge& parts() { return parts_; }

  StreamFindings take() {
    schema::StreamVerdict verdict = validator_.take();
    StreamFindings out{.total = verdict.total_errors};
    for (const FieldError& error : verdict.errors)
      out.faults.push_back(with_hint(fault_from(error), error));
    add_unknown(verdict.unknown, out);
    for (const FieldPath& path : verdict.not_judged) {
      Fault fault = not_judged_fault(
          say(Phrase::kNotChecked, say(Phrase::kNeedsMoreBytes, limits_.max_buffer)), limits_);
      fault.path = path;
      fault.field = path.to_k8s();
      fault.schema_path = schema_place(*schema_, path);
      add_uncertain(std::move(fault), out);
    }
    return out;
  }

  // What the rules have to say, or why they say nothing.
  void take_rules(bool blocked, bool stopped, StreamFindings& out) {
    if (!blocked) {
      for (const FieldError& error : parts_.take_rule_errors())
        add(with_hint(rule_fault_from(error), error), out);
    }
    if (!stopped) {
      for (Fault& fault : parts_.take_left_out(!blocked)) add_uncertain(std::move(fault), out);
    }
    out.total += parts_.not_kept();
  }

  Fault with_hint(Fault fault, const FieldError& error) const {
    add_hint(fault, error, *schema_);
    return fault;
  }
  static void add(Fault fault, StreamFindings& out) {
    out.faults.push_back(std::move(fault));
    ++out.total;
  }
  static void add_uncertain(Fault fault, StreamFindings& out) {
    add(std::move(fault), out);
    out.certain = false;
  }

 private:
  StreamOptions validator_options(const Kind* kind) {
    StreamOptions out = stream_options(limits_, options_.defaults);
    out.parts = &parts_;
    out.resource_root = out.passes_metadata = kind != nullptr;
    // A server drops the status of a new object before it looks at the rest.
    if (kind != nullptr && kind->status_subresource) out.dropped_member = "status";
    return out;
  }

  void add_unknown(const std::vector<schema::UnknownField>& unknown, StreamFindings& out) const {
    if (options_.unknown != UnknownFields::kWarn && options_.unknown != UnknownFields::kStrict)
      return;
    std::string_view last;
    for (const schema::UnknownField& field : unknown) {
      if (field.text == std::exchange(last, field.text) && &field != &unknown.front()) continue;
      Fault fault{.issue = Issue::kUnknownKey,
                  .severity = options_.unknown == UnknownFields::kStrict ? Severity::kError
                                                                         : Severity::kWarning,
                  .path = field.path,
                  .at_key = true,
                  .message = say(Phrase::kUnknownField, field.text)};
      if (!field.nearest.empty()) fault.hint = say(Phrase::kDidYouMean, field.nearest);
      fault.params.push_back({"key", json_text(field.path.steps().back().name)});
      add_schema_path(fault, *schema_);
      add(std::move(fault), out);
    }
  }

  schema::NodePtr schema_;
  JudgeOptions options_;
  StreamLimits limits_;
  PartsJudge parts_;
  schema::StreamValidator validator_;
};

// A document of any shape, against a structural schema.
class StructuralStream final : public StreamJudge {
 public:
  StructuralStream(schema::NodePtr schema, const JudgeOptions& options, const StreamLimits& limits)
      : schema_(schema, options, limits, nullptr),
        output_(make_projector(*schema, options, limits, nullptr)) {}

  bool begin_object(const Position& at) override {
    if (output_) output_->begin_object(at);
    return schema_.sink().begin_object(at);
  }
  bool key(std::string_view name, const Position& at) override {
    if (output_) output_->key(name, at);
    return schema_.sink().key(name, at);
  }
  bool end_object(const Position& at) override {
    if (output_) output_->end_object(at);
    return schema_.sink().end_object(at);
  }
  bool begin_array(const Position& at) override {
    if (output_) output_->begin_array(at);
    return schema_.sink().begin_array(at);
  }
  bool end_array(const Position& at) override {
    if (output_) output_->end_array(at);
    return schema_.sink().end_array(at);
  }
  bool scalar(const Value& v, const Position& at) override {
    if (output_) output_->scalar(v, at);
    return schema_.sink().scalar(v, at);
  }
  bool end_document(const Position& at) override { return schema_.sink().end_document(at); }

  StreamFindings take() override {
    StreamFindings out = schema_.take();
    schema_.take_rules(schema_.parts().blocks_rules(), false, out);
    out.projected = output_ && output_->finish(nullptr);
    return out;
  }

 private:
  SchemaStream schema_;
  std::unique_ptr<StreamProjector> output_;
};

// The kind of what is left of an object when only its metadata is looked at.
Kind metadata_only(const Kind& kind) {
  auto schema = std::make_shared<Node>();
  schema->type = schema::JsonType::kObject;
  schema->preserve_unknown = true;
  const auto& properties = kind.schema->properties;
  const auto metadata = std::ranges::find(properties, "metadata", &schema::Property::name);
  if (metadata != properties.end()) {
    schema->properties.push_back(*metadata);
    schema->has_defaults_below = metadata->node->has_defaults_below;
    schema->has_lists_below = metadata->node->has_lists_below;
  }
  Kind out = kind;
  out.schema = std::move(schema);
  return out;
}

// A custom resource: the schema sees all of it, and the rest is judged on what was kept.
class CustomResourceStream final : public StreamJudge {
 public:
  CustomResourceStream(const Kind& kind, const std::string& deprecation,
                       const JudgeOptions& options, const StreamLimits& limits)
      : kind_(kind),
        stub_kind_(metadata_only(kind)),
        options_(options),
        limits_(limits),
        stub_(kind_, limits.strategy == Strategy::kFullBuffer ? SIZE_MAX : limits.max_buffer),
        schema_(kind.schema, options, limits, &kind_),
        output_(make_projector(*kind_.schema, options, limits, &kind_)),
        stub_judge_(judge_custom_resource(stub_kind_, deprecation, options)) {}

  bool begin_object(const Position& at) override {
    if (output_) output_->begin_object(at);
    return stub_.begin_object(at) && schema_.sink().begin_object(at);
  }
  bool key(std::string_view name, const Position& at) override {
    if (output_) output_->key(name, at);
    return stub_.key(name, at) && schema_.sink().key(name, at);
  }
  bool end_object(const Position& at) override {
    if (output_) output_->end_object(at);
    return stub_.end_object(at) && schema_.sink().end_object(at);
  }
  bool begin_array(const Position& at) override {
    if (output_) output_->begin_array(at);
    return stub_.begin_array(at) && schema_.sink().begin_array(at);
  }
  bool end_array(const Position& at) override {
    if (output_) output_->end_array(at);
    return stub_.end_array(at) && schema_.sink().end_array(at);
  }
  bool scalar(const Value& v, const Position& at) override {
    if (output_) output_->scalar(v, at);
    return stub_.scalar(v, at) && schema_.sink().scalar(v, at);
  }
  bool end_document(const Position& at) override { return schema_.sink().end_document(at); }

  StreamFindings take() override {
    StreamFindings out = schema_.take();
    const bool stopped = limits_.strategy == Strategy::kFailFast &&
                         (!out.faults.empty() || schema_.parts().found_faults());
    if (auto stub = stub_.take()) {
      if (judge_stub(*stub, out) == Reading::kFailed) return out;
      out.projected = projected_;
    } else if (!stopped) {
      SchemaStream::add_uncertain(not_judged_fault(say(Phrase::kMetadataNotChecked), limits_), out);
    }
    if (const auto& fault = schema_.parts().unreadable()) return unreadable(*fault);
    for (Fault& fault : schema_.parts().take_unknown()) SchemaStream::add(std::move(fault), out);
    for (const FieldError& error : schema_.parts().take_embedded())
      SchemaStream::add(schema_.with_hint(fault_from(error), error), out);
    drop_repeated(out);
    add_rules(stopped, out);
    return out;
  }

 private:
  enum class Reading : std::uint8_t { kDone, kFailed };

  // An object whose metadata cannot be read is not looked at any further.
  Reading judge_stub(const value::Document& stub, StreamFindings& out) {
    value::Document work;
    work.root() = value::deep_copy(stub.root(), work.arena());
    const Reading reading =
        settle_by(options_.defaults, work.root(), stub_kind_, work.arena(), nullptr, false)
            ? Reading::kDone
            : Reading::kFailed;
    if (reading == Reading::kFailed) out = {};
    work.root() = value::deep_copy(stub.root(), work.arena());
    std::vector<Fault> found =
        stub_judge_->judge({.object = work.root(), .arena = work.arena(), .as_sent = stub.root()});
    for (Fault& fault : found) {
      MeantPlace meant = meant_by(fault, stub.root());
      fault.path = std::move(meant.path);
      fault.at_key = meant.at_key;
      SchemaStream::add(std::move(fault), out);
    }
    judge_metadata_rules(work.root());
    finish_output(stub.root(), work.root());
    return reading;
  }

  void finish_output(const Value& sent, const Value& settled) {
    if (!output_) return;
    if (!limits_.projection->preserving) {
      projected_ = output_->finish(settled.find("metadata"));
      return;
    }
    Arena arena;
    const Value kept = preserved(sent, settled, [](const FieldPath&) { return true; }, arena);
    projected_ = output_->finish(kept.find("metadata"));
  }

  void judge_metadata_rules(const Value& settled) {
    const Node* schema = kind_.schema->property("metadata");
    const Value* metadata = settled.find("metadata");
    if (schema == nullptr || metadata == nullptr || !schema->has_rules_below) return;
    static_cast<void>(schema_.parts().judge(*metadata, {*schema, FieldPath() / "metadata", true}));
  }

  StreamFindings unreadable(const FieldError& error) const {
    StreamFindings out;
    SchemaStream::add({.issue = Issue::kInvalidType,
                       .path = error.path,
                       .message = resource::decode_failure(kind_.gvk, error.to_string())},
                      out);
    return out;
  }

  // The server checks some things twice, and says so twice; once is enough for people.
  static void drop_repeated(StreamFindings& out) {
    std::set<std::string> told;
    out.total -= std::erase_if(out.faults, [&](const Fault& fault) {
      return !fault.reason.empty() &&
             !told.insert(fmt::format("{}: {}", fault.field, fault.message)).second;
    });
  }

  void add_rules(bool stopped, StreamFindings& out) {
    const bool blocked = schema_.parts().blocks_rules() ||
                         std::ranges::any_of(out.faults, resource::blocks_rules, &Fault::reason);
    schema_.take_rules(blocked, stopped, out);
    if (!blocked || stopped || options_.rules == nullptr || !kind_.schema->has_rules_below) return;
    const FieldError error = resource::rules_not_checked();
    SchemaStream::add(schema_.with_hint(fault_from(error), error), out);
  }

  Kind kind_;
  Kind stub_kind_;
  JudgeOptions options_;
  StreamLimits limits_;
  StreamStub stub_;
  SchemaStream schema_;
  std::unique_ptr<StreamProjector> output_;
  bool projected_ = false;
  std::unique_ptr<const Judge> stub_judge_;
};

}  // namespace

std::unique_ptr<StreamJudge> stream_custom_resource(const Kind& kind,
                                                    const std::string& deprecation,
                                                    const JudgeOptions& options,
                                                    const StreamLimits& limits) {
  if (kind.preserve_unknown || !kind.schema) return nullptr;
  return std::make_unique<CustomResourceStream>(kind, deprecation, options, limits);
}

std::unique_ptr<StreamJudge> stream_structurally(schema::NodePtr schema,
                                                 const JudgeOptions& options,
                                                 const StreamLimits& limits) {
  return std::make_unique<StructuralStream>(std::move(schema), options, limits);
}

}  // namespace strake::validate
