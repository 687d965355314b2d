#pragma once
// What webhook configurations and admission policies have in common: how they pick requests. The
// expressions themselves are not compiled here.
#include "base/arena.h"
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// RuleWithOperations: the scope is any unless given.
void default_rules(value::Value& holder, std::string_view key, Arena& arena);
void check_rules_with_operations(const value::Value& holder, std::string_view key,
                                 const FieldPath& at, value::FieldErrors& errors);

// matchPolicy, namespaceSelector and objectSelector, where they are not given.
void default_match(value::Value& holder, Arena& arena);

// MatchResources
void default_match_resources(value::Value& resources, Arena& arena);
void check_match_resources(const value::Value& resources, const FieldPath& at,
                           value::FieldErrors& errors);

void check_match_conditions(std::span<const value::Value> conditions, const FieldPath& at,
                            value::FieldErrors& errors);

// A warning about names that are kept for configurations from files.
std::vector<std::string> reserved_name_warnings(const value::Value& object);

// Nothing but white space.
bool is_blank(std::string_view text);

}  // namespace strake::kinds
