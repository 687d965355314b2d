#include "cli/serve/load_flags.h"

namespace strake::cli {
namespace {

// Far more than anybody has, and few enough to be added and multiplied.
constexpr std::uint64_t kMost = 1'000'000;

}  // namespace

Result<> read_load(const Arguments& args, server::Options& out) {
  constexpr std::string_view kReads = "max-requests-inflight";
  constexpr std::string_view kWrites = "max-mutating-requests-inflight";
  out.fair_use = args.text("enable-priority-and-fairness") != "false";
  for (const std::string_view flag : {kReads, kWrites}) {
    if (args.number(flag) > kMost)
      return fail(Code::kUsage, "--{} is at most {}, got {}", flag, kMost, args.number(flag));
  }
  out.max_requests_in_flight = args.number(kReads);
  out.max_writes_in_flight = args.number(kWrites);
  if (out.fair_use && out.max_requests_in_flight + out.max_writes_in_flight == 0) {
    return fail(Code::kUsage,
                "--{} and --{} are both 0: with --enable-priority-and-fairness their sum must be "
                "positive",
                kReads, kWrites);
  }
  return {};
}

}  // namespace strake::cli
