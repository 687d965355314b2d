#include <algorithm>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
constexpr std::string_view kFinalizer = "kubernetes";

// Namespaces that are always there.
bool is_kept(std::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

void check_finalizer(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  for (const std::string& message : meta::check_qualified_name(name))
    errors.push_back(FieldError::invalid(at, Value::string(name), message));
  if (name.find('/') == std::string_view::npos && !is_standard_finalizer(name)) {
    errors.push_back(
        FieldError::invalid(at, Value::string(name),
                            "name is neither a standard finalizer name nor is it fully qualified"));
  }
}

// Lets the namespace be found by its name through label selectors.
void set_name_label(Value& object, Arena& arena) {
  Value* metadata = object.find("metadata");
  if (metadata == nullptr || !metadata->is_object()) return;
  const std::string_view name = text_of(*metadata, "name");
  if (name.empty()) return;
  Value* labels = metadata->find("labels");
  if (labels == nullptr || !labels->is_object())
    labels = &metadata->set("labels", Value::object({}), arena);
  labels->set(kNameLabel, Value::string(name), arena);
}

class NamespaceStrategy final : public BuiltinStrategy {
 public:
  NamespaceStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Namespace") {
    set_columns({name_column(),
                 {.name = "Status", .type = "string", .description = "The status of the namespace"},
                 age_column()});
  }

  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_dns_label(name, prefix);
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    set_name_label(object, arena);
    if (Value* status = object.find("status");
        status != nullptr && text_of(*status, "phase").empty())
      status->set("phase", Value::string("Active"), arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    set_name_label(object, arena);
    Value& status = object.set("status", Value::object({}), arena);
    status.set("phase", Value::string("Active"), arena);
    Value* spec = object.find("spec");
    if (spec == nullptr || !spec->is_object()) spec = &object.set("spec", Value::object({}), arena);
    const auto finalizers = items(*spec, "finalizers");
    if (std::any_of(finalizers.begin(), finalizers.end(),
                    [](const Value& one) { return one.as_string() == kFinalizer; })) {
      return;
    }
    Value* list = spec->find("finalizers");
    if (list == nullptr || !list->is_array())
      list = &spec->set("finalizers", Value::array({}), arena);
    list->append(Value::string(kFinalizer), arena);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    set_name_label(object, arena);
    keep_member(object, old, "status", arena);
    Value* spec = object.find("spec");
    const Value* old_spec = member(old, "spec");
    if (spec != nullptr && spec->is_object() && old_spec != nullptr)
      keep_member(*spec, *old_spec, "finalizers", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    if (const Value* spec = member(object, "spec")) {
      for (const Value& one : items(*spec, "finalizers"))
        check_finalizer(one.as_string(), FieldPath() / "spec" / "finalizers", errors);
    }
    return errors;
  }

  void prepare_other(Value& object, const Value& old, Arena& arena,
                     const WriteRequest&) const override {
    keep_member(object, old, "status", arena);
  }

  FieldErrors validate_other(const Value& object, const Value&,
                             const WriteRequest&) const override {
    FieldErrors errors;
    const Value* spec = member(object, "spec");
    if (spec == nullptr) return errors;
    const FieldPath at = FieldPath() / "spec" / "finalizers";
    const auto finalizers = items(*spec, "finalizers");
    for (std::size_t i = 0; i < finalizers.size(); ++i)
      check_finalizer(finalizers[i].as_string(), at / i, errors);
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const std::string_view phase = text_of(object, {"status", "phase"});
    // kube-apiserver 1.36 names this field with a capital letter.
    const FieldPath at = FieldPath() / "status" / "Phase";
    if (!meta::ObjectMeta::of(object).is_being_deleted()) {
      if (phase != "Active") {
        errors.push_back(FieldError::invalid(at, Value::string(phase),
                                             "may only be 'Active' if `deletionTimestamp` is "
                                             "empty"));
      }
    } else if (phase != "Terminating") {
      errors.push_back(FieldError::invalid(at, Value::string(phase),
                                           "may only be 'Terminating' if `deletionTimestamp` is "
                                           "not empty"));
    }
    return errors;
  }

  Deletion prepare_delete(Value& object, bool already_deleting, Arena& arena,
                          const WriteRequest& request) const override {
    if (is_kept(meta::ObjectMeta::of(object).name()))
      return {.held = false, .refused = "this namespace may not be deleted"};
    if (!already_deleting) {
      resource::set_meta(object, "deletionTimestamp", Value::string(arena.copy(request.now)),
                         arena);
      Value* status = object.find("status");
      if (status == nullptr) status = &object.set("status", Value::object({}), arena);
      status->set("phase", Value::string("Terminating"), arena);
    }
    return {.held = is_held(object), .refused = {}};
  }

  // By a list of its own.
  bool is_held(const Value& object) const override {
    const Value* held = member(object, {"spec", "finalizers"});
    return held != nullptr && held->size() > 0;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(text_of(object, {"status", "phase"})),
           age_cell(object, now, arena)};
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"status.phase"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    return label == "status.phase" ? std::string(text_of(object, {"status", "phase"})) : "";
  }
};

}  // namespace

const BuiltinStrategy& namespace_strategy() {
  static const NamespaceStrategy& strategy = *new NamespaceStrategy();
  return strategy;
}

}  // namespace strake::kinds
