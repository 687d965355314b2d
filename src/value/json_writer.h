#pragma once
// JSON text out, byte for byte as the API server prints it: keys sorted, <, >, & and U+2028/9
// escaped, doubles in Go's shortest form.
#include <cstddef>
#include <limits>
#include <string>

#include "value/value.h"

namespace strake::value {

struct JsonStyle {
  std::size_t indent = 0;   // spaces per level; 0 writes everything on one line
  bool escape_html = true;  // <, > and & as \u003c, \u003e and \u0026
  // Once more than this is written, the rest is left out: the text is no JSON then.
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();
};

void write_json(const Value& v, std::string& out, const JsonStyle& style = {});
std::string to_json(const Value& v, const JsonStyle& style = {});

// A string with its quotes and escapes.
void write_json_string(std::string_view text, std::string& out, bool escape_html = true);

}  // namespace strake::value
