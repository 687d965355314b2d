#include "kinds/workloads/pod_templates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "meta/names.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

const Value* template_labels(const Value& pod_template) {
  return member(pod_template, {"metadata", "labels"});
}

bool check_template_is_selected(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value* labels = template_labels(spec.get("template"));
  const std::optional<bool> selected = selects(member(spec, "selector"), labels);
  if (selected && !*selected) {
    errors.push_back(FieldError::invalid(at / "template" / "metadata" / "labels",
                                         labels != nullptr ? *labels : Value(),
                                         "`selector` does not match template `labels`"));
  }
  return selected.has_value();
}

void check_template_keeps_running(const Value& pod_template, std::string_view owner,
                                  const FieldPath& at, FieldErrors& errors) {
  const Value& spec = pod_template.get("spec");
  check_text_is_one_of(text_of(spec, "restartPolicy"), {"Always"}, at / "spec" / "restartPolicy",
                       errors);
  if (member(spec, "activeDeadlineSeconds") == nullptr) return;
  errors.push_back(
      FieldError::forbidden(at / "spec" / "activeDeadlineSeconds",
                            fmt::format("activeDeadlineSeconds in {} is not Supported", owner)));
}

void check_running_template(const Value& spec, const Value* old_spec, std::string_view owner,
                            const FieldPath& at, FieldErrors& errors) {
  const Value& pod_template = spec.get("template");
  check_pod_template(
      pod_template,
      {.in_template = true,
       .old_spec = old_spec != nullptr ? member(*old_spec, {"template", "spec"}) : nullptr},
      at / "template", errors);
  check_template_keeps_running(pod_template, owner, at / "template", errors);
}

void check_required_selector(const Value& spec, std::string_view owner, const FieldPath& at,
                             FieldErrors& errors) {
  const Value* selector = member(spec, "selector");
  if (selector == nullptr) return errors.push_back(FieldError::required(at / "selector"));
  check_label_selector(*selector, {}, at / "selector", errors);
  if (!is_empty_selector(*selector)) return;
  errors.push_back(invalid_shown(at / "selector", show_label_selector(selector),
                                 fmt::format("empty selector is invalid for {}", owner)));
}

void check_replicated_pods(const Value& spec, const Value* old_spec, const FieldPath& at,
                           FieldErrors& errors) {
  check_not_negative(spec, {"replicas", "minReadySeconds"}, at, errors);
  // kube-apiserver 1.36 says so of both kinds.
  check_required_selector(spec, "deployment", at, errors);
  if (check_template_is_selected(spec, at, errors)) {
    check_running_template(spec, old_spec, "ReplicaSet", at, errors);
  } else {
    errors.push_back(invalid_shown(at / "selector", show_label_selector(member(spec, "selector")),
                                   "invalid label selector"));
  }
}

void add_name_warning(const Value& object, std::vector<std::string>& out) {
  const meta::Messages messages = meta::check_dns1123_label(meta::ObjectMeta::of(object).name());
  if (messages.empty()) return;
  out.push_back(fmt::format(
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising "
      "behavior; a DNS label is recommended: [{}]",
      fmt::join(messages, " ")));
}

void add_template_warnings(const Value& spec, const Value* old_spec, const FieldPath& at,
                           std::vector<std::string>& out) {
  const Value* pod_template = member(spec, "template");
  if (pod_template == nullptr) return;
  const Value* old = old_spec != nullptr ? member(*old_spec, "template") : nullptr;
  std::ranges::move(pod_template_warnings(*pod_template, old, at / "template"),
                    std::back_inserter(out));
}

void add_container_columns(std::vector<Column>& columns) {
  columns.push_back(text_column("Containers", "The names of the containers.", 1));
  columns.push_back(text_column("Images", "The images that the containers run.", 1));
}

Column selector_column() { return text_column("Selector", "Selects the pods by their labels.", 1); }

void add_container_cells(const Value& pod_template, std::vector<Value>& out, Arena& arena) {
  const auto containers = items(pod_template.get("spec"), "containers");
  for (const std::string_view key : {"name", "image"}) {
    std::vector<std::string_view> texts;
    texts.reserve(containers.size());
    for (const Value& container : containers) texts.push_back(text_of(container, key));
    out.push_back(text_cell(fmt::format("{}", fmt::join(texts, ",")), arena));
  }
}

Value text_cell(std::string_view text, Arena& arena) { return Value::string(arena.copy(text)); }

Value number_cell(const Value& holder, std::string_view key) {
  return Value::integer(integer(holder, key));
}

Value selector_cell(const Value& spec, Arena& arena) {
  const std::optional<std::string> text = selector_text(member(spec, "selector"));
  if (!text) return Value::string("<error>");
  return text->empty() ? Value::string("<none>") : text_cell(*text, arena);
}

}  // namespace strake::kinds
