// Messages from the suite's JSON and from the wire format.
#include <fmt/format.h>

#include <cstring>

#include "base/base64.h"
#include "cel/test_messages.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

std::int64_t json_int(const value::Value& json) {
  return json.is_string() ? std::stoll(std::string(json.as_string())) : json.as_int();
}

std::uint64_t json_uint(const value::Value& json) {
  return json.is_string() ? std::stoull(std::string(json.as_string())) : json.as_uint();
}

double json_double(const value::Value& json) {
  return json.is_string() ? std::stod(std::string(json.as_string())) : json.as_double();
}

Value json_bytes(const value::Value& json, Arena& arena) {
  return Value::bytes(arena.copy(base64_decode(json.as_string()).value_or("")));
}

// Reads the wire format piece by piece; `ok` turns false on bytes that are none.
struct WireReader {
  std::string_view rest;
  bool ok = true;

  std::uint64_t varint() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest[0]);
      rest.remove_prefix(1);
      out |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return out;
    }
    ok = false;
    return 0;
  }
  template <typename T>
  T fixed() {
    T out{};
    if (rest.size() < sizeof(T)) {
      ok = false;
      return out;
    }
    std::memcpy(&out, rest.data(), sizeof(T));
    rest.remove_prefix(sizeof(T));
    return out;
  }
  std::string_view bytes() {
    const std::uint64_t size = varint();
    if (size > rest.size()) {
      ok = false;
      return {};
    }
    const std::string_view out = rest.substr(0, size);
    rest.remove_prefix(size);
    return out;
  }
};

}  // namespace

Value Messages::json_value(const value::Value& json, Arena& arena) const {
  if (json.members().empty()) return Value::null();
  const std::string_view kind = json.members()[0].key;
  const value::Value& v = json.members()[0].value;
  if (kind == "null_value") return Value::null();
  if (kind == "number_value") return Value::number(json_double(v));
  if (kind == "list_value") return singular_from_json("google.protobuf.ListValue", v, arena);
  if (kind == "struct_value") return singular_from_json("google.protobuf.Struct", v, arena);
  return Value::from_node(v, nullptr, arena);
}

Value Messages::singular_from_json(std::string_view type, const value::Value& json,
                                   Arena& arena) const {
  const Type* cel = find_type(type);
  if (is_enum(type)) {
    if (!json.is_string()) return Value::integer(json.as_int());
    return Value::integer(
        find_enum(std::string(type) + "." + std::string(json.as_string())).value_or(0));
  }
  if (type == "google.protobuf.NullValue") return Value::null();
  if (type == "bool") return Value::boolean(json.as_bool());
  if (type == "string") return Value::string(json.as_string());
  if (type == "bytes") return json_bytes(json, arena);
  if (type == "float" || type == "double") return Value::number(json_double(json));
  if (cel == nullptr) {
    const bool is_unsigned = type.starts_with("uint") || type.starts_with("fixed");
    return is_unsigned ? Value::uinteger(json_uint(json)) : Value::integer(json_int(json));
  }
  return from_json(type, json, arena);
}

Value Messages::field_from_json(const MessageField& field, const value::Value& json,
                                Arena& arena) const {
  if (field.label == MessageField::Label::kRepeated) {
    Value out = Value::list(new_list(0, arena), 0);
    for (const value::Value& item : json.items()) {
      out = list_append(out, singular_from_json(field.type, item, arena), arena);
    }
    return out;
  }
  if (field.label == MessageField::Label::kMap) {
    Value out = new_map(json.size(), arena);
    for (const value::Member& m : json.members()) {
      Value key = Value::string(m.key);
      if (field.key == "bool") {
        key = Value::boolean(m.key == "true");
      } else if (field.key != "string") {
        const value::Value text = value::Value::string(m.key);
        key = singular_from_json(field.key, text, arena);
      }
      out =
          map_insert(out, key, singular_from_json(field.type, m.value, arena), arena).value_or(out);
    }
    return out;
  }
  return singular_from_json(field.type, json, arena);
}

