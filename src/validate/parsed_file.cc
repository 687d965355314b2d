#include "validate/parsed_file.h"

#include <algorithm>

#include "validate/document_stream.h"

namespace strake::validate {

bool ParsedFile::is_whole() const {
  return std::ranges::all_of(documents, [](const auto& one) { return one.has_value(); });
}

ParsedFile parse_file(std::string file, std::shared_ptr<const std::string> text,
                      value::ReadOptions options) {
  options.source_name = file;
  ParsedFile out{.file = std::move(file), .text = std::move(text), .documents = {}};
  DocumentStream stream(*out.text, std::move(options));
  std::size_t broken = 0;
  while (true) {
    auto next = stream.next();
    if (next && !*next) return out;
    if (next) {
      out.documents.emplace_back(**std::move(next));
      continue;
    }
    const Error error = std::move(next).error();
    out.documents.emplace_back(std::unexpected(error));
    if (++broken == kMostBroken || !stream.skip_broken(error)) return out;
  }
}

}  // namespace strake::validate
