#include "recording/normal_form.h"

#include <algorithm>

#include "base/hex.h"
#include "http/message.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::recording {
namespace {

using value::Member;
using value::text_of;
using value::Value;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
}

// Whether the text begins like the pattern: h stands for a hexadecimal digit, d for a decimal one,
// any other character for itself.
bool begins_like(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = text[i];
    const bool fits = pattern[i] == 'h'   ? hex_digit(c) >= 0
                      : pattern[i] == 'd' ? is_digit(c)
                                          : c == pattern[i];
    if (!fits) return false;
  }
  return true;
}

constexpr std::string_view kUid = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
constexpr std::string_view kSecond = "dddd-dd-ddTdd:dd:dd";

// How long the time is that the text begins with; 0 when it begins with none.
std::size_t time_size(std::string_view text) {
  if (!begins_like(text, kSecond)) return 0;
  std::size_t at = kSecond.size();
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  if (at < text.size() && text[at] == 'Z') return at + 1;
  if (begins_like(text.substr(at), "+dd:dd") || begins_like(text.substr(at), "-dd:dd"))
    return at + 6;
  return 0;
}

// A certificate in PEM, or base64 of one: its size; 0 when the text begins with none.
std::size_t certificate_size(std::string_view text) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
  constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
  constexpr std::string_view kEncoded = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t";
  if (text.starts_with(kEncoded)) return std::min(text.find_first_of(" \n\""), text.size());
  if (!text.starts_with(kBegin)) return 0;
  const std::size_t end = text.find(kEnd);
  return end == std::string_view::npos ? 0 : end + kEnd.size();
}

// Behind "127.0.0.1:" and "localhost:", where the text begins with one of them: the size of both.
std::size_t local_port_size(std::string_view text) {
  for (const std::string_view host : {"127.0.0.1:", "localhost:"}) {
    if (!text.starts_with(host)) continue;
    std::size_t at = host.size();
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > host.size() ? at : 0;
  }
  return 0;
}

// The name of an event, as clients make it: <object>.<moment in hexadecimal>. Where that moment
// begins; npos for any other name.
std::size_t event_moment(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::string_view::npos;
  const std::string_view moment = name.substr(dot + 1);
  const bool fits = moment.size() >= 14 && moment.size() <= 16 &&
                    std::ranges::all_of(moment, [](char c) { return hex_digit(c) >= 0; });
  return fits ? dot + 1 : std::string_view::npos;
}

void append_name(std::string_view name, const GeneratedNames& names, std::string& out) {
  if (const std::string_view known = names.find(name); !known.empty()) {
    out += known;
  } else if (const std::size_t at = event_moment(name); at != std::string_view::npos) {
    out += name.substr(0, at);
    out += "<time>";
  } else {
    out += name;
  }
}

bool is_version(std::string_view text) {
  return !text.empty() && text != "0" && std::ranges::all_of(text, is_digit);
}

class Normalizer {
 public:
  Normalizer(const GeneratedNames& names, std::string& out) : names_(names), out_(out) {}

  void write(const Value& value) {
    switch (value.type()) {
      case value::Type::kObject: return write_object(value);
      case value::Type::kArray: return write_array(value);
      case value::Type::kString:
        return value::write_json_string(normal_text(value.as_string(), names_), out_, false);
      default: value::write_json(value, out_, {.escape_html = false});
    }
  }

 private:
  void write_object(const Value& object) {
    char before = '{';
    for (const Member& one : object.members()) {
      out_ += std::exchange(before, ',');
      value::write_json_string(one.key, out_, false);
      out_ += ':';
      if (const std::string_view name = stands_for(one); !name.empty()) {
        value::write_json_string(name, out_, false);
      } else if (one.key == "managedFields" && one.value.is_array()) {
        write_sorted(one.value);
      } else {
        write(one.value);
      }
    }
    out_ += before == '{' ? "{}" : "}";
  }
  void write_array(const Value& array) {
    char before = '[';
    for (const Value& one : array.items()) {
      out_ += std::exchange(before, ',');
      write(one);
    }
    out_ += before == '[' ? "[]" : "]";
  }
  // The server has them in the order of their times.
  void write_sorted(const Value& array) {
    std::vector<std::string> items;
    for (const Value& one : array.items()) items.push_back(normal_json(one, names_));
    std::ranges::sort(items);
    out_ += '[';
    for (const std::string& one : items) {
      if (out_.back() != '[') out_ += ',';
      out_ += one;
    }
    out_ += ']';
  }
  // What the member is known by whatever it says; empty for all others.
  static std::string_view stands_for(const Member& one) {
    const std::string_view text = text_of(one.value);
    if (one.key == "resourceVersion" && is_version(text)) return "<version>";
    if (one.key == "caBundle" && !text.empty()) return "<certificate>";
    if (one.key == "continue" && !text.empty()) return "<continue>";
    return {};
  }

  const GeneratedNames& names_;
  std::string& out_;
};

}  // namespace

void GeneratedNames::note(const Value& body) {
  const Value& metadata = body.get("metadata");
  const std::string_view start = text_of(metadata, "generateName");
  const std::string_view name = text_of(metadata, "name");
  if (!start.empty() && name.size() > start.size() && name.starts_with(start))
    names_.emplace(name, std::string(start) + "<generated>");
  for (const Value& one : body.get("items").items()) {
    if (one.get("metadata").find("generateName") != nullptr) note(one);
  }
  if (const Value* object = body.find("object"); object != nullptr && metadata.is_null())
    note(*object);
}

std::string_view GeneratedNames::find(std::string_view name) const {
  if (names_.empty()) return {};
  const auto found = names_.find(std::string(name));
  return found == names_.end() ? std::string_view() : found->second;
}

std::string normal_text(std::string_view text, const GeneratedNames& names) {
  std::string out;
  while (!text.empty()) {
    std::size_t taken = 0;
    if (begins_like(text, kUid)) {
      taken = kUid.size();
      out += "<uid>";
    } else if ((taken = time_size(text)) > 0) {
      out += "<time>";
    } else if ((taken = certificate_size(text)) > 0) {
      out += "<certificate>";
    } else if ((taken = local_port_size(text)) > 0) {
      out += text.substr(0, text.find(':') + 1);
      out += "<port>";
    } else if (is_name_char(text.front())) {
      while (taken < text.size() && is_name_char(text[taken])) ++taken;
      append_name(text.substr(0, taken), names, out);
    } else {
      taken = 1;
      out += text.front();
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::string normal_query(std::string_view query, const GeneratedNames& names) {
  const Result<http::Query> parsed = http::Query::parse(query);
  if (!parsed) return normal_text(query, names);
  std::string out;
  for (const http::Header& one : parsed->all()) {
    if (one.name == "timeoutSeconds") continue;
    if (!out.empty()) out += '&';
    out += one.name + "=";
    if (one.name == "resourceVersion" && is_version(one.value)) {
      out += "<version>";
    } else if (one.name == "continue") {
      out += "<continue>";
    } else {
      out += normal_text(one.value, names);
    }
  }
  return out;
}

std::string normal_json(const Value& body, const GeneratedNames& names) {
  std::string out;
  Normalizer(names, out).write(body);
  return out;
}

}  // namespace strake::recording
