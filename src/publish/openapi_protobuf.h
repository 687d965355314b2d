#pragma once
// What the two encodings share. Inside the module.
#include "base/result.h"
#include "publish/protobuf.h"
#include "value/document.h"

namespace strake::publish {

// Reads a document to be encoded, which is done by recursion: nested up to 1,000 deep.
Result<value::Document> read_for_encoding(std::string_view json);

namespace protobuf {

using enum Field::Form;
inline constexpr Message kAnyJson = {.json = 2};
inline constexpr Message kTextList = {.texts = 1};
inline constexpr Message kTextLists = {.entries = &kTextList};  // security requirements

}  // namespace protobuf
}  // namespace strake::publish
