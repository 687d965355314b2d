#pragma once
// Stands between a source of events and a sink, and settles duplicate keys without building the
// document. Memory is bounded by the keys of the objects that are open at one time.
//
// kError stops at the first; kFirstWins passes over the later member. The last one cannot win in a
// stream: with kLastWins every member passes, and the duplicates are only listed.
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "value/document.h"
#include "value/events.h"
#include "value/read_options.h"

namespace strake::value {

class DuplicateKeyFilter final : public EventSink {
 public:
  DuplicateKeyFilter(EventSink& next, DuplicatePolicy policy, std::size_t max_listed = 1000)
      : next_(next), policy_(policy), max_listed_(max_listed) {}

  bool begin_object(const Position& at) override;
  bool key(std::string_view name, const Position& at) override;
  bool end_object(const Position& at) override;
  bool begin_array(const Position& at) override;
  bool end_array(const Position& at) override;
  bool scalar(const Value& v, const Position& at) override;
  bool end_document(const Position& at) override { return next_.end_document(at); }

  const std::vector<DuplicateKey>& duplicates() const {
    return duplicates_;
  }  // the first max_listed
  const std::optional<Error>& error() const {
    return error_;
  }  // set when kError stopped the source

 private:
  struct Frame {
    bool object;
    std::size_t index = 0;  // of the next item, in an array
    std::string key;        // of the member being read, in an object
    std::unordered_map<std::string, Position> seen;
  };
  FieldPath path_to(std::string_view last) const;
  void value_ended();
  Frame& open(bool object);

  EventSink& next_;
  DuplicatePolicy policy_;
  std::size_t max_listed_;
  // Frames are kept for reuse, with the buckets of their tables: an array of a million objects
  // allocates for one.
  std::deque<Frame> frames_;
  std::size_t depth_ = 0;
  std::size_t skipping_ = 0;  // open containers of a member that is passed over
  bool skip_next_ = false;
  std::vector<DuplicateKey> duplicates_;
  std::optional<Error> error_;
};

}  // namespace strake::value
