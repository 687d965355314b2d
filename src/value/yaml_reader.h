#pragma once
// YAML text in, resolved as Kubernetes tooling resolves it (YAML 1.1 scalars, merge keys, keys made into strings), through
// the same events as JSON. Aliases expand under a node budget. Errors carry the position; their words are those of the
// reference's reader.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/events.h"
#include "value/read_options.h"

namespace strake::value {

// The first document of the text; null when there is none.
Result<Document> read_yaml(std::string_view text, const ReadOptions& options = {});

// Documents one after the other, divided by `---` and `...`. Documents without content are passed over. The text must outlive
// the reader, not the documents.
class YamlReader {
 public:
  YamlReader(std::string_view text, ReadOptions options);
  ~YamlReader();
  YamlReader(YamlReader&&) noexcept;
  YamlReader& operator=(YamlReader&&) noexcept;

  // The next document, nothing at the end, or the error; after an error the reader is at its end.
  Result<std::optional<Document>> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::value
