#pragma once
// Sends the requests of a recording again, one after the other in the order of their arrival, and
// compares the answers. What the server made up then is replaced by what it makes up now
// (translation.h). Each acts as the user that it acted as. Watches run beside the others, from
// where they began to where they ended.
#include <chrono>
#include <cstddef>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "kube/access.h"
#include "recording/compare.h"
#include "recording/recording.h"

namespace strake::recording {

struct ReplayOptions {
  // A server does some things in the background: a GET that is answered differently is sent again
  // for so long, and events are waited for. For one request, and for all of them together.
  std::chrono::milliseconds patience{2'000};
  std::chrono::milliseconds patience_of_all{20'000};
  CancelToken cancel;
};

struct Replay {
  Recording now;  // the same requests, with the answers of now
  // Requests that were not sent, since the recording does not have what is needed: their answers
  // are not compared. Places in both recordings.
  std::vector<std::size_t> left_out;
  std::vector<Difference> differences;
};

// Blocks. As the administrator of the access, who impersonates others. Fails when the server cannot
// be reached, and with kCancelled.
Result<Replay> replay(const Recording& recorded, const kube::Access& access,
                      const ReplayOptions& options);

// For people, several lines.
std::string describe(const Replay& replay, const Recording& recorded);

}  // namespace strake::recording
