#include "cel/test_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/base64.h"
#include "base/rfc3339.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::cel {
namespace {

constexpr std::string_view kGoogle = "google.protobuf.";

struct WellKnown {
  std::string_view name;
  const Type* type;
  std::string_view scalar;  // of a wrapper: what it wraps
};
constexpr WellKnown kWellKnown[] = {
    {"google.protobuf.BoolValue", &types::wrapped_bool, "bool"},
    {"google.protobuf.Int32Value", &types::wrapped_int, "int32"},
    {"google.protobuf.Int64Value", &types::wrapped_int, "int64"},
    {"google.protobuf.UInt32Value", &types::wrapped_uint, "uint32"},
    {"google.protobuf.UInt64Value", &types::wrapped_uint, "uint64"},
    {"google.protobuf.FloatValue", &types::wrapped_double, "float"},
    {"google.protobuf.DoubleValue", &types::wrapped_double, "double"},
    {"google.protobuf.StringValue", &types::wrapped_string, "string"},
    {"google.protobuf.BytesValue", &types::wrapped_bytes, "bytes"},
    {"google.protobuf.Any", &types::any, ""},
    {"google.protobuf.Value", &types::dyn, ""},
    {"google.protobuf.Struct", &types::map_of_json, ""},
    {"google.protobuf.ListValue", &types::list_of_dyn, ""},
    {"google.protobuf.Timestamp", &types::timestamp, ""},
    {"google.protobuf.Duration", &types::duration, ""},
};

const WellKnown* find_well_known(std::string_view name) {
  const auto it = std::ranges::find(kWellKnown, name, &WellKnown::name);
  return it == std::end(kWellKnown) ? nullptr : it;
}

const Type* scalar_type(std::string_view type) {
  if (type == "bool") return &types::boolean;
  if (type == "string") return &types::string;
  if (type == "bytes") return &types::bytes;
  if (type == "float" || type == "double") return &types::number;
  if (type.starts_with("uint") || type.starts_with("fixed")) return &types::uinteger;
  if (type.starts_with("int") || type.starts_with("sint") || type.starts_with("sfixed")) {
    return &types::integer;
  }
  return nullptr;
}

Value misfit(std::string_view type, const Value& v, Arena& arena) {
  return Value::error(fmt::format("unsupported field type: {} for {}", type_name(v), type), arena);
}

Value coerce_scalar(std::string_view type, const Value& v, Arena& arena) {
  const Type* wanted = scalar_type(type);
  if (type_of(v)->kind != wanted->kind) return misfit(type, v, arena);
  const bool narrow = type.ends_with("32");
  if (narrow && v.is(Kind::kInt) && v.as_int() != static_cast<std::int32_t>(v.as_int())) {
    return Value::error("integer overflow", arena);
  }
  if (narrow && v.is(Kind::kUint) && v.as_uint() > UINT32_MAX) {
    return Value::error("unsigned integer overflow", arena);
  }
  if (type == "float") return Value::number(static_cast<double>(static_cast<float>(v.as_double())));
  return v;
}

// What google.protobuf.Value makes of a CEL value.
Value to_json_form(const Value& v, Arena& arena) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  switch (v.kind()) {
    case Kind::kInt:
      if (std::abs(v.as_int()) < kExact) return Value::number(static_cast<double>(v.as_int()));
      return Value::string(arena.copy(std::to_string(v.as_int())));
    case Kind::kUint:
      if (v.as_uint() < kExact) return Value::number(static_cast<double>(v.as_uint()));
      return Value::string(arena.copy(std::to_string(v.as_uint())));
    case Kind::kBytes: return Value::string(arena.copy(base64_encode(v.as_text())));
    case Kind::kTimestamp: return Value::string(arena.copy(format_rfc3339_nano(v.as_timestamp())));
    case Kind::kDuration: return Value::string(arena.copy(format_duration(v.as_duration())));
    case Kind::kList: {
      Value out = Value::list(new_list(0, arena), 0);
      for (Cursor c(v, arena); !c.done(); c.next()) {
        const Value item = to_json_form(c.item(), arena);
        if (item.is_error()) return item;
        out = list_append(out, item, arena);
      }
      return out;
    }
    case Kind::kMap: {
      Value out = new_map(map_size(v), arena);
      for (Cursor c(v, arena); !c.done(); c.next()) {
        const Value item = to_json_form(c.value(), arena);
        if (item.is_error()) return item;
        if (!c.item().is(Kind::kString)) return Value::error("bad key type", arena);
        out = *map_insert(out, c.item(), item, arena);
      }
      return out;
    }
    case Kind::kObject:
      if (type_name(v) == "google.protobuf.Empty") return new_map(0, arena);
      if (type_name(v) == "google.protobuf.FieldMask") {
        std::string paths;
        const Value list = v.as_object()->get_field("paths", arena);
        for (Cursor c(list, arena); !c.done(); c.next()) {
          if (!paths.empty()) paths += ',';
          paths += c.item().as_text();
        }
        return Value::string(arena.copy(paths));
      }
      return Value::error("type conversion error to google.protobuf.Value", arena);
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kDouble:
    case Kind::kString: return v;
    default: return Value::error("type conversion error to google.protobuf.Value", arena);
  }
}

