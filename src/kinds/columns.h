#pragma once
// Columns that many tables have, and what fills them.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/time.h"
#include "kinds/strategy.h"
#include "value/value.h"

namespace strake::kinds {

// Both are part of the answers that clients get, word for word.
inline constexpr std::string_view kNameDescription =
    "Name must be unique within a namespace. Is required when creating resources, although some "
    "resources may allow a client to request the generation of an appropriate name automatically. "
    "Name is primarily intended for creation idempotence and configuration definition. Cannot be "
    "updated. More info: "
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
inline constexpr std::string_view kCreationDescription =
    "CreationTimestamp is a timestamp representing the server time when this object was created. "
    "It is not guaranteed to be set in happens-before order across separate operations. Clients "
    "may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the "
    "system. Read-only. Null for lists. More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

Column text_column(std::string name, std::string description, std::int32_t priority = 0);
Column number_column(std::string name, std::string description);
Column flag_column(std::string name, std::string description);

Column name_column();
// The age as text, as the tables of built-in kinds have it.
Column age_column();
// The age by JSONPath: what a custom resource has that names no columns.
Column creation_column();

value::Value name_cell(const value::Value& object);
value::Value age_cell(const value::Value& object, WallTime now, Arena& arena);

}  // namespace strake::kinds