Value Messages::from_json(std::string_view type, const value::Value& json, Arena& arena) const {
  if (type == "google.protobuf.Value") return json_value(json, arena);
  if (type == "google.protobuf.ListValue") {
    Value out = Value::list(new_list(0, arena), 0);
    if (const value::Value* values = json.find("values")) {
      for (const value::Value& item : values->items()) {
        out = list_append(out, json_value(item, arena), arena);
      }
    }
    return out;
  }
  if (type == "google.protobuf.Struct") {
    Value out = new_map(4, arena);
    if (const value::Value* fields = json.find("fields")) {
      for (const value::Member& m : fields->members()) {
        out = *map_insert(out, Value::string(m.key), json_value(m.value, arena), arena);
      }
    }
    return out;
  }
  if (type == "google.protobuf.Any" && json.find("@type") != nullptr) {
    const std::string_view url = json.find("@type")->as_string();
    const value::Value* content = json.find("value");
    return from_json(url.substr(url.rfind('/') + 1), content != nullptr ? *content : json, arena);
  }
  std::vector<FieldValue> fields;
  for (const value::Member& m : json.members()) {
    std::string_view name = m.key;
    if (name.starts_with('[')) name = name.substr(1, name.size() - 2);
    if (const MessageType* message = find_message(type)) {
      const MessageField* field = message->find(name);
      if (field == nullptr) return Value::error(fmt::format("no such field '{}'", name), arena);
      fields.push_back({field->name, field_from_json(*field, m.value, arena)});
      continue;
    }
    const Type* declared = find_field(type, name);
    if (declared == nullptr) return Value::error(fmt::format("no such field '{}'", name), arena);
    switch (declared->kind) {
      case TypeKind::kInt: fields.push_back({name, Value::integer(json_int(m.value))}); break;
      case TypeKind::kUint: fields.push_back({name, Value::uinteger(json_uint(m.value))}); break;
      case TypeKind::kDouble: fields.push_back({name, Value::number(json_double(m.value))}); break;
      case TypeKind::kBytes: fields.push_back({name, json_bytes(m.value, arena)}); break;
      default: fields.push_back({name, Value::from_node(m.value, nullptr, arena)});
    }
  }
  return make(type, fields, arena);
}

Value Messages::from_wire(std::string_view type, std::string_view bytes, Arena& arena) const {
  // Not unpacked, so that it compares by its bytes.
  if (type == "google.protobuf.Any") return Value::bytes(bytes);
  const MessageType* message = find_message(type);
  if (message == nullptr) {
    return Value::error(fmt::format("unknown type in Any: {}", type), arena);
  }
  std::vector<FieldValue> fields;
  WireReader in{bytes};
  while (!in.rest.empty() && in.ok) {
    const std::uint64_t tag = in.varint();
    const MessageField* field = message->find(static_cast<std::uint32_t>(tag >> 3));
    Value v;
    switch (tag & 7) {
      case 0: {
        const std::uint64_t n = in.varint();
        if (field == nullptr) break;
        const std::int64_t zigzag =
            static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
        if (field->type == "bool") {
          v = Value::boolean(n != 0);
        } else if (field->type.starts_with("uint")) {
          v = Value::uinteger(n);
        } else {
          v = Value::integer(field->type.starts_with("sint") ? zigzag
                                                             : static_cast<std::int64_t>(n));
        }
        break;
      }
      case 1: {
        const auto bits = in.fixed<std::uint64_t>();
        if (field == nullptr) break;
        if (field->type == "double") {
          v = Value::number(std::bit_cast<double>(bits));
        } else {
          v = field->type == "fixed64" ? Value::uinteger(bits)
                                       : Value::integer(static_cast<std::int64_t>(bits));
        }
        break;
      }
      case 5: {
        const auto bits = in.fixed<std::uint32_t>();
        if (field == nullptr) break;
        if (field->type == "float") {
          v = Value::number(static_cast<double>(std::bit_cast<float>(bits)));
        } else {
          v = field->type == "fixed32" ? Value::uinteger(bits)
                                       : Value::integer(static_cast<std::int32_t>(bits));
        }
        break;
      }
      case 2: {
        const std::string_view content = in.bytes();
        if (field == nullptr) break;
        if (field->type == "string") {
          v = Value::string(content);
        } else if (field->type == "bytes") {
          v = Value::bytes(content);
        } else {
          v = from_wire(field->type, content, arena);
          if (v.is_error()) return v;
        }
        break;
      }
      default: in.ok = false;
    }
    if (field == nullptr) continue;
    if (field->label == MessageField::Label::kRepeated) v = Value::list({&v, 1}, arena);
    fields.push_back({field->name, v});
  }
  if (!in.ok) return Value::error("malformed message in Any", arena);
  return make(type, fields, arena);
}

}  // namespace strake::cel
