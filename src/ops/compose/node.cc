#include "ops/compose/node.h"

#include <algorithm>
#include <charconv>

#include "base/edit_distance.h"
#include "base/number_format.h"

namespace strake::ops::compose {
namespace {

std::string_view kind_words(const value::Value& v) {
  switch (v.type()) {
    case value::Type::kNull: return "nothing";
    case value::Type::kBool: return "a boolean";
    case value::Type::kString: return "a string";
    case value::Type::kArray: return "a list";
    case value::Type::kObject: return "a mapping";
    default: return "a number";
  }
}

}  // namespace

std::optional<Node> Node::find(std::string_view key) const {
  const auto members = value->members();
  const auto found = std::ranges::lower_bound(
      members, key,
      [](std::string_view a, std::string_view b) { return value::compare_keys(a, b) < 0; },
      &value::Member::key);
  if (found == members.end() || found->key != key || found->value.is_null()) return std::nullopt;
  return member(static_cast<std::size_t>(found - members.begin()));
}

std::unexpected<Error> Node::not_a(std::string_view wanted) const {
  return wrong("must be {}, got {}", wanted, kind_words(*value));
}

Result<> Node::check_mapping() const {
  if (!value->is_object()) return not_a("a mapping");
  return {};
}

Result<> Node::check_list() const {
  if (!value->is_array()) return not_a("a list");
  return {};
}

Result<> Node::check_keys(std::span<const std::string_view> known) const {
  STRAKE_CHECK(check_mapping());
  for (std::size_t i = 0; i < value->members().size(); ++i) {
    const std::string_view key = value->members()[i].key;
    if (key.starts_with("x-") || std::ranges::find(known, key) != known.end()) continue;
    return unknown_key(*this, i, known);
  }
  return {};
}

std::unexpected<Error> unknown_key(const Node& mapping, std::size_t member,
                                   std::span<const std::string_view> known) {
  const std::string_view key = mapping.value->members()[member].key;
  const auto near = closest(key, known);
  return std::unexpected(
      Error(Code::kInvalid, fmt::format("unknown key \"{}\"{}", key,
                                        near ? fmt::format(": did you mean \"{}\"?", *near) : ""))
          .at(mapping.path)
          .at(mapping.value->key_position(member)));
}

Result<std::string> Node::text() const {
  if (value->is_number() || value->is_bool()) return wrong("must be a string: put it in quotes");
  if (!value->is_string()) return not_a("a string");
  return std::string(value->as_string());
}

Result<std::string> Node::scalar() const {
  switch (value->type()) {
    case value::Type::kString: return std::string(value->as_string());
    case value::Type::kBool: return std::string(value->as_bool() ? "true" : "false");
    case value::Type::kInt: return fmt::format("{}", value->as_int());
    case value::Type::kUint: return fmt::format("{}", value->as_uint());
    case value::Type::kDouble: return format_go_v(value->as_double());
    default: return not_a("a string, a number or a boolean");
  }
}

Result<std::int64_t> Node::integer() const {
  if (value->type() == value::Type::kInt) return value->as_int();
  if (value->is_string()) {
    const std::string_view text = value->as_string();
    std::int64_t out = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (fault == std::errc() && end == text.data() + text.size()) return out;
  }
  return not_a("a whole number");
}

Result<bool> Node::boolean() const {
  if (value->is_bool()) return value->as_bool();
  if (value->is_string() && value->as_string() == "true") return true;
  if (value->is_string() && value->as_string() == "false") return false;
  return not_a("true or false");
}

}  // namespace strake::ops::compose
