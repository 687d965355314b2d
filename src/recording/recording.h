#pragma once
// A whole recording, as it is compared and sent again: each request with what came of it.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recording/lines.h"

namespace strake::recording {

struct Exchange {
  RequestLine request;
  std::optional<AnswerLine> answer;  // none when the client was gone first, or the recording ended
  std::vector<EventLine> events;
  std::optional<EndLine> end;  // of one that goes on; none when the recording ended first
};

struct Recording {
  std::string name;                 // of its file, for messages
  std::vector<Exchange> exchanges;  // in the order of arrival
  bool full = false;                // nothing was kept of what came later

  // Fails with kParse, naming the line, when it does not begin as a recording or anything else is
  // wrong with it; with kLimit past kMostRequests. The last line may be cut off: a server that was
  // killed left it so.
  static Result<Recording> read(std::string_view text, std::string name);
  static constexpr std::size_t kMostRequests = 1'000'000;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of a file
};

}  // namespace strake::recording
