// Any text as a recording: it is read, or refused with a message that names the line. What was read
// is written as lines that read as the same, and can be compared with itself.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "recording/compare.h"
#include "recording/translation.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find('\n'));
  if (const auto line = recording::read_line(first)) {
    std::string written = recording::write_line(*line);
    written.pop_back();
    const auto again = recording::read_line(written);
    STRAKE_ASSERT(again && *again == *line);
  }
  const auto read = recording::Recording::read(text, "fuzz.jsonl");
  if (!read) {
    STRAKE_ASSERT(!read.error().message().empty());
    return 0;
  }
  const auto same = recording::compare(*read, *read, recording::Order::kArrival);
  STRAKE_ASSERT(!same.first);
  STRAKE_ASSERT(!recording::describe(same, *read, *read, recording::Order::kArrival).empty());
  recording::Translation translation;
  for (const recording::Exchange& one : read->exchanges) {
    if (one.answer) translation.learn(one.answer->body, one.answer->body);
    static_cast<void>(translation.path(one.request.path));
    static_cast<void>(translation.query(one.request.query));
    static_cast<void>(translation.body(one.request.body));
  }
  return 0;
}
