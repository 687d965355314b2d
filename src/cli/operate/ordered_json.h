#pragma once
// JSON as scripts of operate read it: two spaces a level, keys in the order in which they are
// written, a newline at the end. (value::write_json sorts keys.)
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "provider/model/app.h"

namespace strake::cli {

class OrderedJson {
 public:
  // The name is that of a member; in a list, and for the whole document, it is not written.
  OrderedJson& open_object(std::string_view name = {}) { return open(name, '{'); }
  OrderedJson& open_list(std::string_view name = {}) { return open(name, '['); }
  OrderedJson& close();

  OrderedJson& text(std::string_view name, std::string_view value);
  OrderedJson& number(std::string_view name, std::int64_t value);
  OrderedJson& real(std::string_view name, double value);
  OrderedJson& flag(std::string_view name, bool value);
  OrderedJson& time(std::string_view name, WallTime value);  // RFC 3339 in UTC
  OrderedJson& texts(std::string_view name, const std::vector<std::string>& values);
  OrderedJson& map(std::string_view name,
                   const std::map<std::string, std::string, std::less<>>& values);
  OrderedJson& options(std::string_view name, const provider::OptionMap& values);

  // When everything is closed: the text, with nothing in it that could steer a terminal.
  std::string done() const;
  // The same on one line.
  std::string line() const;

 private:
  OrderedJson& open(std::string_view name, char bracket);
  void lead(std::string_view name);
  void put(std::string_view name, std::string_view literal);

  struct Level {
    char bracket;
    bool empty = true;
  };
  std::string text_;
  std::string line_;
  std::vector<Level> levels_;
};

}  // namespace strake::cli
