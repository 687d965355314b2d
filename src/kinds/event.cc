#include <fmt/format.h>

#include "base/trim.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/event_forms.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "meta/age.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMaxWordBytes = 128;
constexpr std::size_t kMaxMessageBytes = 1024;

constexpr GoField kReferenceFields[] = {
    {"kind", "Kind"},
    {"namespace", "Namespace"},
    {"name", "Name"},
    {"uid", "UID"},
    {"apiVersion", "APIVersion"},
    {"resourceVersion", "ResourceVersion"},
    {"fieldPath", "FieldPath"},
};
constexpr GoField kSourceFields[] = {{"component", "Component"}, {"host", "Host"}};

enum class Api : std::uint8_t { kCore, kEvents };

// Judges an event in the form of v1; `api` is what it was sent to.
class EventCheck {
 public:
  EventCheck(const Value& event, Api api) : event_(event), api_(api) {}

  FieldErrors create() {
    check_always();
    if (api_ == Api::kCore) return std::move(errors_);
    check_series();
    if (!has("eventTime")) required("eventTime");
    const std::string_view type = text_of(event_, "type");
    if (type != "Normal" && type != "Warning")
      invalid("type", fmt::format("has invalid value: {}", type));
    if (has("firstTimestamp")) invalid("firstTimestamp", "needs to be unset");
    if (has("lastTimestamp")) invalid("lastTimestamp", "needs to be unset");
    if (integer(event_, "count") != 0) invalid("count", "needs to be unset");
    if (!text_of(event_, {"source", "component"}).empty() ||
        !text_of(event_, {"source", "host"}).empty())
      invalid("source", "needs to be unset");
    return std::move(errors_);
  }

  FieldErrors update(const Value& old) {
    check_always();
    if (api_ == Api::kCore) return std::move(errors_);
    if (!same_member(event_, old, "series")) check_series();
    for (const std::string_view key :
         {"involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp",
          "count", "type", "eventTime", "action", "related"}) {
      check_unchanged(old, key, key);
    }
    check_unchanged(old, "reportingComponent", "reportingController");
    check_unchanged(old, "reportingInstance", "reportingInstance");
    return std::move(errors_);
  }

 private:
  bool has(std::string_view key) const { return member(event_, key) != nullptr; }
  void required(std::string_view field) {
    errors_.push_back(FieldError::required(FieldPath() / field));
  }
  // kube-apiserver 1.36 shows no value in these.
  void invalid(std::string_view field, std::string detail) {
    errors_.push_back(
        FieldError::invalid(FieldPath() / field, Value::string(""), std::move(detail)));
  }

  void check_always() {
    const std::string_view namespace_name = meta::ObjectMeta::of(event_).namespace_name();
    const std::string_view involved = text_of(event_, {"involvedObject", "namespace"});
    const bool is_new = has("eventTime");
    const bool spaces_agree =
        is_new ? !involved.empty() || namespace_name == "default" || namespace_name == "kube-system"
               : (involved.empty() ? namespace_name.empty() || namespace_name == "default"
                                   : namespace_name == involved);
    if (!spaces_agree) {
      errors_.push_back(FieldError::invalid(FieldPath() / "involvedObject" / "namespace",
                                            Value::string(involved),
                                            "does not match event.namespace"));
    }
    if (is_new) check_words();
    for (const std::string& message : meta::check_dns1123_subdomain(namespace_name))
      errors_.push_back(
          FieldError::invalid(FieldPath() / "namespace", Value::string(namespace_name), message));
  }

  void check_words() {
    const std::string_view controller = text_of(event_, "reportingComponent");
    const std::string_view field =
        api_ == Api::kCore ? "reportingComponent" : "reportingController";
    if (controller.empty()) required(field);
    for (const std::string& message : meta::check_qualified_name(controller)) {
      errors_.push_back(
          FieldError::invalid(FieldPath() / field, Value::string(controller), message));
    }
    for (const std::string_view key : {"reportingInstance", "action", "reason"}) {
      if (text_of(event_, key).empty()) required(key);
      check_length(key, kMaxWordBytes);
    }
    check_length("message", kMaxMessageBytes);
  }

  void check_length(std::string_view key, std::size_t max) {
    if (text_of(event_, key).size() > max)
      invalid(key, fmt::format("can have at most {} characters", max));
  }

  void check_series() {
    const Value* series = member(event_, "series");
    if (series == nullptr) return;
    if (integer(*series, "count") < 2) invalid("series.count", "should be at least 2");
    if (member(*series, "lastObservedTime") == nullptr) required("series.lastObservedTime");
  }

  void check_unchanged(const Value& old, std::string_view key, std::string_view field) {
    if (same_member(event_, old, key)) return;
    const Value* now = member(event_, key);
    std::string shown;
    if (key == "involvedObject" || (key == "related" && now != nullptr)) {
      shown = show_go_struct(now, kReferenceFields);
    } else if (key == "source") {
      shown = show_go_struct(now, kSourceFields);
    } else if (now != nullptr) {
      shown = value::render_value(*now);
    } else if (key == "count") {
      shown = "0";
    } else {
      const bool is_time = key == "firstTimestamp" || key == "lastTimestamp" || key == "eventTime";
      shown = is_time || key == "related" ? "null" : "\"\"";
    }
    errors_.push_back({.type = FieldError::Type::kInvalid,
                       .path = FieldPath() / field,
                       .shown = std::move(shown),
                       .detail = "field is immutable"});
  }

  const Value& event_;
  Api api_;
  FieldErrors errors_;
};

