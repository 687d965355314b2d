#pragma once
// What containers have written.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "kube/client.h"
#include "kube/pods/streams.h"

namespace strake::kube {

struct PodTarget {
  std::string namespace_name;
  std::string pod;
  std::string container;  // empty: the only one
};

struct LogRequest {
  PodTarget of;
  bool follow = false;  // goes on until the container ends, or the client's work should stop
  std::optional<std::int64_t> tail = {};  // the last lines; nothing: all of them
  std::optional<std::chrono::seconds> since = {};
  bool timestamps = false;
  bool previous = false;  // of the container before its restart
};

// Hands it over as it comes. Fails as Client::stream(), and with what `out` failed with.
Result<> read_log(const Client& cluster, const LogRequest& request, OutputStream& out);

}  // namespace strake::kube
