#pragma once
// How long ago something was, as the API server prints it in tables: short, with two or three
// significant figures.
#include <chrono>
#include <string>
#include <string_view>

#include "base/time.h"

namespace strake::meta {

// 42s, 5m3s, 3h, 5d3h, 2y40d. A moment up to two seconds ahead counts as now ("0s"); one further
// ahead is "<invalid>".
std::string human_age(std::chrono::nanoseconds age);

// The age at `now` of a time as the API writes it (metadata.creationTimestamp). "<unknown>" when
// there is none, "<invalid>" when it cannot be read.
std::string human_age_since(std::string_view rfc3339, WallTime now);

}  // namespace strake::meta
