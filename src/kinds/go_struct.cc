#include "kinds/go_struct.h"

#include "kinds/fields.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Value;

void show_struct(const Value* object, const Type& type, std::string& out);

// "apiGroups" is APIGroups: Go writes a short form that begins a name in capitals.
std::string go_name(std::string_view json_name) {
  if (json_name.starts_with("api")) return "API" + std::string(json_name.substr(3));
  std::string out(json_name);
  if (!out.empty() && out.front() >= 'a' && out.front() <= 'z')
    out.front() = static_cast<char>(out.front() - 'a' + 'A');
  return out;
}

void show_use(const Value* value, const TypeUse& use, std::string& out) {
  switch (use.form) {
    case TypeUse::Form::kNamed:
      if (use.type->is_struct()) return show_struct(value, *use.type, out);
      value::write_json_string(value != nullptr ? value::text_of(*value) : "", out);
      return;
    case TypeUse::Form::kString:
      value::write_json_string(value != nullptr ? value::text_of(*value) : "", out);
      return;
    case TypeUse::Form::kList: {
      if (value == nullptr) {
        out += "null";
        return;
      }
      out += '[';
      bool first = true;
      for (const Value& item : value->items()) {
        if (!first) out += ',';
        first = false;
        show_use(&item, *use.element, out);
      }
      out += ']';
      return;
    }
    case TypeUse::Form::kBool: out += value != nullptr ? value::to_json(*value) : "false"; return;
    default: out += value != nullptr ? value::to_json(*value) : "0"; return;
  }
}

void show_struct(const Value* object, const Type& type, std::string& out) {
  out += '{';
  bool first = true;
  for (const Field& field : type.fields) {
    if (!first) out += ',';
    first = false;
    value::write_json_string(go_name(field.name), out);
    out += ':';
    const Value* found = object != nullptr ? member(*object, field.name) : nullptr;
    if (found == nullptr && field.pointer) {
      out += "null";
    } else {
      show_use(found, *field.use, out);
    }
  }
  out += '}';
}

}  // namespace

std::string show_go_struct(const Value* object, std::span<const GoField> fields) {
  std::string out = "{";
  for (const GoField& field : fields) {
    if (out.size() > 1) out += ',';
    value::write_json_string(field.go_name, out);
    out += ':';
    value::write_json_string(object != nullptr ? text_of(*object, field.json_name) : "", out);
  }
  return out + "}";
}

std::string show_go_struct(const Value* object, const Type& type) {
  std::string out;
  show_struct(object, type, out);
  return out;
}

}  // namespace strake::kinds
