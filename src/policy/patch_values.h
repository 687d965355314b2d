#pragma once
// What the expressions of mutations make: Object{...} for an apply configuration and JSONPatch{...}
// for an operation, and what becomes of them as JSON.
#include <expected>
#include <span>
#include <string>

#include "base/arena.h"
#include "cel/env/env.h"
#include "value/value.h"

namespace strake::policy {

cel::Value make_patch_object(const cel::Type& type,
                             std::span<const cel::TypeProvider::FieldValue> fields, Arena& arena);
cel::Value make_json_patch(std::span<const cel::TypeProvider::FieldValue> fields, Arena& arena);

// The apply configuration that an expression gave. Fails with the words of kube-apiserver 1.36 when
// it has types that do not belong to their place, or values that are no JSON.
std::expected<value::Value, std::string> apply_configuration_of(const cel::Value& v, Arena& arena);
// The operations of a JSON patch, as a document.
std::expected<value::Value, std::string> json_patch_of(const cel::Value& v, Arena& arena);

}  // namespace strake::policy
