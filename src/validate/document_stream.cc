#include "validate/document_stream.h"

#include <utility>

namespace strake::validate {
namespace {

bool is_named_json(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".ndjson") || name.ends_with(".jsonl");
}

constexpr std::string_view kSpace = " \t\r\n";

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// A flow mapping such as {a: b} looks like JSON and is YAML. Quotes after the bracket mean that
// JSON was intended: as YAML,
// {"a": } would pass.
bool may_be_flow_yaml(std::string_view text, std::string_view name) {
  if (is_named_json(name)) return false;
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return true;
  const std::size_t second = text.find_first_not_of(kSpace, text.find_first_not_of(kSpace) + 1);
  return second != std::string_view::npos && text[second] != '"';
}

std::variant<value::JsonReader, value::YamlReader> reader_for(std::string_view text,
                                                              const value::ReadOptions& options) {
  if (is_named_json(options.source_name) || looks_like_json(text))
    return value::JsonReader(text, options);
  return value::YamlReader(text, options);
}

}  // namespace

DocumentStream::DocumentStream(std::string_view text, value::ReadOptions options)
    : text_(text), options_(std::move(options)), reader_(reader_for(text_, options_)) {
  may_be_yaml_ = std::holds_alternative<value::JsonReader>(reader_) &&
                 may_be_flow_yaml(text_, options_.source_name);
}

Result<std::optional<value::Document>> DocumentStream::next() {
  auto got = std::visit([](auto& reader) { return reader.next(); }, reader_);
  if (got || !std::exchange(may_be_yaml_, false) || got.error().code() != Code::kParse) {
    if (got && *got) ++given_;
    return got;
  }
  value::YamlReader yaml(text_, options_);
  // Documents in JSON style are YAML as well: those that were given are passed over.
  for (std::size_t i = 0; i < given_; ++i) {
    if (const auto again = yaml.next(); !again || !*again) return got;
  }
  // A text that is neither is most likely meant to be JSON: its error is the one to show.
  if (auto again = yaml.next()) {
    reader_ = std::move(yaml);
    return again;
  }
  return got;
}

}  // namespace strake::validate