// Elements of lists and maps that cannot be null are left out.
bool is_pruned_null(std::string_view type, const Value& v) {
  return v.is(Kind::kNull) && type.starts_with(kGoogle) && type != "google.protobuf.Any" &&
         type != "google.protobuf.Value" && type != "google.protobuf.NullValue";
}

}  // namespace

const MessageField* MessageType::find(std::string_view field) const {
  const auto it = std::ranges::find(fields, field, &MessageField::name);
  return it == fields.end() ? nullptr : &*it;
}

const MessageField* MessageType::find(std::uint32_t number) const {
  const auto it = std::ranges::find(fields, number, &MessageField::number);
  return it == fields.end() ? nullptr : &*it;
}

Messages::Messages(const std::filesystem::path& tables) {
  const value::Document document = value::read_json(testing::read_file(tables)).value();
  for (const value::Member& e : document.root().find("enums")->members()) {
    enums_.emplace(e.key, 0);
    for (const value::Member& v : e.value.members()) {
      enum_values_.emplace(std::string(e.key) + "." + std::string(v.key), v.value.as_int());
    }
  }
  enum_values_.emplace("google.protobuf.NullValue.NULL_VALUE", 0);
  for (const value::Member& m : document.root().find("messages")->members()) {
    add_message(std::string(m.key), *m.value.find("fields"));
  }
  // Extensions are fields under their full names.
  for (const value::Member& e : document.root().find("extensions")->members()) {
    MessageField field{.name = std::string(e.key)};
    field.number = static_cast<std::uint32_t>(e.value.find("number")->as_int());
    field.type = e.value.find("type")->as_string();
    const bool repeated = e.value.find("label")->as_string() == "repeated";
    field.label = repeated ? MessageField::Label::kRepeated : MessageField::Label::kOptional;
    messages_.at(std::string(e.value.find("extendee")->as_string())).fields.push_back(field);
  }
  const value::Document well_known =
      value::read_json(
          R"({"google.protobuf.FieldMask":[{"label":"repeated","name":"paths","number":1,"type":"string"}],
              "google.protobuf.Empty":[]})")
          .value();
  for (const value::Member& m : well_known.root().members())
    add_message(std::string(m.key), m.value);
  for (auto& [name, type] : messages_) type.cel_type = types_.object(name);
  for (auto& [name, type] : messages_) {
    for (MessageField& field : type.fields) field.cel_type = field_cel_type(field);
  }
}

