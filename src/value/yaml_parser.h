#pragma once
// YAML text as syntax events with positions. Most of it comes from the YamlScanner, which is fast
// and knows what manifests are made of; a document with anything else in it comes from libyaml.
// Which of them it was cannot be told from the events or the errors.
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "value/read_options.h"
#include "value/yaml_event.h"
#include "value/yaml_scanner.h"

namespace strake::value {

namespace internal {
class LibyamlParser;
}

class YamlParser {
 public:
  // The text must outlive the parser.
  YamlParser(std::string_view text, const ReadOptions& options);
  ~YamlParser();

  // The next event; false when there is none for the reason that take_error() gives: kParse, or
  // kLimit for texts made to be slow. Then nothing more may be asked.
  bool next(YamlEvent& out) {
    if (scanning_ && scanner_.next(out)) [[likely]]
      return true;
    return next_from_libyaml(out);
  }
  Error take_error() { return *std::move(error_); }

 private:
  bool next_from_libyaml(YamlEvent& out);
  bool failed(Error error);

  std::string_view text_;
  YamlSchema schema_;
  internal::YamlScanner scanner_;
  bool scanning_;
  std::unique_ptr<internal::LibyamlParser> libyaml_;
  std::uint64_t libyaml_offset_ = 0;  // of the `---` it stands at, while the scanner goes on
  std::optional<Error> error_;
};

}  // namespace strake::value
