#pragma once
// What this process has counted so far.
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/metrics.h"

namespace strake::testing {

// The value of a series, with its labels in the order of their names; 0 before it was counted.
inline double metric(std::string_view series) {
  std::string page = "\n";
  write_metric_families(page);
  const std::string line = "\n" + std::string(series) + " ";
  const std::size_t at = page.find(line);
  return at == std::string::npos ? 0 : std::strtod(page.c_str() + at + line.size(), nullptr);
}

}  // namespace strake::testing
