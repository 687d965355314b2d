#include "kinds/go_struct.h"

#include "kinds/fields.h"
#include "value/json_writer.h"

namespace strake::kinds {

std::string show_go_struct(const value::Value* object, std::span<const GoField> fields) {
  std::string out = "{";
  for (const GoField& field : fields) {
    if (out.size() > 1) out += ',';
    value::write_json_string(field.go_name, out);
    out += ':';
    value::write_json_string(object != nullptr ? text_of(*object, field.json_name) : "", out);
  }
  return out + "}";
}

}  // namespace strake::kinds
