#include "kinds/pods/check_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinds/fields.h"
#include "value/json_writer.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void add_invalid(const FieldPath& at, const Value& shown, std::string detail, FieldErrors& errors) {
  if (errors.full()) return errors.omit(1);
  errors.push_back(FieldError::invalid(at, shown, std::move(detail)));
}

void add_invalid(const FieldPath& at, std::string_view shown, std::string detail,
                 FieldErrors& errors) {
  add_invalid(at, Value::string(shown), std::move(detail), errors);
}

void add_invalid_as_json(const FieldPath& at, std::string_view shown, std::string detail,
                         FieldErrors& errors) {
  if (errors.full()) return errors.omit(1);
  errors.push_back({.type = FieldError::Type::kInvalid,
                    .path = at,
                    .shown = value::to_json(Value::string(shown)),
                    .detail = std::move(detail)});
}

void add_all_invalid(const meta::Messages& messages, std::string_view shown, const FieldPath& at,
                     FieldErrors& errors) {
  for (const std::string& message : messages) add_invalid(at, shown, message, errors);
}

bool require_text(const Value& object, std::string_view key, const FieldPath& at,
                  FieldErrors& errors) {
  if (!value::text_of(object, key).empty()) return true;
  errors.push_back(FieldError::required(at / key));
  return false;
}

void check_choice(std::string_view text, Choices choices, const FieldPath& at,
                  FieldErrors& errors) {
  if (std::ranges::find(choices, text) != choices.end()) return;
  if (errors.full()) return errors.omit(1);
  const std::vector<std::string> supported(choices.begin(), choices.end());
  FieldError error = FieldError::not_supported(at, Value(), supported);
  error.shown = value::to_json(Value::string(text));
  errors.push_back(std::move(error));
}

void check_required_choice(const Value& object, std::string_view key, Choices choices,
                           const FieldPath& at, FieldErrors& errors) {
  if (require_text(object, key, at, errors))
    check_choice(value::text_of(object, key), choices, at / key, errors);
}

void check_optional_choice(const Value& object, std::string_view key, Choices choices,
                           const FieldPath& at, FieldErrors& errors) {
  if (member(object, key) != nullptr)
    check_choice(value::text_of(object, key), choices, at / key, errors);
}

void check_optional_text(const Value& object, std::string_view key, TextCheck check,
                         const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = value::text_of(object, key);
  if (text.empty()) return;
  const meta::Messages messages = check(text);
  if (!messages.empty()) add_all_invalid(messages, text, at / key, errors);
}

std::string range_text(std::int64_t least, std::int64_t most) {
  return fmt::format("must be between {} and {}, inclusive", least, most);
}

void check_not_negative(const Value& object, std::string_view key, const FieldPath& at,
                        FieldErrors& errors) {
  const std::int64_t number = integer(object, key);
  if (number < 0)
    add_invalid(at / key, Value::integer(number), "must be greater than or equal to 0", errors);
}

void check_number_range(const Value& object, std::string_view key, std::int64_t least,
                        std::int64_t most, const FieldPath& at, FieldErrors& errors) {
  if (member(object, key) == nullptr) return;
  const std::int64_t number = integer(object, key);
  if (number < least || number > most)
    add_invalid(at / key, Value::integer(number), range_text(least, most), errors);
}

void check_user_id(const Value& object, std::string_view key, const FieldPath& at,
                   FieldErrors& errors) {
  check_number_range(object, key, 0, kMaxInt32, at, errors);
}

void check_file_mode(const Value& object, std::string_view key, const FieldPath& at,
                     FieldErrors& errors) {
  const std::int64_t mode = integer(object, key);
  if (mode >= 0 && mode <= 0777) return;
  add_invalid(at / key, Value::integer(mode),
              "must be a number between 0 and 0777 (octal), both inclusive", errors);
}

bool has_backsteps(std::string_view path) {
  for (std::size_t at = path.find(".."); at != std::string_view::npos;
       at = path.find("..", at + 1)) {
    const bool starts = at == 0 || path[at - 1] == '/';
    const bool ends = at + 2 == path.size() || path[at + 2] == '/';
    if (starts && ends) return true;
  }
  return false;
}

void check_no_backsteps(std::string_view path, const FieldPath& at, FieldErrors& errors) {
  if (has_backsteps(path)) add_invalid(at, path, "must not contain '..'", errors);
}

void check_relative_path(std::string_view path, const FieldPath& at, FieldErrors& errors) {
  if (path.starts_with('/')) add_invalid(at, path, "must be a relative path", errors);
  check_no_backsteps(path, at, errors);
}

void check_unreserved_path(std::string_view path, const FieldPath& at, FieldErrors& errors) {
  check_relative_path(path, at, errors);
  if (path.starts_with("..") && !path.starts_with("../"))
    add_invalid(at, path, "must not start with '..'", errors);
}

meta::Messages check_env_name(std::string_view name) {
  if (name.empty()) return {"environment variable name must be non-empty"};
  const auto is_good = [](char c) { return c >= ' ' && c <= '~' && c != '='; };
  if (std::ranges::all_of(name, is_good)) return {};
  return {
      "a valid environment variable name must consist only of printable ASCII characters other "
      "than '='"};
}

meta::Messages check_header_name(std::string_view name) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (!name.empty() && std::ranges::all_of(name, is_good)) return {};
  return {
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', "
      "regex used for validation is '[-A-Za-z0-9]+')"};
}

namespace {

// _?[a-z0-9]([-_a-z0-9]*[a-z0-9])?
bool is_search_label(std::string_view label) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (label.starts_with('_')) label.remove_prefix(1);
  return !label.empty() && is_plain(label.front()) && is_plain(label.back()) &&
         std::ranges::all_of(label, [&](char c) { return is_plain(c) || c == '-' || c == '_'; });
}

}  // namespace

meta::Messages check_search_domain(std::string_view name) {
  constexpr std::size_t kMostBytes = 253;
  meta::Messages out;
  if (name.size() > kMostBytes)
    out.push_back(fmt::format("must be no more than {} characters", kMostBytes));
  bool good = true;
  for (std::size_t from = 0; good && from <= name.size();) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    good = is_search_label(name.substr(from, dot - from));
    from = dot + 1;
  }
  if (!good) {
    out.emplace_back(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', "
        "'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', "
        "regex used for validation is "
        R"('_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*'))");
  }
  return out;
}

}  // namespace strake::kinds
