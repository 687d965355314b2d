#include "ops/compose/env_file.h"

#include <algorithm>

#include "base/lines.h"
#include "base/trim.h"
#include "ops/compose/node.h"
#include "ops/compose/project_files.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::ops::compose {
namespace {

bool is_variable_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// Without the name: it may be the rest of a secret that was meant to be a value.
Error bad_name() {
  return Error(Code::kInvalid, "the name of a variable has letters, digits and _ alone");
}

Result<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return fail(Code::kInvalid, "a double quote stands inside of a value");
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    constexpr std::string_view kFrom = "\\\"nrt";
    constexpr std::string_view kTo = "\\\"\n\r\t";
    const std::size_t which = ++i < text.size() ? kFrom.find(text[i]) : std::string_view::npos;
    if (which == std::string_view::npos)
      return fail(Code::kInvalid, "only \\\\ \\\" \\n \\r \\t are known after a backslash");
    out += kTo[which];
  }
  return out;
}

Result<std::string> read_value(std::string_view text, bool raw) {
  if (raw) return std::string(text);
  for (const char quote : {'"', '\''}) {
    if (!text.starts_with(quote)) continue;
    // Blanks behind the closing quote belong to nothing.
    const std::string_view whole = trim(text, kBlanks);
    if (whole.size() < 2 || !whole.ends_with(quote))
      return fail(Code::kInvalid, "a quote does not end on its line");
    const std::string_view inside = whole.substr(1, whole.size() - 2);
    if (quote == '"') return unescape(inside);
    if (inside.find('\'') != std::string_view::npos)
      return fail(Code::kInvalid, "a single quote stands inside of a value");
    return std::string(inside);
  }
  if (text.starts_with(' ')) text.remove_prefix(1);
  return std::string(text);
}

Result<> read_line(std::string_view line, bool raw, Variables& out) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t start = line.find_first_not_of(kBlanks);
  if (start == std::string_view::npos || line[start] == '#') return {};
  line.remove_prefix(start);
  constexpr std::string_view kExport = "export ";
  if (line.starts_with(kExport)) line.remove_prefix(kExport.size());
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return fail(Code::kInvalid, "there is no = on the line");
  const std::string_view name = trim(line.substr(0, equals), kBlanks);
  if (!is_variable_name(name)) return std::unexpected(bad_name());
  STRAKE_TRY(std::string text, read_value(line.substr(equals + 1), raw));
  out.insert_or_assign(std::string(name), std::move(text));
  return {};
}

Result<Variables> read_lines(std::string_view text, bool raw) {
  Variables out;
  std::uint32_t number = 0;
  while (!text.empty()) {
    ++number;
    if (Result<> done = read_line(take_line(text), raw, out); !done)
      return std::unexpected(
          std::move(done).error().at(Position{.offset = 0, .line = number, .column = 1}));
  }
  return out;
}

Result<Variables> read_mapping(const value::Document& document) {
  const Node root{&document.root(), document.start(), FieldPath()};
  Variables out;
  if (root.value->is_null()) return out;
  STRAKE_CHECK(root.check_mapping());
  for (std::size_t i = 0; i < root.value->size(); ++i) {
    const Node member = root.member(i);
    const std::string_view name = root.value->members()[i].key;
    if (!is_variable_name(name)) return std::unexpected(bad_name().at(root.value->key_position(i)));
    STRAKE_TRY(std::string text, member.scalar());
    out.insert_or_assign(std::string(name), std::move(text));
  }
  return out;
}

Result<Variables> read_by_extension(std::string_view name, std::string_view text, bool raw) {
  value::ReadOptions options;
  options.limits.depth = 16;
  options.limits.bytes = kMaxEnvBytes * 2;
  options.limits.nodes = 100'000;
  options.limits.alias_nodes = 1000;
  options.positions = true;
  options.yaml = value::YamlSchema::kKustomize;
  if (name.ends_with(".yml") || name.ends_with(".yaml")) {
    STRAKE_TRY(const value::Document document, value::read_yaml(text, options));
    return read_mapping(document);
  }
  if (name.ends_with(".json")) {
    STRAKE_TRY(const value::Document document, value::read_json(text, options));
    return read_mapping(document);
  }
  return read_lines(text, raw);
}

}  // namespace

Result<Variables> parse_env_file(std::string_view name, std::string_view text, bool raw) {
  if (!is_plain_text(text))
    return std::unexpected(
        Error(Code::kInvalid, "must be UTF-8 without a byte order mark").in(std::string(name)));
  Result<Variables> out = read_by_extension(name, text, raw);
  if (!out) return std::unexpected(std::move(out).error().in(std::string(name)));
  return out;
}

Result<> check_variables(const Variables& variables) {
  std::size_t bytes = 0;
  for (const auto& [name, text] : variables) {
    if (!is_variable_name(name)) return std::unexpected(bad_name());
    const bool control = std::ranges::any_of(text, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
    });
    if (control) return fail(Code::kInvalid, "the value of {} has a control character", name);
    bytes += name.size() + text.size();
  }
  if (bytes > kMaxEnvBytes)
    return fail(Code::kLimit, "the variables take {} bytes, more than {}", bytes, kMaxEnvBytes);
  return {};
}

}  // namespace strake::ops::compose
