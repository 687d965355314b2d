#include "schema/loose/issue.h"

#include <fmt/format.h>

#include "value/json_writer.h"

namespace strake::schema::loose {

std::string Issue::to_json() const {
  std::string out =
      fmt::format(R"({{"code":"{}","severity":"{}","path":)", to_string(code), to_string(severity));
  value::write_json_string(path.to_pointer(), out);
  const auto text = [&](std::string_view name, const std::string& field) {
    if (field.empty()) return;
    fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
    value::write_json_string(field, out);
  };
  text("fieldPath", path.to_k8s());
  text("message", message);
  text("hint", hint);
  if (!params.empty() || !branch.empty()) {
    out += ",\"params\":{";
    bool first = true;
    if (!branch.empty()) {
      out += "\"branch\":[";
      for (std::size_t i = 0; i < branch.size(); ++i) {
        if (i > 0) out += ',';
        out += branch[i].to_json();
      }
      out += ']';
      first = false;
    }
    for (const auto& [name, json] : params) {
      if (!first) out += ',';
      first = false;
      value::write_json_string(name, out);
      out += ':';
      out += json;
    }
    out += '}';
  }
  text("schemaPath", schema_path);
  out += '}';
  return out;
}

}  // namespace strake::schema::loose
