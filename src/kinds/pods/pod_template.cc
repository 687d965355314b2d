#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/pods/pod_kinds.h"
#include "kinds/pods/pod_spec.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

// "a,b" of the members of that name.
std::string joined_members(std::span<const Value> list, std::string_view key) {
  std::string out;
  for (const Value& one : list) {
    if (&one != &list.front()) out += ',';
    out += value::text_of(one, key);
  }
  return out;
}

std::string shown_template_labels(const Value& pod_template) {
  std::string out;
  for (const value::Member& label : members(pod_template.get("metadata"), "labels")) {
    if (!out.empty()) out += ',';
    out += label.key;
    out += '=';
    out += value::text_of(label.value);
  }
  return out.empty() ? "<none>" : out;
}

class PodTemplateStrategy final : public BuiltinStrategy {
 public:
  PodTemplateStrategy() : BuiltinStrategy("io.k8s.api.core.v1.PodTemplate") {
    const auto column = [](std::string name, std::string description) {
      return Column{
          .name = std::move(name), .type = "string", .description = std::move(description)};
    };
    set_columns({name_column(), column("Containers", "Names of each container in the template."),
                 column("Images", "Images referenced by each container in the template."),
                 column("Pod Labels", "The labels for the pod template.")});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    apply_pod_template_defaults(object.object_at("template", arena), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check(object, nullptr);
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return check(object, &old.get("template"));
  }

  // An update that leaves the template alone is told nothing.
  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    if (old != nullptr && same_member(object, *old, "template")) return {};
    return pod_template_warnings(object.get("template"),
                                 old != nullptr ? &old->get("template") : nullptr,
                                 FieldPath() / "template");
  }

  void cells(const Value& object, WallTime, std::vector<Value>& out, Arena& arena) const override {
    const Value& pod_template = object.get("template");
    const auto containers = items(pod_template.get("spec"), "containers");
    out = {name_cell(object), Value::string(arena.copy(joined_members(containers, "name"))),
           Value::string(arena.copy(joined_members(containers, "image"))),
           Value::string(arena.copy(shown_template_labels(pod_template)))};
  }

 private:
  static FieldErrors check(const Value& object, const Value* old_template) {
    FieldErrors errors;
    const PodCheckOptions options{
        .in_template = true,
        .old_spec = old_template != nullptr ? &old_template->get("spec") : nullptr,
        .old_metadata = old_template != nullptr ? &old_template->get("metadata") : nullptr};
    check_pod_template(object.get("template"), options, FieldPath() / "template", errors);
    return errors;
  }
};

}  // namespace

const BuiltinStrategy& pod_template_strategy() {
  static const PodTemplateStrategy& strategy = *new PodTemplateStrategy();
  return strategy;
}

}  // namespace strake::kinds
