#pragma once
// YAML text in, resolved as Kubernetes tooling resolves it (YAML 1.1 scalars, merge keys, keys made
// into strings), through the same events as JSON. Aliases expand under a node budget. Errors carry
// the position; their words are those of go-yaml's reader.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/events.h"
#include "value/read_options.h"

namespace strake::value {

// The first document of the text; null when there is none. Fails with kParse for text that is not
// YAML or has no JSON form
// (.inf, keys that are null or collections), with kLimit when a limit is passed. Text that is not
// UTF-8 (or UTF-16 with a byte order mark) is refused whatever the text policy; the policy decides
// about !!binary content.
//
// A merge key (<<) takes effect where it stands: it overrides members before it and is overridden
// by members behind it. That is never a duplicate.
Result<Document> read_yaml(std::string_view text, const ReadOptions& options = {});

// The same document as events. It is held in memory only when the text may have anchors or merge
// keys; duplicate keys pass through unseen. Fails with kCancelled when the sink stops it.
Result<> read_yaml_events(std::string_view text, EventSink& sink, const ReadOptions& options = {});

// Documents one after the other, divided by `---` and `...`. Documents without content, null
// included, are passed over, as kubectl does; Document::index() counts them all the same. What
// stands before the first `---` counts only when it is more than comments. The text must outlive
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
