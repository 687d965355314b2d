#pragma once
// The protobuf messages of the built-in kinds: which number is which field of the JSON form. Only
// what can stand in a request is here. The tables do not refer to themselves, so that they bound
// how deeply a message can be nested.
#include <cstdint>
#include <span>
#include <string_view>

namespace strake::kinds {

struct ProtoMessage;

struct ProtoField {
  enum class Form : std::uint8_t {
    // Numbers on the wire.
    kBool,
    kInt32,
    kInt64,
    // Bytes on the wire, of which the last one counts.
    kText,
    kBytes,  // base64 in JSON
    // One message: what comes in several pieces is merged.
    kMessage,
    kInline,       // whose fields stand among those of its parent
    kTime,         // {seconds, nanos}: a date to the second
    kMicroTime,    // the same with six digits
    kJson,         // {raw}: JSON in JSON
    kIntOrString,  // {type, intVal, strVal}: a number or a text
    // Each occurrence is one more item or entry.
    kTexts,
    kMessages,
    kTextMap,
    kBytesMap,
    kTextsMap,     // to {items}
    kQuantityMap,  // to {string}
  };
  std::uint32_t number;
  std::string_view name;  // in JSON
  Form form = Form::kText;
  const ProtoMessage* message = nullptr;
};

struct ProtoMessage {
  std::string_view name;  // for messages
  std::span<const ProtoField> fields;
};

// Null when the kind is not one that is read from protobuf.
const ProtoMessage* find_message(std::string_view api_version, std::string_view kind);

}  // namespace strake::kinds
