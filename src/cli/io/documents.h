#pragma once
// A text of documents in any of the formats people keep them in.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"
#include "value/read_options.h"

namespace strake::cli {

enum class Format : std::uint8_t {
  kYaml,    // documents divided by ---
  kJson,    // one document, or several one after the other
  kNdjson,  // one document a line
};

struct Documents {
  Format format = Format::kYaml;
  std::vector<value::Document> items;
};

// The name's extension decides the format; without one that is known, the content does. Errors
// carry the name and the position.
Result<Documents> read_documents(std::string_view text, std::string_view name,
                                 value::ReadOptions options);

}  // namespace strake::cli
