#pragma once
// Turns a stream of events into a Document: sorts members, settles duplicate keys by policy, bounds
// the node count, and keeps positions when asked. Reusable: take() leaves it ready for the next
// document.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/document.h"
#include "value/events.h"
#include "value/read_options.h"

namespace strake::value {

class DocumentBuilder final : public EventSink {
 public:
  explicit DocumentBuilder(const ReadOptions& options);

  // Strings that lie inside this text are not copied; the caller keeps it alive as long as the
  // documents.
  void borrow_text(std::string_view text) { stable_ = text; }
  // The next document owns this text, and strings inside it are not copied.
  std::string_view adopt_text(std::string text);
  // Bytes the next document will need, so that it takes one allocation.
  void expect_bytes(std::size_t bytes);

  // The short ones are here so that the JSON reader can inline them.
  bool begin_object(const Position& at) override {
    frames_.push_back({entries_.size(), at, true});
    return true;
  }
  bool begin_array(const Position& at) override {
    frames_.push_back({entries_.size(), at, false});
    return true;
  }
  [[gnu::always_inline]] bool key(std::string_view name, const Position& at) override {
    entries_.push_back({Value::string(keep(name, true)), at});
    return true;
  }
  [[gnu::always_inline]] bool scalar(const Value& v, const Position& at) override {
    if (v.type() == Type::kString)
      return push(Value::string(keep(v.as_string(), v.size() <= kShortText)), at);
    if (v.type() == Type::kLiteral) return push(Value::literal(keep(v.as_string(), false)), at);
    return push(v, at);
  }
  bool end_object(const Position& at) override;
  bool end_array(const Position& at) override;
  bool end_document(const Position& at) override { return static_cast<void>(at), true; }

  // A whole value has arrived and waits to be taken.
  bool complete() const { return frames_.empty() && entries_.size() == 1; }
  // Why an event was refused.
  const std::optional<Error>& error() const { return error_; }
  // Throws away what has arrived of the document.
  void reset();
  // The finished document. Must follow a complete stream of events.
  Document take();

 private:
  static constexpr std::size_t kShortText = 8;
  struct Entry {
    Value value;  // for a key: a string
    Position at;
  };
  struct Frame {
    std::size_t first;  // entry of the first key or item
    Position at;
    bool object;
  };
  [[gnu::always_inline]] bool push(const Value& v, const Position& at) {
    if (++nodes_ > options_.limits.nodes) [[unlikely]]
      return too_many_nodes(at);
    entries_.push_back({v, at});
    return true;
  }
  [[gnu::always_inline]] std::string_view keep(std::string_view text, bool may_repeat) {
    const auto start = reinterpret_cast<std::uintptr_t>(text.data());
    const auto stable = reinterpret_cast<std::uintptr_t>(stable_.data());
    if (start - stable < stable_.size()) return text;  // wraps around when below
    return may_repeat ? keep_shared(text) : keep_copy(text);
  }
  // Keys repeat, and so do short texts: most are copied once, and then lie together for whoever
  // walks the document.
  std::string_view keep_shared(std::string_view text);
  std::string_view keep_copy(std::string_view text);
  bool too_many_nodes(const Position& at);
  bool refuse(Error error);
  bool settle_duplicates(std::vector<std::uint32_t>& order, const Entry* entries);
  FieldPath path_to(const Entry* innermost, std::string_view last_key) const;
  void start_storage();

  ReadOptions options_;
  std::shared_ptr<Document::Storage> storage_;
  std::string_view stable_;
  std::size_t expected_bytes_ = 0;
  std::vector<Entry> entries_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> order_;
  std::vector<std::string_view> shared_;  // texts kept in this document, by hash
  std::size_t shareable_ = 0;
  std::optional<Error> error_;
  std::uint64_t nodes_ = 0;
  std::size_t documents_ = 0;
};

}  // namespace strake::value
