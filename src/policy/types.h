#pragma once
// The types that expressions of admission policies see beside those of CEL: what `request`,
// `namespaceObject` and `variables` hold, and in mutations Object and JSONPatch. Values of the
// first two are plain documents, as in kube-apiserver 1.36: what is declared is known to the
// checker alone.
#include <map>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/env/env.h"

namespace strake::policy {

extern const cel::Type kRequestType;
extern const cel::Type kNamespaceType;
extern const cel::Type kVariablesType;
extern const cel::Type kObjectType;     // of an apply configuration
extern const cel::Type kJsonPatchType;  // of an operation
extern const cel::Type kJsonPatchesType;

class Types : public cel::TypeProvider {
 public:
  // From now on `variables` has a field of that name. Its type is what kube-apiserver makes of the
  // type of an expression: objects become dyn. Null for one that did not compile.
  void add_variable(std::string_view name, const cel::Type* type);
  const std::map<std::string, const cel::Type*, std::less<>>& variables() const {
    return variables_;
  }

  const cel::Type* find_type(std::string_view name) const override;
  const cel::Type* find_field(std::string_view type, std::string_view field) const override;
  std::optional<std::int64_t> find_enum(std::string_view) const override { return std::nullopt; }
  cel::Value make(std::string_view type, std::span<const FieldValue> fields,
                  Arena& arena) const override;

 private:
  Arena arena_;
  cel::TypeFactory make_{arena_};
  std::map<std::string, const cel::Type*, std::less<>> variables_;
};

// The same with Object and JSONPatch. There is a type for every path that an expression names
// (Object.spec.ports); they are made while it is checked, by one thread, and only looked up when it
// runs.
class PatchTypes final : public cel::TypeProvider {
 public:
  // Must outlive it.
  explicit PatchTypes(const Types& types) : types_(types) {}

  const cel::Type* find_type(std::string_view name) const override;
  const cel::Type* find_field(std::string_view type, std::string_view field) const override;
  std::optional<std::int64_t> find_enum(std::string_view) const override { return std::nullopt; }
  cel::Value make(std::string_view type, std::span<const FieldValue> fields,
                  Arena& arena) const override;

 private:
  const Types& types_;
  mutable std::map<std::string, cel::Type, std::less<>> objects_;
};

}  // namespace strake::policy
