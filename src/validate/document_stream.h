#pragma once
// The documents of one text, one after the other: JSON, NDJSON or YAML, by the name where it says
// so and by the content otherwise.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/read_options.h"
#include "value/yaml_reader.h"

namespace strake::validate {

// One YAML document, such as a scan has found in a text.
Result<value::Document> read_document(std::string_view text, const value::ReadOptions& options);

// How many texts, or documents alone, this process has begun to parse here: for tests that
// something is parsed once.
std::uint64_t parses_begun();

class DocumentStream {
 public:
  // The text must outlive the stream, not the documents. The options' source name is the name of
  // the file.
  DocumentStream(std::string_view text, value::ReadOptions options);
  DocumentStream(const DocumentStream&) = delete;
  DocumentStream& operator=(const DocumentStream&) = delete;

  // The next document, nothing at the end, or the error; after an error the stream is at its end,
  // unless skip_broken() finds a way on. An error at the end of the text stands behind its last
  // sign.
  Result<std::optional<value::Document>> next();
  // After an error: whether there is a line with --- behind it, and the stream goes on there. Only
  // YAML can be taken up again; places are still counted from the start of the text, documents from
  // the one that was broken.
  bool skip_broken(const Error& error);

 private:
  std::string_view text_;
  std::string blanked_;      // the text without what was left behind
  std::size_t resumed_ = 0;  // where the stream went on last
  value::ReadOptions options_;
  std::variant<value::JsonReader, value::YamlReader> reader_;
  std::size_t given_ = 0;     // documents so far
  bool may_be_yaml_ = false;  // it looks like JSON, but a YAML flow mapping does so too
};

}  // namespace strake::validate
