#pragma once
// Which time zones there are. kube-apiserver 1.36 brings the database along; only its names matter
// here, since nothing is scheduled.
#include <string_view>

#include "base/result.h"

namespace strake::kinds {

// The names, by area.
extern const std::string_view kTimeZoneNames;

// Fails with kInvalid and the words of Go's time.LoadLocation when there is none of that name.
Result<> find_time_zone(std::string_view name);

}  // namespace strake::kinds
