#pragma once
// Files and standard input for checks that hold neither.
#include <memory>
#include <string>

#include "cli/io/io.h"
#include "validate/byte_source.h"

namespace strake::cli {

// A file by its name, or "-" for standard input, which can be read once only. Code::kIo.
Result<std::unique_ptr<validate::ByteSource>> open_source(const std::string& name, Io& io);

// Whether a regular file, compressed or not, is JSON, by its name or its first bytes, and larger
// than `size`. False
// when it cannot be read: whoever reads it will say why.
bool is_large_json(const std::string& name, std::uint64_t size);

}  // namespace strake::cli
