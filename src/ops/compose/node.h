#pragma once
// A value of a Compose document with where it stands, so that every error names the place.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/field_path.h"
#include "base/position.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::ops::compose {

struct Node {
  const value::Value* value = nullptr;  // of a document that was read with positions
  Position at;
  FieldPath path;

  Node item(std::size_t i) const { return {&value->items()[i], value->item_position(i), path / i}; }
  Node member(std::size_t i) const {
    return {&value->members()[i].value, value->value_position(i), path / value->members()[i].key};
  }
  // Nothing when there is none, or it is null: Compose takes both for absent.
  std::optional<Node> find(std::string_view key) const;

  template <typename... Args>
  std::unexpected<Error> wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return std::unexpected(
        Error(Code::kInvalid, fmt::format(format, std::forward<Args>(args)...)).at(path).at(at));
  }
  std::unexpected<Error> wrong(Error error) const {
    return std::unexpected(std::move(error).at(path).at(at));
  }
  // "must be <wanted>, got a list"
  std::unexpected<Error> not_a(std::string_view wanted) const;

  Result<> check_mapping() const;
  Result<> check_list() const;
  // Other members than these, and x-..., fail where their key stands; a near name is suggested.
  Result<> check_keys(std::span<const std::string_view> known) const;

  Result<std::string> text() const;      // a string
  Result<std::string> scalar() const;    // a string, number or boolean, as its text
  Result<std::int64_t> integer() const;  // or a text of digits: a variable stood there
  Result<bool> boolean() const;          // or such a text
};

// The error of check_keys() for one member.
std::unexpected<Error> unknown_key(const Node& mapping, std::size_t member,
                                   std::span<const std::string_view> known);

}  // namespace strake::ops::compose
