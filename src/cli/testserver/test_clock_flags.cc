#include "cli/testserver/test_clock_flags.h"

#include <charconv>

#include "base/rfc3339.h"

namespace strake::cli {
namespace {

Result<double> speed_of(std::string_view pace) {
  if (pace == "real") return 1.0;
  if (pace == "frozen") return 0.0;
  double out = 0;
  const std::string_view number = pace.substr(0, pace.empty() ? 0 : pace.size() - 1);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), out);
  const bool is_factor = pace.ends_with('x') && read.ec == std::errc() &&
                         read.ptr == number.data() + number.size() && out > 0 &&
                         out <= server::TestClock::kMostSpeed;
  if (!is_factor)
    return fail(Code::kUsage,
                "--clock must be real, frozen, or a factor up to {}x such as 60x, got {}",
                server::TestClock::kMostSpeed, pace);
  return out;
}

}  // namespace

Result<std::unique_ptr<server::TestClock>> read_test_clock(const Arguments& args) {
  STRAKE_TRY(const double speed, speed_of(args.text("clock")));
  const std::string_view start = args.text("clock-start");
  if (args.text("clock") == "real" && start.empty()) return nullptr;
  WallTime at = system_clock().now();
  if (!start.empty()) {
    const auto given = parse_rfc3339(start);
    if (!given)
      return fail(Code::kUsage, "--clock-start must be a time such as 2026-01-01T00:00:00Z, got {}",
                  start);
    at = given->to_wall();
  }
  return std::make_unique<server::TestClock>(at, speed);
}

}  // namespace strake::cli
