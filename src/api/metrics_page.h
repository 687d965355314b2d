#pragma once
// The text of /metrics: requests and watches, stored objects, the store, schemas and the process.
#include <string>
#include <string_view>

#include "api/core.h"

namespace strake::api {

struct InFlightCounts {
  std::size_t reads = 0;
  std::size_t writes = 0;
};
std::string metrics_page(Core& core, InFlightCounts in_flight, std::string_view git_version);

// The standard families that tell of the process itself, read from /proc.
void write_process_metrics(std::string& out);

}  // namespace strake::api
