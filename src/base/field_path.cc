#include "base/field_path.h"

#include <fmt/format.h>

#include <charconv>

namespace strake {
namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '$';
}

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  for (char c : name) {
    if (!is_name_char(c)) return false;
  }
  return true;
}

bool parse_index(std::string_view digits, std::size_t& out) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc() && end == digits.data() + digits.size();
}

// Reads a quoted name that starts behind text[i] == '"' and leaves i behind the closing quote.
bool parse_quoted(std::string_view text, std::size_t& i, std::string& out) {
  for (++i; i < text.size(); ++i) {
    if (text[i] == '"') return ++i, true;
    if (text[i] == '\\' && ++i == text.size()) return false;
    out += text[i];
  }
  return false;
}

}  // namespace

FieldPath FieldPath::operator/(std::string_view field) const {
  FieldPath out = *this;
  out.push_field(field);
  return out;
}

FieldPath FieldPath::operator/(std::size_t index) const {
  FieldPath out = *this;
  out.push_index(index);
  return out;
}

FieldPath FieldPath::key(std::string_view name) const {
  FieldPath out = *this;
  out.push_key(name);
  return out;
}

std::string FieldPath::to_k8s() const {
  std::string out;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::kField:
        if (!out.empty()) out += '.';
        out += step.name;
        break;
      case Kind::kKey: out += '[' + step.name + ']'; break;
      case Kind::kIndex: out += fmt::format("[{}]", step.index); break;
    }
  }
  return out;
}

std::string FieldPath::to_dotted() const {
  if (steps_.empty()) return ".";
  std::string out;
  for (const Step& step : steps_) {
    if (step.kind == Kind::kIndex) {
      out += fmt::format("[{}]", step.index);
    } else if (is_plain_name(step.name)) {
      out += '.' + step.name;
    } else {
      out += "[\"";
      for (char c : step.name) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
      out += "\"]";
    }
  }
  if (out[0] == '[') out.insert(0, 1, '.');
  return out;
}

std::string FieldPath::to_pointer() const {
  std::string out;
  for (const Step& step : steps_) {
    out += '/';
    if (step.kind == Kind::kIndex) {
      out += fmt::format("{}", step.index);
      continue;
    }
    for (char c : step.name) {
      if (c == '~') {
        out += "~0";
      } else if (c == '/') {
        out += "~1";
      } else {
        out += c;
      }
    }
  }
  return out;
}

bool FieldPath::parse_dotted(std::string_view text, FieldPath& out) {
  out.steps_.clear();
  if (text == "." || text.empty()) return true;
  std::size_t i = 0;
  if (text.starts_with(".[")) i = 1;
  while (i < text.size()) {
    if (text[i] == '[') {
      if (++i < text.size() && text[i] == '"') {
        std::string name;
        if (!parse_quoted(text, i, name) || i == text.size() || text[i] != ']') return false;
        out.push_field(name);
        ++i;
        continue;
      }
      const std::size_t close = text.find(']', i);
      std::size_t index = 0;
      if (close == std::string_view::npos || !parse_index(text.substr(i, close - i), index))
        return false;
      out.push_index(index);
      i = close + 1;
      continue;
    }
    // Only the first name may stand without its dot.
    if (text[i] == '.') {
      ++i;
    } else if (!out.empty()) {
      return false;
    }
    const std::size_t start = i;
    while (i < text.size() && is_name_char(text[i])) ++i;
    if (i == start) return false;
    out.push_field(text.substr(start, i - start));
    if (i < text.size() && text[i] != '.' && text[i] != '[') return false;
  }
  return true;
}

bool FieldPath::parse_pointer(std::string_view text, FieldPath& out) {
  out.steps_.clear();
  if (text.empty()) return true;
  if (text[0] != '/') return false;
  std::size_t i = 0;
  while (i < text.size()) {
    std::string name;
    for (++i; i < text.size() && text[i] != '/'; ++i) {
      if (text[i] != '~') {
        name += text[i];
        continue;
      }
      if (++i == text.size() || (text[i] != '0' && text[i] != '1')) return false;
      name += text[i] == '0' ? '~' : '/';
    }
    std::size_t index = 0;
    const bool digits = parse_index(name, index);
    out.steps_.push_back({digits ? Kind::kIndex : Kind::kField, index, std::move(name)});
  }
  return true;
}

}  // namespace strake
