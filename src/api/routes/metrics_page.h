#pragma once
// The text of /metrics: requests and watches, stored objects, the store, schemas and the process.
#include <string>
#include <string_view>

#include "api/request/core.h"
#include "api/request/in_flight.h"

namespace strake::api {

std::string metrics_page(Core& core, const InFlightCounts& in_flight, std::string_view git_version);

// The standard families that tell of the process itself, read from /proc.
void write_process_metrics(std::string& out);

}  // namespace strake::api