std::string_view source_of(const Value& event) {
  const std::string_view component = text_of(event, {"source", "component"});
  return component.empty() ? text_of(event, "reportingComponent") : component;
}

std::string age_at(const Value& event, std::string_view key, WallTime now) {
  return meta::human_age_since(text_of(event, key), now);
}

// One row, from the form of v1.
void event_cells(const Value& event, WallTime now, std::vector<Value>& out, Arena& arena) {
  const auto kept = [&](std::string_view s) { return Value::string(arena.copy(s)); };
  const std::string first =
      age_at(event, member(event, "firstTimestamp") ? "firstTimestamp" : "eventTime", now);
  std::string last = member(event, "lastTimestamp") ? age_at(event, "lastTimestamp", now) : first;
  std::int64_t count = integer(event, "count");
  if (const Value* series = member(event, "series")) {
    last = age_at(*series, "lastObservedTime", now);
    count = integer(*series, "count");
  } else if (count == 0) {
    count = 1;
  }
  const std::string_view name = text_of(event, {"involvedObject", "name"});
  std::string target = meta::to_lower_ascii(text_of(event, {"involvedObject", "kind"}));
  if (!name.empty()) target += fmt::format("/{}", name);
  const std::string_view host = text_of(event, {"source", "host"});
  const std::string_view instance = host.empty() ? text_of(event, "reportingInstance") : host;
  std::string source(source_of(event));
  if (!instance.empty()) source += fmt::format(", {}", instance);
  out = {kept(last),
         kept(text_of(event, "type")),
         kept(text_of(event, "reason")),
         kept(target),
         kept(text_of(event, {"involvedObject", "fieldPath"})),
         kept(source),
         kept(trim(text_of(event, "message"))),
         kept(first),
         Value::integer(count),
         kept(meta::ObjectMeta::of(event).name())};
}

std::vector<Column> event_columns() {
  const auto column = [](std::string name, std::string description, std::int32_t priority) {
    return Column{.name = std::move(name),
                  .type = "string",
                  .description = std::move(description),
                  .priority = priority};
  };
  Column name = name_column();
  name.priority = 1;
  return {column("Last Seen", "How long ago it happened last.", 0),
          column("Type", "Normal or Warning.", 0),
          column("Reason", "Why it happened, in one word.", 0),
          column("Object", "The object that the event is about.", 0),
          column("Subobject", "The part of the object that is meant.", 1),
          column("Source", "Who reports it.", 1),
          column("Message", "What happened.", 0),
          column("First Seen", "How long ago it happened first.", 1),
          column("Count", "How often it happened.", 1),
          std::move(name)};
}

// The paths that a field selector may name, as they stand in objects of v1.
std::string core_field(const Value& event, std::string_view label) {
  constexpr std::string_view kInvolved = "involvedObject.";
  if (label.starts_with(kInvolved))
    return std::string(text_of(event, {"involvedObject", label.substr(kInvolved.size())}));
  if (label == "source") return std::string(source_of(event));
  return std::string(text_of(event, label));
}

// v1. The name is only asked to fit into a path.
class CoreEventStrategy final : public BuiltinStrategy {
 public:
  CoreEventStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Event") {
    set_columns(event_columns());
  }

  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_path_segment(name, prefix);
  }
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return EventCheck(object, Api::kCore).create();
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return EventCheck(object, Api::kCore).update(old);
  }
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    event_cells(object, now, out, arena);
  }
  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"involvedObject.kind",
                                                   "involvedObject.namespace",
                                                   "involvedObject.name",
                                                   "involvedObject.uid",
                                                   "involvedObject.apiVersion",
                                                   "involvedObject.resourceVersion",
                                                   "involvedObject.fieldPath",
                                                   "reason",
                                                   "reportingComponent",
                                                   "source",
                                                   "type"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    return core_field(object, label);
  }
};

// events.k8s.io/v1
class EventStrategy final : public BuiltinStrategy {
 public:
  EventStrategy() : BuiltinStrategy("io.k8s.api.events.v1.Event") { set_columns(event_columns()); }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    Arena arena;
    return EventCheck(core_form(object, arena), Api::kEvents).create();
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    Arena arena;
    const Value now = core_form(object, arena);
    return EventCheck(now, Api::kEvents).update(core_form(old, arena));
  }
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    event_cells(core_form(object, arena), now, out, arena);
  }
  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"reason",
                                                   "regarding.kind",
                                                   "regarding.namespace",
                                                   "regarding.name",
                                                   "regarding.uid",
                                                   "regarding.apiVersion",
                                                   "regarding.resourceVersion",
                                                   "regarding.fieldPath",
                                                   "reportingController",
                                                   "type"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    constexpr std::string_view kRegarding = "regarding.";
    if (label.starts_with(kRegarding))
      return std::string(text_of(object, {"regarding", label.substr(kRegarding.size())}));
    return std::string(text_of(object, label));
  }
  void to_stored(Value& object, Arena& arena) const override { event_to_core(object, arena); }
  void from_stored(Value& object, Arena& arena) const override { event_from_core(object, arena); }

 private:
  static Value core_form(const Value& object, Arena& arena) {
    Value copy = value::deep_copy(object, arena);
    event_to_core(copy, arena);
    return copy;
  }
};

}  // namespace

const BuiltinStrategy& core_event_strategy() {
  static const CoreEventStrategy& strategy = *new CoreEventStrategy();
  return strategy;
}

const BuiltinStrategy& event_strategy() {
  static const EventStrategy& strategy = *new EventStrategy();
  return strategy;
}

}  // namespace strake::kinds
