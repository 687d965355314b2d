#include "cli/operate/ordered_json.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "base/rfc3339.h"
#include "cli/io/terminal.h"
#include "value/json_writer.h"

namespace strake::cli {

// What stands before each value: a comma behind the last one, a line of its own, its name.
void OrderedJson::lead(std::string_view name) {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) {
    text_ += ',';
    line_ += ',';
  }
  level.empty = false;
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
  if (level.bracket == '[') return;
  std::string key;
  value::write_json_string(name, key);
  text_ += key + ": ";
  line_ += key + ':';
}

void OrderedJson::put(std::string_view name, std::string_view literal) {
  lead(name);
  text_ += literal;
  line_ += literal;
}

OrderedJson& OrderedJson::open(std::string_view name, char bracket) {
  put(name, std::string_view(&bracket, 1));
  levels_.push_back({.bracket = bracket});
  return *this;
}

OrderedJson& OrderedJson::close() {
  STRAKE_ASSERT(!levels_.empty());
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty) {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
  const char end = level.bracket == '{' ? '}' : ']';
  text_ += end;
  line_ += end;
  return *this;
}

OrderedJson& OrderedJson::text(std::string_view name, std::string_view value) {
  std::string literal;
  value::write_json_string(value, literal);
  put(name, literal);
  return *this;
}

OrderedJson& OrderedJson::number(std::string_view name, std::int64_t value) {
  put(name, fmt::format("{}", value));
  return *this;
}

OrderedJson& OrderedJson::real(std::string_view name, double value) {
  put(name, value::to_json(value::Value::number(value)));
  return *this;
}

OrderedJson& OrderedJson::flag(std::string_view name, bool value) {
  put(name, value ? "true" : "false");
  return *this;
}

OrderedJson& OrderedJson::time(std::string_view name, WallTime value) {
  return text(name, format_rfc3339_nano(Instant::from(value)));
}

OrderedJson& OrderedJson::texts(std::string_view name, const std::vector<std::string>& values) {
  open_list(name);
  for (const std::string& one : values) text({}, one);
  return close();
}

OrderedJson& OrderedJson::map(std::string_view name,
                              const std::map<std::string, std::string, std::less<>>& values) {
  open_object(name);
  for (const auto& [key, value] : values) text(key, value);
  return close();
}

OrderedJson& OrderedJson::options(std::string_view name, const provider::OptionMap& values) {
  open_object(name);
  for (const auto& [key, value] : values) {
    if (const auto* is_flag = std::get_if<bool>(&value)) flag(key, *is_flag);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) number(key, *whole);
    if (const auto* number_ = std::get_if<double>(&value)) real(key, *number_);
    if (const auto* words = std::get_if<std::string>(&value)) text(key, *words);
  }
  return close();
}

std::string OrderedJson::done() const {
  STRAKE_ASSERT(levels_.empty());
  return printable_json(text_) + "\n";
}

std::string OrderedJson::line() const {
  STRAKE_ASSERT(levels_.empty());
  return printable_json(line_) + "\n";
}

}  // namespace strake::cli
