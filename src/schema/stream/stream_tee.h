#pragma once
// Holds a part of a passing document beside its piecemeal judgement, for as long as it is small
// enough. One part each; parts may lie inside of each other.
#include <cstddef>
#include <optional>
#include <string_view>

#include "schema/stream/stream.h"
#include "value/builder.h"

namespace strake::schema {

class StreamTee {
 public:
  // Of a kMeta part only the members that every resource has are held.
  StreamTee(StreamParts::Need need, std::size_t most_bytes);

  // From the part's own begin to its own end.
  void begin(bool object, const Position& at);
  void key(std::string_view name, const Position& at);
  void scalar(const value::Value& v, const Position& at);
  void end(bool object, const Position& at);

  std::size_t bytes() const { return bytes_; }
  void give_up();
  // After the end; nothing when it was too large.
  std::optional<value::Document> take();

 private:
  bool passes_over() const { return gave_up_ || (meta_only_ && depth_ > 0 && !in_meta_); }
  bool fits(std::size_t bytes);

  value::DocumentBuilder builder_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::size_t depth_ = 0;
  bool meta_only_;
  bool in_meta_ = false;  // the member being read is one of them
  bool gave_up_ = false;
};

}  // namespace strake::schema
