#pragma once
// The documents of one text, one after the other: JSON, NDJSON or YAML, by the name where it says
// so and by the content otherwise.
#include <optional>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "value/document.h"
#include "value/json_reader.h"
#include "value/read_options.h"
#include "value/yaml_reader.h"

namespace strake::validate {

class DocumentStream {
 public:
  // The text must outlive the stream, not the documents. The options' source name is the name of
  // the file.
  DocumentStream(std::string_view text, value::ReadOptions options);

  // The next document, nothing at the end, or the error; after an error the stream is at its end.
  Result<std::optional<value::Document>> next();

 private:
  std::string_view text_;
  value::ReadOptions options_;
  std::variant<value::JsonReader, value::YamlReader> reader_;
  std::size_t given_ = 0;     // documents so far
  bool may_be_yaml_ = false;  // it looks like JSON, but a YAML flow mapping does so too
};

}  // namespace strake::validate
