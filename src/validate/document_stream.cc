#include "validate/document_stream.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/utf8.h"

namespace strake::validate {
namespace {

bool is_named_json(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".ndjson") || name.ends_with(".jsonl");
}

constexpr std::string_view kSpace = " \t\r\n";

std::atomic<std::uint64_t> parses = 0;

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// A flow mapping such as {a: b} looks like JSON and is YAML. Quotes after the bracket mean that
// JSON was intended: as YAML, {"a": } would pass.
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

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

bool is_divider(std::string_view line) {
  return line.starts_with("---") &&
         (line.size() == 3 || std::string_view(" \t\r\n").find(line[3]) != std::string_view::npos);
}

std::size_t start_of_line(std::string_view text, std::size_t offset) {
  const std::size_t end = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

// The first divider at this place or behind it.
std::size_t next_divider(std::string_view text, std::size_t line) {
  while (line < text.size() && !is_divider(text.substr(line, 4))) {
    const std::size_t end = text.find('\n', line);
    line = end == std::string_view::npos ? text.size() : end + 1;
  }
  return line;
}

bool stands_at_divider(const Error& error, std::string_view text) {
  return error.position() && error.position()->offset < text.size() &&
         is_divider(text.substr(start_of_line(text, error.position()->offset), 4));
}

// Readers place what is missing at the end on a line of its own, where nothing can be shown.
Error at_last_sign(Error error, std::string_view text) {
  const std::size_t last = text.find_last_not_of(kSpace);
  if (!error.position() || last == std::string_view::npos) return error;
  if (error.position()->offset <= last) return error;
  Position at{.offset = last + 1};
  const std::string_view before = text.substr(0, last + 1);
  at.line = static_cast<std::uint32_t>(1 + count_lines(before));
  at.column = static_cast<std::uint32_t>(
      1 + utf8::count(before.substr(start_of_line(before, before.size()))));
  return std::move(error).at(at);
}

}  // namespace

Result<value::Document> read_document(std::string_view text, const value::ReadOptions& options) {
  parses.fetch_add(1, std::memory_order_relaxed);
  return value::read_yaml(text, options);
}

std::uint64_t parses_begun() { return parses.load(std::memory_order_relaxed); }

DocumentStream::DocumentStream(std::string_view text, value::ReadOptions options)
    : text_(text), options_(std::move(options)), reader_(reader_for(text_, options_)) {
  parses.fetch_add(1, std::memory_order_relaxed);
  may_be_yaml_ = std::holds_alternative<value::JsonReader>(reader_) &&
                 may_be_flow_yaml(text_, options_.source_name);
}

Result<std::optional<value::Document>> DocumentStream::next() {
  auto got = std::visit([](auto& reader) { return reader.next(); }, reader_);
  if (got) {
    if (*got) ++given_;
    return got;
  }
  // JSON documents may be divided as those of YAML are.
  const bool divided = std::holds_alternative<value::JsonReader>(reader_) &&
                       !is_named_json(options_.source_name) &&
                       stands_at_divider(got.error(), text_);
  if (!(std::exchange(may_be_yaml_, false) || divided) || got.error().code() != Code::kParse)
    return std::unexpected(at_last_sign(std::move(got).error(), text_));
  value::YamlReader yaml(text_, options_);
  // Documents in JSON style are YAML as well: those that were given are passed over.
  for (std::size_t i = 0; i < given_; ++i) {
    if (const auto again = yaml.next(); !again || !*again)
      return std::unexpected(at_last_sign(std::move(got).error(), text_));
  }
  // A text that is neither is most likely meant to be JSON: its error is the one to show.
  auto again = yaml.next();
  if (again || divided) {
    reader_ = std::move(yaml);
    if (again && *again) ++given_;
    return again;
  }
  return std::unexpected(at_last_sign(std::move(got).error(), text_));
}

// Each skip blanks what was left behind and starts the reader anew, so a text with n broken
// documents is gone through n times.
bool DocumentStream::skip_broken(const Error& error) {
  if (error.code() != Code::kParse || !error.position() ||
      !std::holds_alternative<value::YamlReader>(reader_))
    return false;
  const auto offset = std::min(static_cast<std::size_t>(error.position()->offset), text_.size());
  std::size_t from = start_of_line(text_, offset);
  // What is wrong in the line of a divider belongs to the document that begins there; what is wrong
  // at the divider itself, to the one before it.
  if (from != offset || from < resumed_ || (from == resumed_ && !blanked_.empty())) {
    from = text_.find('\n', std::max(from, resumed_));
    from = from == std::string_view::npos ? text_.size() : from + 1;
  }
  from = next_divider(text_, from);
  if (from >= text_.size()) return false;
  // Blanks instead of what was read keep the lines and columns of the rest as they are.
  if (blanked_.empty()) blanked_ = text_;
  std::replace_if(
      blanked_.begin() + static_cast<std::ptrdiff_t>(resumed_),
      blanked_.begin() + static_cast<std::ptrdiff_t>(from),
      [](char c) { return c != '\n' && c != '\r'; }, ' ');
  resumed_ = from;
  reader_ = value::YamlReader(blanked_, options_);
  return true;
}

}  // namespace strake::validate
