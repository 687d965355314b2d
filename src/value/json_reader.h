#pragma once
// JSON text in: whole buffers into documents, chunks into events. One parser serves both, so they
// agree on everything. Syntax errors are Code::kParse with the position, worded as Go's
// encoding/json words them.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/events.h"
#include "value/read_options.h"

namespace strake::value {

// One document, with nothing but white space around it. The first form copies the text once; the
// second adopts it; the third leaves strings pointing into the caller's text, which must outlive
// the document.
Result<Document> read_json(std::string_view text, const ReadOptions& options = {});
Result<Document> read_json(std::string&& text, const ReadOptions& options = {});
Result<Document> read_json_borrowed(std::string_view text, const ReadOptions& options = {});
inline Result<Document> read_json(const char* text, const ReadOptions& options = {}) {
  return read_json(std::string_view(text), options);
}

// Documents one after the other in one text (NDJSON, or concatenated with or without white space).
// The text must outlive the reader, not the documents.
class JsonReader {
 public:
  JsonReader(std::string_view text, ReadOptions options);
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // The next document, nothing at the end, or the error; after an error the reader is at its end.
  Result<std::optional<Document>> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Fed in chunks of any size, emits events as soon as they are known. Memory is bounded by the
// nesting depth and the longest string, whatever the length of the input. Duplicate keys pass
// through unseen: put a DuplicateKeyFilter between, or build a document.
class JsonPushParser {
 public:
  enum class Documents : std::uint8_t { kOne, kMany };

  JsonPushParser(EventSink& sink, const ReadOptions& options,
                 Documents documents = Documents::kOne);
  ~JsonPushParser();
  JsonPushParser(JsonPushParser&&) noexcept;

  // The chunk may be thrown away afterwards. After an error nothing more may be fed.
  Result<> feed(std::string_view chunk);
  Result<> finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::value
