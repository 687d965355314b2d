#pragma once
// What is done about audit events that are too large for where they go.
#include <cstddef>
#include <string>
#include <string_view>

namespace strake::audit {

struct TruncateOptions {
  bool enabled = false;
  std::size_t most_batch_bytes = 10U << 20;
  std::size_t most_event_bytes = 100U << 10;
};

// Why an event is lost that is too large even so. As in kube-apiserver 1.36, its request goes on.
inline constexpr std::string_view kTooLarge = "event is too large even after truncating";

// Leaves out the objects of the request and the response of an event that is larger than that, and
// notes so in it. Empty when it is too large even then.
std::string truncated(std::string line, std::size_t most_bytes);

}  // namespace strake::audit
