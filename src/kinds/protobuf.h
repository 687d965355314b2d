#pragma once
// Objects as typed clients send them: protobuf inside the API's envelope. What comes out is the
// document that the same object in JSON would have given, so that nothing behind the decoder knows
// the difference. Fields the kind does not have are passed over, as protobuf asks for.
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace strake::kinds {

inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// The object of a request's body, with apiVersion and kind; it keeps no pointers into the body.
// Fails with
//   kParse        the envelope cannot be read, or says no kind or version
//   kUnsupported  it can, and holds a kind that is not read from protobuf
//   kBadRequest   the object itself is broken: cut off, of wrong wire types, ...
Result<value::Document> decode_protobuf(std::string_view body);

}  // namespace strake::kinds
