#pragma once
// JSON written straight into a string, with the commas put where they belong. The caller opens and
// closes what it wants; nothing is checked.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "value/json_writer.h"

namespace strake::publish {

class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  JsonText& open_object() { return open('{'); }
  JsonText& close_object() { return close('}'); }
  JsonText& open_array() { return open('['); }
  JsonText& close_array() { return close(']'); }

  // `key` must need no escapes; `any_key` may.
  JsonText& key(std::string_view key) {
    comma();
    out_ += '"';
    out_ += key;
    out_ += "\":";
    needs_comma_ = false;
    return *this;
  }
  JsonText& any_key(std::string_view key) {
    comma();
    value::write_json_string(key, out_);
    out_ += ':';
    needs_comma_ = false;
    return *this;
  }

  JsonText& text(std::string_view text) {
    comma();
    value::write_json_string(text, out_);
    return *this;
  }
  JsonText& number(std::int64_t number) {
    comma();
    fmt::format_to(std::back_inserter(out_), "{}", number);
    return *this;
  }
  JsonText& boolean(bool b) { return raw(b ? "true" : "false"); }
  JsonText& value(const value::Value& v) {
    comma();
    value::write_json(v, out_);
    return *this;
  }
  // JSON as it is: one value, or members or items with commas between them.
  JsonText& raw(std::string_view json) {
    comma();
    out_ += json;
    return *this;
  }

  JsonText& field(std::string_view name, std::string_view v) { return key(name).text(v); }
  JsonText& object(std::string_view name) { return key(name).open_object(); }
  JsonText& array(std::string_view name) { return key(name).open_array(); }
  template <typename Texts>
  JsonText& texts(std::string_view name, const Texts& all) {
    array(name);
    for (const auto& one : all) text(one);
    return close_array();
  }

 private:
  void comma() {
    if (needs_comma_) out_ += ',';
    needs_comma_ = true;
  }
  JsonText& open(char c) {
    comma();
    out_ += c;
    needs_comma_ = false;
    return *this;
  }
  JsonText& close(char c) {
    out_ += c;
    needs_comma_ = true;
    return *this;
  }

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace strake::publish
