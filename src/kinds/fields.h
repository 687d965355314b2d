#pragma once
// Reading the members of decoded objects: absent ones are empty.
#include <initializer_list>
#include <span>
#include <string_view>

#include "value/fields.h"

namespace strake::kinds {

// The value at the end of a chain of member names; null when there is none, or it is null.
const value::Value* member(const value::Value& object, std::string_view key);
const value::Value* member(const value::Value& object,
                           std::initializer_list<std::string_view> keys);
// As value::text_of, through several levels.
std::string_view text_of(const value::Value& object, std::initializer_list<std::string_view> keys);
// Empty when it is not there.
std::int64_t integer(const value::Value& object, std::string_view key);
std::span<const value::Value> items(const value::Value& object, std::string_view key);
std::span<const value::Member> members(const value::Value& object, std::string_view key);

// Both absent, or both there and the same.
bool same_member(const value::Value& a, const value::Value& b, std::string_view key);

// Makes the member of `object` that of `old`: the same value, or none.
void keep_member(value::Value& object, const value::Value& old, std::string_view key, Arena& arena);
// Gives the object the members that it lacks: in one go, where set() would copy all for each.
// `more` is in the order of its keys.
void add_missing_members(value::Value& object, std::span<const value::Member> more, Arena& arena);
// For a write through "status" that brings nothing else: the spec of `old`, and of the metadata
// only what the server keeps itself.
void keep_spec_and_metadata(value::Value& object, const value::Value& old, Arena& arena);

}  // namespace strake::kinds