void Messages::add_message(std::string name, const value::Value& fields) {
  MessageType type{.name = name};
  for (const value::Value& f : fields.items()) {
    MessageField field{.name = std::string(f.find("name")->as_string())};
    field.number = static_cast<std::uint32_t>(f.find("number")->as_int());
    field.type = f.find("type")->as_string();
    const std::string_view label = f.find("label")->as_string();
    if (label == "optional" || label == "required") field.label = MessageField::Label::kOptional;
    if (label == "repeated") field.label = MessageField::Label::kRepeated;
    if (label == "map") field.label = MessageField::Label::kMap;
    if (const value::Value* key = f.find("key")) field.key = key->as_string();
    if (const value::Value* oneof = f.find("oneof")) {
      field.oneof = oneof->as_string();
      field.label = MessageField::Label::kOptional;
    }
    if (const value::Value* text = f.find("default")) field.default_text = text->as_string();
    type.fields.push_back(std::move(field));
  }
  messages_.emplace(std::move(name), std::move(type));
}

bool Messages::is_enum(std::string_view type) const { return enums_.contains(type); }

const Type* Messages::cel_type(std::string_view type) const {
  if (const Type* scalar = scalar_type(type)) return scalar;
  if (is_enum(type)) return &types::integer;
  if (type == "google.protobuf.NullValue") return &types::null;
  return find_type(type);
}

const Type* Messages::field_cel_type(const MessageField& field) const {
  const Type* type = cel_type(field.type);
  if (field.label == MessageField::Label::kRepeated) return types_.list(type);
  if (field.label == MessageField::Label::kMap) return types_.map(cel_type(field.key), type);
  return type;
}

const Type* Messages::find_type(std::string_view name) const {
  if (const WellKnown* w = find_well_known(name)) return w->type;
  const MessageType* m = find_message(name);
  return m == nullptr ? nullptr : m->cel_type;
}

const MessageType* Messages::find_message(std::string_view name) const {
  const auto it = messages_.find(name);
  return it == messages_.end() ? nullptr : &it->second;
}

const Type* Messages::find_field(std::string_view type, std::string_view field) const {
  if (const MessageType* m = find_message(type)) {
    const MessageField* f = m->find(field);
    return f == nullptr ? nullptr : f->cel_type;
  }
  const WellKnown* w = find_well_known(type);
  if (w == nullptr) return nullptr;
  if (!w->scalar.empty()) return field == "value" ? scalar_type(w->scalar) : nullptr;
  struct Known {
    std::string_view type, field;
    const Type* result;
  };
  static constexpr Known kKnown[] = {
      {"google.protobuf.Any", "type_url", &types::string},
      {"google.protobuf.Any", "value", &types::bytes},
      {"google.protobuf.Struct", "fields", &types::map_of_json},
      {"google.protobuf.ListValue", "values", &types::list_of_dyn},
      {"google.protobuf.Value", "null_value", &types::dyn},
      {"google.protobuf.Value", "bool_value", &types::boolean},
      {"google.protobuf.Value", "number_value", &types::number},
      {"google.protobuf.Value", "string_value", &types::string},
      {"google.protobuf.Value", "struct_value", &types::map_of_json},
      {"google.protobuf.Value", "list_value", &types::list_of_dyn},
      {"google.protobuf.Timestamp", "seconds", &types::integer},
      {"google.protobuf.Timestamp", "nanos", &types::integer},
      {"google.protobuf.Duration", "seconds", &types::integer},
      {"google.protobuf.Duration", "nanos", &types::integer},
  };
  for (const Known& k : kKnown) {
    if (k.type == type && k.field == field) return k.result;
  }
  return nullptr;
}

std::optional<std::int64_t> Messages::find_enum(std::string_view name) const {
  const auto it = enum_values_.find(name);
  if (it == enum_values_.end()) return std::nullopt;
  return it->second;
}

