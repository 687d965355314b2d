#pragma once
// Compressed files, told by their first bytes rather than their name.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "validate/byte_source.h"

namespace strake::validate {

bool is_gzip(std::string_view bytes);

// All members of the file, one after the other. Code::kParse when it is damaged or cut off,
// Code::kLimit when more than `limit` bytes would come out; no more than that is ever held.
Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit);

// The bytes of a source from its start, decompressed as they come when they are gzip; those can be
// read once only. The source must outlive what is returned.
Result<std::unique_ptr<ByteSource>> unpacked(ByteSource& source);

}  // namespace strake::validate
