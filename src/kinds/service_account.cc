#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::string_view kMountableAnnotation = "kubernetes.io/enforce-mountable-secrets";

// Only the name of a secret counts: it lies in the same namespace.
void clean_secrets(Value& object, Arena& arena) {
  Value* secrets = object.find("secrets");
  if (secrets == nullptr || !secrets->is_array()) return;
  for (Value& one : secrets->mutable_items()) {
    const std::string_view name = text_of(one, "name");
    one = Value::object({});
    if (!name.empty()) one.set("name", Value::string(name), arena);
  }
}

bool has_mountable_annotation(const Value& object) {
  const Value* annotations = meta::ObjectMeta::of(object).annotations();
  return annotations != nullptr && annotations->find(kMountableAnnotation) != nullptr;
}

class ServiceAccountStrategy final : public BuiltinStrategy {
 public:
  ServiceAccountStrategy() : BuiltinStrategy("io.k8s.api.core.v1.ServiceAccount") {
    set_columns({name_column(), age_column()});
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    clean_secrets(object, arena);
  }
  void prepare_update(Value& object, const Value&, Arena& arena,
                      const WriteRequest&) const override {
    clean_secrets(object, arena);
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    if ((old != nullptr && has_mountable_annotation(*old)) || !has_mountable_annotation(object))
      return {};
    return {"metadata.annotations[" + std::string(kMountableAnnotation) +
            "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted "
            "secrets"};
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& service_account_strategy() {
  static const ServiceAccountStrategy& strategy = *new ServiceAccountStrategy();
  return strategy;
}

}  // namespace strake::kinds
