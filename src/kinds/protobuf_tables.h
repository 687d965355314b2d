#pragma once
// The protobuf messages of the built-in kinds: which number is which field of the JSON form, and
// what is written of a field that is not set. Made from the declarations of types (describe.h) when
// they are first needed, and kept for good; any thread may ask. No message holds itself, so that
// the tables bound how deeply a body can be nested.
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
    kOwnedFields,  // the same, in the order of fieldsV1
    kIntOrString,  // {type, intVal, strVal}: a number or a text
    kQuantity,     // {string}: a text
    kTexts,        // {items}: a list of texts
  };
  enum class Count : std::uint8_t { kOne, kList, kMap };  // a map is a list of {key, value}

  std::uint32_t number;
  std::string_view name;  // in JSON
  Form form = Form::kText;
  Count count = Count::kOne;
  bool always = false;  // written when it is not set, as an empty value
  const ProtoMessage* message = nullptr;
};

struct ProtoMessage {
  std::string_view name;               // for messages
  std::span<const ProtoField> fields;  // by number
};

// Null when objects of the kind have no protobuf form.
const ProtoMessage* find_message(std::string_view api_version, std::string_view kind);

// Of every kind.
const ProtoMessage& object_meta_message();
const ProtoMessage& list_meta_message();
const ProtoMessage& status_message();
const ProtoMessage& partial_metadata_message();

}  // namespace strake::kinds
