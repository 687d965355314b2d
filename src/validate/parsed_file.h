#pragma once
// A text that is parsed once for all who need its documents: the check of the file, which wants the
// places of everything, and the catalog, when the file defines kinds. Immutable once made.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "value/document.h"
#include "value/read_options.h"

namespace strake::validate {

// Documents of a file that cannot be read, before it is given up.
inline constexpr std::size_t kMostBroken = 100;

struct ParsedFile {
  std::string file;
  std::shared_ptr<const std::string> text;
  // In order. An error stands for a document that cannot be read; what follows it is read when the
  // text can be taken up again.
  std::vector<Result<value::Document>> documents;

  bool is_whole() const;  // everything could be read
};

// All documents are held at once: for texts of which there is room for several times their size.
ParsedFile parse_file(std::string file, std::shared_ptr<const std::string> text,
                      value::ReadOptions options);

}  // namespace strake::validate