Value Messages::coerce(std::string_view type, const Value& v, Arena& arena) const {
  if (scalar_type(type) != nullptr) return coerce_scalar(type, v, arena);
  if (is_enum(type)) return coerce_scalar("int32", v, arena);
  if (type == "google.protobuf.NullValue") {
    const bool zero = v.is(Kind::kInt) && v.as_int() == 0;
    return v.is(Kind::kNull) || zero ? Value::null() : misfit(type, v, arena);
  }
  if (type == "google.protobuf.Any") return v;
  if (type == "google.protobuf.Value") return to_json_form(v, arena);
  if (const WellKnown* w = find_well_known(type)) {
    if (!w->scalar.empty()) return v.is(Kind::kNull) ? v : coerce_scalar(w->scalar, v, arena);
    if (v.is(Kind::kNull) && (w->type == &types::timestamp || w->type == &types::duration)) {
      return v;
    }
    if (type_of(v)->kind != w->type->kind) return misfit(type, v, arena);
    const bool json = type == "google.protobuf.Struct" || type == "google.protobuf.ListValue";
    return json ? to_json_form(v, arena) : v;
  }
  if (v.is(Kind::kNull)) return v;
  if (!v.is(Kind::kObject) || type_name(v) != type) return misfit(type, v, arena);
  return v;
}

Value Messages::coerce_field(const MessageField& field, const Value& v, Arena& arena) const {
  if (field.label == MessageField::Label::kRepeated) {
    if (!v.is(Kind::kList)) return misfit("list", v, arena);
    Value out = Value::list(new_list(0, arena), 0);
    for (Cursor c(v, arena); !c.done(); c.next()) {
      if (is_pruned_null(field.type, c.item())) continue;
      const Value item = coerce(field.type, c.item(), arena);
      if (item.is_error()) return item;
      out = list_append(out, item, arena);
    }
    return out;
  }
  if (field.label == MessageField::Label::kMap) {
    if (!v.is(Kind::kMap)) return misfit("map", v, arena);
    Value out = new_map(map_size(v), arena);
    for (Cursor c(v, arena); !c.done(); c.next()) {
      if (is_pruned_null(field.type, c.value())) continue;
      const Value key = coerce(field.key, c.item(), arena);
      const Value item = coerce(field.type, c.value(), arena);
      if (key.is_error()) return key;
      if (item.is_error()) return item;
      out = *map_insert(out, key, item, arena);
    }
    return out;
  }
  return coerce(field.type, v, arena);
}

Value Messages::default_of(const MessageField& field, Arena& arena) const {
  if (field.label == MessageField::Label::kRepeated) return Value::list(new_list(0, arena), 0);
  if (field.label == MessageField::Label::kMap) return new_map(0, arena);
  const std::string& text = field.default_text;
  if (is_enum(field.type)) {
    return Value::integer(text.empty() ? 0 : find_enum(field.type + "." + text).value_or(0));
  }
  if (const Type* scalar = scalar_type(field.type)) {
    switch (scalar->kind) {
      case TypeKind::kBool: return Value::boolean(text == "true");
      case TypeKind::kInt: return Value::integer(text.empty() ? 0 : std::stoll(text));
      case TypeKind::kUint: return Value::uinteger(text.empty() ? 0 : std::stoull(text));
      case TypeKind::kDouble: return Value::number(text.empty() ? 0 : std::stod(text));
      case TypeKind::kBytes: return Value::bytes(text);
      default: return Value::string(text);
    }
  }
  if (field.type == "google.protobuf.Struct") return new_map(0, arena);
  if (field.type == "google.protobuf.ListValue") return Value::list(new_list(0, arena), 0);
  if (field.type == "google.protobuf.Timestamp") return Value::timestamp({0, 0});
  if (field.type == "google.protobuf.Duration") return Value::duration(0);
  if (find_message(field.type) != nullptr) return make(field.type, {}, arena);
  return Value::null();
}

