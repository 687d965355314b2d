#include "value/events.h"

#include <vector>

namespace strake::value {
namespace {

struct Frame {
  const Value* container;
  std::size_t next;
};

bool begin(const Value& v, const Position& at, EventSink& sink, std::vector<Frame>& open) {
  if (v.is_object()) {
    open.push_back({&v, 0});
    return sink.begin_object(at);
  }
  if (v.is_array()) {
    open.push_back({&v, 0});
    return sink.begin_array(at);
  }
  return sink.scalar(v, at);
}

}  // namespace

bool play(const Value& v, EventSink& sink) {
  const Position unknown;
  std::vector<Frame> open;
  if (!begin(v, unknown, sink, open)) return false;
  while (!open.empty()) {
    // Copied: begin() below may move the frames.
    const Value& container = *open.back().container;
    const std::size_t i = open.back().next++;
    if (i == container.size()) {
      open.pop_back();
      if (!(container.is_object() ? sink.end_object(unknown) : sink.end_array(unknown)))
        return false;
      continue;
    }
    const bool placed = container.has_positions();
    if (container.is_array()) {
      if (!begin(container.items()[i], placed ? container.item_position(i) : unknown, sink, open))
        return false;
      continue;
    }
    const Member& member = container.members()[i];
    if (!sink.key(member.key, placed ? container.key_position(i) : unknown)) return false;
    if (!begin(member.value, placed ? container.value_position(i) : unknown, sink, open))
      return false;
  }
  return sink.end_document(unknown);
}

}  // namespace strake::value
