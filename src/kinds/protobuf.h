#pragma once
// Objects as typed clients send and read them: protobuf inside the API's envelope. What is decoded
// is the document that the same object in JSON would have given, so that nothing behind the decoder
// knows the difference; what is encoded are the bytes that kube-apiserver 1.36 sends of the object.
// Fields the kind does not have are passed over, as protobuf asks for.
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kinds/protobuf_tables.h"
#include "value/document.h"

namespace strake::kinds {

inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";
inline constexpr std::string_view kProtobufStreamType =
    "application/vnd.kubernetes.protobuf;stream=watch";

// The object of a request's body, with apiVersion and kind; it keeps no pointers into the body.
// Fails with
//   kParse        the envelope cannot be read, or says no kind or version
//   kUnsupported  it can, and holds a kind that is not read from protobuf
//   kBadRequest   the object itself is broken: cut off, of wrong wire types, ...
Result<value::Document> decode_protobuf(std::string_view body);

// An object as a message, without the envelope; it has been decoded by its kind, so that each field
// is of its type or null. What is not of its type is written as if it were empty.
std::string encode_message(const value::Value& object, const ProtoMessage& message);
// The message of a list: metadata of a list, and items as they were encoded. A part of a long list
// can be made by itself.
std::string encode_list(const value::Value& list_metadata, std::span<const std::string> items);
// The body of an answer.
std::string in_envelope(std::string_view api_version, std::string_view kind,
                        std::string_view message);
// An event of a watch, with its length in front; `body` has its envelope.
std::string watch_frame(std::string_view type, std::string_view body);

}  // namespace strake::kinds