Value Messages::make_well_known(std::string_view type, std::span<const FieldValue> fields,
                                Arena& arena) const {
  auto get = [&](std::string_view name) -> const Value* {
    for (const FieldValue& f : fields) {
      if (f.name == name) return &f.value;
    }
    return nullptr;
  };
  auto number = [&](std::string_view name) {
    const Value* v = get(name);
    return v != nullptr && v->is(Kind::kInt) ? v->as_int() : 0;
  };
  const WellKnown& w = *find_well_known(type);
  if (!w.scalar.empty()) {
    MessageField zero{.name = "value", .type = std::string(w.scalar)};
    const Value* v = get("value");
    return v != nullptr ? coerce_scalar(w.scalar, *v, arena) : default_of(zero, arena);
  }
  if (type == "google.protobuf.Timestamp") {
    return Value::timestamp({number("seconds"), static_cast<std::uint32_t>(number("nanos"))});
  }
  if (type == "google.protobuf.Duration") {
    return Value::duration(number("seconds") * kNanosPerSecond + number("nanos"));
  }
  if (type == "google.protobuf.Any") {
    const Value* url = get("type_url");
    const Value* bytes = get("value");
    if (url == nullptr) return Value::error("conversion error: got invalid Any message", arena);
    const std::string_view name = url->as_text().substr(url->as_text().rfind('/') + 1);
    return from_wire(name, bytes != nullptr ? bytes->as_text() : std::string_view{}, arena);
  }
  if (type == "google.protobuf.Value") {
    if (fields.empty() || fields[0].name == "null_value") return Value::null();
    return to_json_form(fields[0].value, arena);
  }
  const bool list = type == "google.protobuf.ListValue";
  const Value* content = get(list ? "values" : "fields");
  if (content != nullptr) return to_json_form(*content, arena);
  return list ? Value::list(new_list(0, arena), 0) : new_map(0, arena);
}

Value Messages::make(std::string_view type, std::span<const FieldValue> fields,
                     Arena& arena) const {
  if (find_well_known(type) != nullptr) return make_well_known(type, fields, arena);
  const MessageType* message = find_message(type);
  if (message == nullptr) return Value::error(fmt::format("unknown type: {}", type), arena);
  std::vector<Message::Set> set;
  for (const FieldValue& f : fields) {
    const MessageField* field = message->find(f.name);
    if (field == nullptr) return Value::error(fmt::format("no such field '{}'", f.name), arena);
    const Value v = coerce_field(*field, f.value, arena);
    if (v.is_error()) return v;
    const bool keeps_null = field->type == "google.protobuf.Any" ||
                            field->type == "google.protobuf.Value" ||
                            field->type == "google.protobuf.NullValue";
    if (v.is(Kind::kNull) && !keeps_null) continue;
    if (field->label != MessageField::Label::kOptional && !v.is(Kind::kObject)) {
      const bool message_typed =
          field->type.starts_with(kGoogle) && field->type != "google.protobuf.NullValue";
      const bool many = field->label != MessageField::Label::kImplicit;
      // Fields without presence are not set to their defaults.
      if ((many || !message_typed) && is_zero_value(v)) continue;
    }
    if (!field->oneof.empty()) {
      std::erase_if(set, [&](const Message::Set& s) { return s.field->oneof == field->oneof; });
    }
    set.push_back({field, v});
  }
  std::ranges::sort(set, {}, [](const Message::Set& s) { return s.field->number; });
  auto* copy = arena.allocate_array<Message::Set>(set.size());
  std::ranges::copy(set, copy);
  return Value::object(new (arena.allocate(sizeof(Message)))
                           Message(*this, *message, {copy, set.size()}));
}

const Value* Message::find_set(const MessageField* field) const {
  for (const Set& s : set_) {
    if (s.field == field) return &s.value;
  }
  return nullptr;
}

bool Message::equal(const Object& other, Arena& arena) const {
  const auto& that = static_cast<const Message&>(other);
  if (set_.size() != that.set_.size()) return false;
  for (const Set& s : set_) {
    const Value* v = that.find_set(s.field);
    if (v == nullptr || !cel::equal(s.value, *v, arena)) return false;
  }
  return true;
}

Value Message::get_field(std::string_view name, Arena& arena) const {
  const MessageField* field = type_.find(name);
  if (field == nullptr) return Value::error(fmt::format("no such field '{}'", name), arena);
  const Value* set = find_set(field);
  return set != nullptr ? *set : messages_.default_of(*field, arena);
}

Value Message::has_field(std::string_view name, Arena& arena) const {
  const MessageField* field = type_.find(name);
  if (field == nullptr) return Value::error(fmt::format("no such field '{}'", name), arena);
  return Value::boolean(find_set(field) != nullptr);
}

}  // namespace strake::cel
