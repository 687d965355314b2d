#pragma once
// Checks of single fields that the parts of a pod spec share. All of them take the object that has
// the field and the path of that object: paths are made only for what is wrong.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "meta/names.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::int64_t kMaxInt32 = 2'147'483'647;

// Found so far, also what the list has no room for.
inline std::uint64_t count_of(const value::FieldErrors& errors) {
  return errors.size() + errors.omitted();
}

// An invalid value; it is rendered only when the list has room, so that many errors about one long
// value stay cheap.
void add_invalid(const FieldPath& at, const value::Value& shown, std::string detail,
                 value::FieldErrors& errors);
void add_invalid(const FieldPath& at, std::string_view shown, std::string detail,
                 value::FieldErrors& errors);
// The same for a field that is a pointer or has a named type in Go: shown as JSON, not quoted.
void add_invalid_as_json(const FieldPath& at, std::string_view shown, std::string detail,
                         value::FieldErrors& errors);
void add_all_invalid(const meta::Messages& messages, std::string_view shown, const FieldPath& at,
                     value::FieldErrors& errors);

// False, and said, when the text is missing or empty.
bool require_text(const value::Value& object, std::string_view key, const FieldPath& at,
                  value::FieldErrors& errors);

using Choices = std::initializer_list<std::string_view>;
// The text must be one of those of a named type, in the order in which they are listed.
void check_choice(std::string_view text, Choices choices, const FieldPath& at,
                  value::FieldErrors& errors);
// The same where nothing at all is said to be missing.
void check_required_choice(const value::Value& object, std::string_view key, Choices choices,
                           const FieldPath& at, value::FieldErrors& errors);
// The same where the field may be absent.
void check_optional_choice(const value::Value& object, std::string_view key, Choices choices,
                           const FieldPath& at, value::FieldErrors& errors);

// Texts that name something, where they are given and not empty.
using TextCheck = meta::Messages (*)(std::string_view);
void check_optional_text(const value::Value& object, std::string_view key, TextCheck check,
                         const FieldPath& at, value::FieldErrors& errors);

// Numbers, where they are given.
void check_not_negative(const value::Value& object, std::string_view key, const FieldPath& at,
                        value::FieldErrors& errors);
void check_number_range(const value::Value& object, std::string_view key, std::int64_t least,
                        std::int64_t most, const FieldPath& at, value::FieldErrors& errors);
// A user or group, of an object or in a list.
void check_user_id(const value::Value& object, std::string_view key, const FieldPath& at,
                   value::FieldErrors& errors);
// Permissions of a file, where they are given: 0 to 0777.
void check_file_mode(const value::Value& object, std::string_view key, const FieldPath& at,
                     value::FieldErrors& errors);

// No ".." among its parts.
void check_no_backsteps(std::string_view path, const FieldPath& at, value::FieldErrors& errors);
bool has_backsteps(std::string_view path);
// The same, and relative.
void check_relative_path(std::string_view path, const FieldPath& at, value::FieldErrors& errors);
// The same, and not beginning with "..", which is reserved.
void check_unreserved_path(std::string_view path, const FieldPath& at, value::FieldErrors& errors);

// The name of an environment variable: printable ASCII without '='.
meta::Messages check_env_name(std::string_view name);
meta::Messages check_header_name(std::string_view name);
// A DNS subdomain whose labels may have underscores.
meta::Messages check_search_domain(std::string_view name);

// "must be between 0 and 255, inclusive"
std::string range_text(std::int64_t least, std::int64_t most);

}  // namespace strake::kinds
