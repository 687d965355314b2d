#pragma once
// Messages for tests, generic over field tables: what the conformance suite's protocol buffer
// messages look like to CEL. Values of well-known types are CEL values themselves: wrappers are
// scalars or null, Struct is a map, Any what it holds.
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cel/env/env.h"
#include "cel/value/value.h"
#include "value/document.h"

namespace strake::cel {

struct MessageField {
  enum class Label { kImplicit, kOptional, kRepeated, kMap };
  std::string name;
  std::uint32_t number = 0;
  Label label = Label::kImplicit;
  std::string type;
  std::string key;    // of a map
  std::string oneof;  // the group of fields of which one may be set
  std::string default_text;
  const Type* cel_type = nullptr;
};

struct MessageType {
  std::string name;
  const Type* cel_type = nullptr;
  std::deque<MessageField> fields;
  const MessageField* find(std::string_view field) const;
  const MessageField* find(std::uint32_t number) const;
};

class Messages final : public TypeProvider {
 public:
  // Reads message-types.json.
  explicit Messages(const std::filesystem::path& tables);

  const Type* find_type(std::string_view name) const override;
  const Type* find_field(std::string_view type, std::string_view field) const override;
  std::optional<std::int64_t> find_enum(std::string_view name) const override;
  Value make(std::string_view type, std::span<const FieldValue> fields,
             Arena& arena) const override;

  const MessageType* find_message(std::string_view name) const;
  // A value of the declared type, as a field of that type holds it; an error value when it does not
  // fit.
  Value coerce(std::string_view type, const Value& v, Arena& arena) const;
  // What a field that is not set reads as.
  Value default_of(const MessageField& field, Arena& arena) const;
  bool is_enum(std::string_view type) const;

  // From the suite's JSON form of a message.
  Value from_json(std::string_view type, const value::Value& json, Arena& arena) const;
  // From the wire format, for the contents of Any.
  Value from_wire(std::string_view type, std::string_view bytes, Arena& arena) const;

 private:
  void add_message(std::string name, const value::Value& fields);
  const Type* cel_type(std::string_view proto_type) const;
  const Type* field_cel_type(const MessageField& field) const;
  Value field_from_json(const MessageField& field, const value::Value& json, Arena& arena) const;
  Value singular_from_json(std::string_view type, const value::Value& json, Arena& arena) const;
  Value json_value(const value::Value& json, Arena& arena) const;
  Value coerce_field(const MessageField& field, const Value& v, Arena& arena) const;
  Value make_well_known(std::string_view type, std::span<const FieldValue> fields,
                        Arena& arena) const;

  mutable Arena arena_;
  mutable TypeFactory types_{arena_};
  std::map<std::string, MessageType, std::less<>> messages_;
  std::map<std::string, std::int64_t, std::less<>> enum_values_;
  std::map<std::string, int, std::less<>> enums_;
};

class Message final : public Object {
 public:
  struct Set {
    const MessageField* field;
    Value value;
  };
  Message(const Messages& messages, const MessageType& message_type, std::span<const Set> set)
      : messages_(messages), type_(message_type), set_(set) {}

  const Type* type() const override { return type_.cel_type; }
  bool equal(const Object& other, Arena& arena) const override;
  Value get_field(std::string_view name, Arena& arena) const override;
  Value has_field(std::string_view name, Arena& arena) const override;
  bool is_zero() const override { return set_.empty(); }
  std::span<const Set> set() const { return set_; }
  const Value* find_set(const MessageField* field) const;

 private:
  const Messages& messages_;
  const MessageType& type_;
  std::span<const Set> set_;  // by field number, without fields that are at an implicit default
};

}  // namespace strake::cel
