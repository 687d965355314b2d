#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "schema/stream.h"
#include "validate/classify.h"
#include "validate/judges.h"
#include "validate/schema_path.h"
#include "value/builder.h"

namespace strake::validate {
namespace {

using resource::Kind;
using schema::Node;
using schema::StreamOptions;
using value::FieldError;
using value::Value;

using Strategy = StreamOptions::Strategy;

// ".a.b", a simple path as subresources have them.
FieldPath scale_path(std::string_view text) {
  FieldPath out;
  while (!text.empty()) {
    text.remove_prefix(text.front() == '.' ? 1 : 0);
    const std::size_t end = std::min(text.find('.'), text.size());
    out.push_field(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// Keeps of a passing object what is judged apart from the schema: its type, its metadata, and the
// fields that scaling looks at.
class StubKeeper final : public value::EventSink {
 public:
  StubKeeper(const Kind& kind, std::size_t most_bytes)
      : most_bytes_(most_bytes), builder_(read_options()) {
    if (!kind.scale) return;
    for (const std::string* path :
         {&kind.scale->spec_replicas, &kind.scale->status_replicas, &kind.scale->label_selector}) {
      if (!path->empty()) scale_.push_back(scale_path(*path));
    }
  }

  bool begin_object(const Position& at) override { return begin(true, at); }
  bool begin_array(const Position& at) override { return begin(false, at); }
  bool end_object(const Position& at) override { return end(true, at); }
  bool end_array(const Position& at) override { return end(false, at); }
  bool key(std::string_view name, const Position& at) override {
    path_.back().key = name;
    if (kept() && fits(name.size())) static_cast<void>(builder_.key(name, at));
    return true;
  }
  bool scalar(const Value& v, const Position& at) override {
    if (path_.empty() || kept()) {
      if (fits(v.is_string() ? v.size() : 0)) static_cast<void>(builder_.scalar(v, at));
    } else {
      keep_for_scale(v);
    }
    return true;
  }
  bool end_document(const Position&) override { return true; }

  // Nothing when it was too large, or did not end.
  std::optional<value::Document> take() {
    if (bytes_ > most_bytes_ || !builder_.complete()) return std::nullopt;
    value::Document out = builder_.take();
    for (const auto& [path, document] : found_)
      static_cast<void>(out.set(path, value::deep_copy(document.root(), out.arena())));
    return out;
  }

 private:
  static value::ReadOptions read_options() {
    value::ReadOptions out;
    out.duplicates = value::DuplicatePolicy::kLastWins;
    return out;
  }

  bool kept() const { return !path_.empty() && schema::is_type_meta(path_.front().key); }
  bool fits(std::size_t bytes) {
    bytes_ += bytes + sizeof(Value);
    return bytes_ <= most_bytes_;
  }

  bool begin(bool object, const Position& at) {
    if ((path_.empty() || kept()) && fits(0))
      static_cast<void>(object ? builder_.begin_object(at) : builder_.begin_array(at));
    path_.push_back({object, {}});
    return true;
  }
  bool end(bool object, const Position& at) {
    path_.pop_back();
    if ((path_.empty() || kept()) && bytes_ <= most_bytes_)
      static_cast<void>(object ? builder_.end_object(at) : builder_.end_array(at));
    return true;
  }

  void keep_for_scale(const Value& v) {
    for (const FieldPath& path : scale_) {
      const auto& steps = path.steps();
      const bool here = steps.size() == path_.size() &&
                        std::equal(steps.begin(), steps.end(), path_.begin(),
                                   [](const FieldPath::Step& step, const Open& open) {
                                     return open.object && step.name == open.key;
                                   });
      if (!here) continue;
      value::Document kept;
      kept.root() = value::deep_copy(v, kept.arena());
      found_.emplace_back(path, std::move(kept));
    }
  }

  struct Open {
    bool object;
    std::string key;
  };
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<Open> path_;
  std::vector<FieldPath> scale_;
  std::vector<std::pair<FieldPath, value::Document>> found_;
  value::DocumentBuilder builder_;
};

FieldPath path_from(std::string_view text) {
  FieldPath out;
  return FieldPath::parse_dotted(text, out) ? out : FieldPath();
}

// The server names the field inside of its message where it has no path.
FieldPath path_in(const FieldError& error) {
  std::string_view text = error.detail;
  if (!text.starts_with('"')) return error.path;
  text.remove_prefix(1);
  return path_from(text.substr(0, text.find("\" must ")));
}

// Where the first node with the property stands; nothing when there is none.
template <typename Has, typename Below>
bool find_node(const Node& node, Has has, Below below, std::string& pointer) {
  if (has(node)) return true;
  const std::size_t before = pointer.size();
  const auto try_part = [&](const Node* part, const std::string& step) {
    if (part == nullptr || !below(*part)) return false;
    pointer += step;
    if (find_node(*part, has, below, pointer)) return true;
    pointer.resize(before);
    return false;
  };
  for (const schema::Property& property : node.properties) {
    if (try_part(property.node.get(), (FieldPath() / "properties" / property.name).to_pointer()))
      return true;
  }
  return try_part(node.items.get(), "/items") ||
         try_part(node.additional_schema.get(), "/additionalProperties");
}

Fault not_judged(std::string message, const StreamLimits& limits) {
  const bool stops = limits.strategy == Strategy::kFailFast;
  Fault fault{.issue = stops ? Issue::kTruncated : Issue::kBufferExceeded,
              .severity = Severity::kWarning,
              .message = std::move(message)};
  fault.params.push_back({"limit", fmt::format("{}", limits.max_buffer)});
  return fault;
}

StreamOptions stream_options(const StreamLimits& limits, DefaultMode defaults, bool resource) {
  StreamOptions out;
  out.strategy = limits.strategy;
  out.max_buffer = limits.max_buffer;
  out.max_total_buffer = limits.max_total_buffer;
  out.max_errors = limits.max_issues;
  out.resource_root = resource;
  out.apply_defaults = defaults == DefaultMode::kApply;
  return out;
}

// A structural schema over a passing document, with what it says put into faults.
class SchemaStream final : public StreamJudge {
 public:
  SchemaStream(schema::NodePtr schema, const JudgeOptions& options, const StreamLimits& limits,
               bool resource)
      : schema_(std::move(schema)),
        options_(options),
        limits_(limits),
        validator_(*schema_, stream_options(limits, options.defaults, resource)) {}

  bool begin_object(const Position& at) override { return validator_.begin_object(at); }
  bool key(std::string_view name, const Position& at) override { return validator_.key(name, at); }
  bool end_object(const Position& at) override { return validator_.end_object(at); }
  bool begin_array(const Position& at) override { return validator_.begin_array(at); }
  bool end_array(const Position& at) override { return validator_.end_array(at); }
  bool scalar(const Value& v, const Position& at) override { return validator_.scalar(v, at); }
  bool end_document(const Position& at) override { return validator_.end_document(at); }

  StreamFindings take() override {
    schema::StreamVerdict verdict = validator_.take();
    StreamFindings out{.total = verdict.total_errors};
    for (const FieldError& error : verdict.errors) {
      Fault fault = fault_from(error);
      if (error.nil_path) fault.path = path_in(error);
      add_schema_path(fault, *schema_);
      out.faults.push_back(std::move(fault));
    }
    add_unknown(verdict.unknown, out);
    for (const FieldPath& path : verdict.not_judged) {
      Fault fault = not_judged(
          fmt::format("not checked: it needs more than {} bytes", limits_.max_buffer), limits_);
      fault.path = path;
      fault.field = path.to_k8s();
      fault.schema_path = schema_place(*schema_, path);
      add_uncertain(std::move(fault), out);
    }
    add_skipped_parts(out);
    return out;
  }

 private:
  static void add_uncertain(Fault fault, StreamFindings& out) {
    out.faults.push_back(std::move(fault));
    ++out.total;
    out.certain = false;
  }

  void add_unknown(std::vector<std::string>& unknown, StreamFindings& out) const {
    if (options_.unknown != UnknownFields::kWarn && options_.unknown != UnknownFields::kStrict)
      return;
    unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
    for (const std::string& text : unknown) {
      Fault fault{.issue = Issue::kUnknownKey,
                  .severity = options_.unknown == UnknownFields::kStrict ? Severity::kError
                                                                         : Severity::kWarning,
                  .path = path_from(text),
                  .at_key = true,
                  .message = fmt::format("unknown field \"{}\"", text)};
      if (!fault.path.empty())
        fault.params.push_back({"key", json_text(fault.path.steps().back().name)});
      add_schema_path(fault, *schema_);
      out.faults.push_back(std::move(fault));
      ++out.total;
    }
  }

  // What needs the whole object is left out, and said so.
  void add_skipped_parts(StreamFindings& out) const {
    std::string pointer;
    if (options_.rules != nullptr && schema_->has_rules_below &&
        find_node(
            *schema_, [](const Node& n) { return !n.rules.empty(); },
            [](const Node& n) { return n.has_rules_below; }, pointer)) {
      Fault fault =
          not_judged("the validation rules were not run: they need the whole object", limits_);
      fault.schema_path = pointer + "/x-kubernetes-validations";
      add_uncertain(std::move(fault), out);
    }
    pointer.clear();
    if (schema_->has_embedded_below &&
        find_node(
            *schema_, [](const Node& n) { return n.embedded_resource; },
            [](const Node& n) { return n.has_embedded_below; }, pointer)) {
      Fault fault = not_judged(
          "the metadata of embedded resources was not checked: it needs them whole", limits_);
      fault.schema_path = pointer + "/x-kubernetes-embedded-resource";
      add_uncertain(std::move(fault), out);
    }
  }

  schema::NodePtr schema_;
  JudgeOptions options_;
  StreamLimits limits_;
  schema::StreamValidator validator_;
};

// A custom resource: the schema sees all of it, and the rest is judged on what was kept.
class CustomResourceStream final : public StreamJudge {
 public:
  CustomResourceStream(const Kind& kind, const std::string& deprecation,
                       const JudgeOptions& options, const StreamLimits& limits)
      : limits_(limits),
        drops_status_(kind.status_subresource),
        stub_(kind, limits.strategy == Strategy::kFullBuffer ? SIZE_MAX : limits.max_buffer),
        schema_(kind.schema, options, limits, true) {
    Kind without_schema = kind;
    without_schema.schema = nullptr;
    without_schema_ = judge_custom_resource(std::move(without_schema), deprecation, options);
  }

  bool begin_object(const Position& at) override {
    return stub_.begin_object(at) && schema_.begin_object(at);
  }
  bool key(std::string_view name, const Position& at) override {
    return stub_.key(name, at) && schema_.key(name, at);
  }
  bool end_object(const Position& at) override {
    return stub_.end_object(at) && schema_.end_object(at);
  }
  bool begin_array(const Position& at) override {
    return stub_.begin_array(at) && schema_.begin_array(at);
  }
  bool end_array(const Position& at) override {
    return stub_.end_array(at) && schema_.end_array(at);
  }
  bool scalar(const Value& v, const Position& at) override {
    return stub_.scalar(v, at) && schema_.scalar(v, at);
  }
  bool end_document(const Position& at) override { return schema_.end_document(at); }

  StreamFindings take() override {
    StreamFindings out = schema_.take();
    if (drops_status_) drop_status_faults(out);
    const std::size_t before = out.faults.size();
    if (auto stub = stub_.take()) {
      value::Document work;
      work.root() = value::deep_copy(stub->root(), work.arena());
      std::vector<Fault> found = without_schema_->judge(
          {.object = work.root(), .arena = work.arena(), .as_sent = stub->root()});
      std::ranges::move(found, std::back_inserter(out.faults));
    } else if (limits_.strategy != Strategy::kFailFast || out.faults.empty()) {
      out.faults.push_back(not_judged("the metadata was not checked", limits_));
      out.certain = false;
    }
    out.total += out.faults.size() - before;
    return out;
  }

 private:
  // A server drops the status of a new object before it looks at the rest.
  static void drop_status_faults(StreamFindings& out) {
    const std::size_t dropped = std::erase_if(out.faults, [](const Fault& fault) {
      return fault.issue != Issue::kUnknownKey && !fault.path.empty() &&
             fault.path.steps()[0].name == "status";
    });
    out.total -= dropped;
  }

  StreamLimits limits_;
  bool drops_status_;
  StubKeeper stub_;
  SchemaStream schema_;
  std::unique_ptr<const Judge> without_schema_;
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
  return std::make_unique<SchemaStream>(std::move(schema), options, limits, false);
}

}  // namespace strake::validate
