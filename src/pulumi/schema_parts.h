#pragma once
// Small pieces of structural schemas, and questions about them.
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace strake::pulumi {

inline constexpr std::string_view kPreserve = "x-kubernetes-preserve-unknown-fields";
inline constexpr std::string_view kIntOrString = "x-kubernetes-int-or-string";
inline constexpr std::string_view kListType = "x-kubernetes-list-type";
inline constexpr std::string_view kListMapKeys = "x-kubernetes-list-map-keys";
inline constexpr std::string_view kValidations = "x-kubernetes-validations";

value::Value make_list(std::span<const value::Value> items, Arena& arena);
// Sorted, each once.
value::Value make_text_set(std::vector<std::string_view> texts, Arena& arena);
// Members must come sorted.
value::Value make_object(std::span<const value::Member> members, Arena& arena);

value::Value schema_of_type(std::string_view type, Arena& arena);
value::Value opaque_object(Arena& arena);  // type: object that keeps whatever it is given

std::string_view schema_type(const value::Value& schema);  // empty when there is none
bool is_scalar_type(std::string_view type);
bool is_opaque(const value::Value& schema);
std::vector<std::string_view> required_of(const value::Value& schema);

// Whether a value of a scalar type; integers may be written with a zero fraction.
bool fits_scalar(const value::Value& v, std::string_view type);
// Whether the API server would take the value as the schema's default: nothing unknown, nothing
// missing. Schemas with conditions say no.
bool fits_schema(const value::Value& v, const value::Value& schema);
// A number of an integer type without its fraction; anything else as it is.
value::Value settled_scalar(const value::Value& v, std::string_view type);

}  // namespace strake::pulumi
