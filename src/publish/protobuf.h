#pragma once
// Documents encoded as protobuf messages by tables that say which member becomes which field. The
// messages of OpenAPI (gnostic's OpenAPIv2.proto and OpenAPIv3.proto) mirror the JSON closely, so a
// few rules carry them all.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::publish::protobuf {

struct Message;

struct Field {
  enum class Form : std::uint8_t { kText, kTexts, kBool, kInt, kDouble, kMessage, kMessages };

  std::string_view key;
  std::uint32_t number;
  Form form = Form::kText;
  const Message* message = nullptr;  // of kMessage and kMessages
};

// A field of a message that has only one of several; without a message the value is a scalar.
struct Choice {
  std::uint32_t number;
  const Message* message;
};

// Exactly one of these says how a value becomes the message.
struct Message {
  std::span<const Field> fields = {};  // members by name; others are left out
  std::uint32_t extensions = 0;        // with `fields`: where members "x-..." go, as named JSON

  const Message* entries = nullptr;  // every member is an entry {name = 1, value = 2}
  std::uint32_t entry = 1;           // of this field

  std::uint32_t texts = 0;                          // one text or an array of them
  std::uint32_t json = 0;                           // the value as JSON text, which is YAML too
  Choice (*choose)(const value::Value&) = nullptr;  // one other message, wrapped
};

std::string encode(const value::Value& document, const Message& message);

}  // namespace strake::publish::protobuf
