#include "cli/io/documents.h"

#include <algorithm>
#include <optional>
#include <string>

#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

std::optional<Format> format_by_name(std::string_view name) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return Format::kYaml;
  if (name.ends_with(".json")) return Format::kJson;
  if (name.ends_with(".ndjson") || name.ends_with(".jsonl")) return Format::kNdjson;
  return std::nullopt;
}

template <typename Reader>
Result<std::vector<value::Document>> read_all(std::string_view text,
                                              const value::ReadOptions& options) {
  std::vector<value::Document> out;
  Reader reader(text, options);
  while (true) {
    auto next = reader.next();
    if (!next) return std::unexpected(std::move(next).error().in(options.source_name));
    if (!*next) return out;
    out.push_back(*std::move(*next));
  }
}

std::size_t count_filled_lines(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (text.substr(0, end).find_first_not_of(" \t\r\n") != std::string_view::npos) ++count;
    text.remove_prefix(end);
  }
  return count;
}

}  // namespace

Result<Documents> read_documents(std::string_view text, std::string_view name,
                                 value::ReadOptions options) {
  options.source_name = name;
  const auto named = format_by_name(name);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool looks_like_json =
      first != std::string_view::npos && (text[first] == '{' || text[first] == '[');

  Documents out;
  if (named.value_or(looks_like_json ? Format::kJson : Format::kYaml) == Format::kYaml) {
    out.format = Format::kYaml;
    STRAKE_TRY(out.items, read_all<value::YamlReader>(text, options));
    return out;
  }
  auto items = read_all<value::JsonReader>(text, options);
  if (!items) {
    // A flow mapping such as {a: b} looks like JSON and is YAML. Quotes after the bracket, or a
    // text that is neither, mean that JSON was intended: as YAML, {"a": } would pass.
    const std::size_t second = text.find_first_not_of(" \t\r\n", first + 1);
    const bool quoted = second != std::string_view::npos && text[second] == '"';
    if (!named && !quoted && items.error().code() == Code::kParse) {
      if (auto yaml = read_all<value::YamlReader>(text, options)) {
        return Documents{.format = Format::kYaml, .items = *std::move(yaml)};
      }
    }
    return std::unexpected(std::move(items).error());
  }
  out.items = *std::move(items);
  out.format = Format::kJson;
  if (named == Format::kNdjson) out.format = Format::kNdjson;
  if (!named && out.items.size() > 1 && out.items.size() == count_filled_lines(text))
    out.format = Format::kNdjson;
  return out;
}

}  // namespace strake::cli
