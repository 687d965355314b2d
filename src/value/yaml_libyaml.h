#pragma once
// YAML syntax as libyaml reads it, which is seen only by the .cc. It knows the whole language, and
// is the one that finds errors; these are worded as go-yaml words them.
//
// libyaml differs from go-yaml's scanner in two corners of flow collections: a question mark
// may stand inside a plain scalar ([a?b], which go-yaml refuses), and a plain scalar may not
// end in a colon before a bracket or comma ({a:}, which go-yaml reads as the key "a:").
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "value/read_options.h"
#include "value/yaml_event.h"

namespace strake::value::internal {

class LibyamlParser {
 public:
  // Reads the text from `offset` on, which is its start or that of a line with `---`; positions are
  // those in the whole text, which must outlive the parser.
  struct From {
    std::size_t offset = 0;
    std::uint32_t line = 1;
    std::uint64_t flow_budget = 0;
    // What the scanner has found out about the text. A usable one is read in small steps: of a text
    // with many documents only those are looked at that the scanner cannot read.
    bool usable = false;
    bool ascii = false;
  };
  LibyamlParser(std::string_view text, YamlSchema schema, const From& from);
  ~LibyamlParser();

  // libyaml looks at every open flow collection for each token. This is more than any text needs
  // whose nesting is deep or whose length is great, and stops those where both are.
  static std::uint64_t flow_budget_for(std::string_view text) {
    return (std::uint64_t{1} << 27) + 16 * std::uint64_t{text.size()};
  }
  std::uint64_t flow_budget() const;  // what is left of it

  // Fails with kParse, or with kLimit for texts made to be slow. After an error nothing more may be
  // asked.
  Result<> next(YamlEvent& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::value::internal
