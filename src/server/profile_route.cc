#include "server/profile_route.h"

#include <charconv>

#include "api/verbs/respond.h"
#include "async/signal.h"
#include "server/profile.h"

namespace strake::server {
namespace {

using api::text_response;

constexpr std::string_view kFolder = "/debug/pprof/";
constexpr std::string_view kProfile = "/debug/pprof/profile";
constexpr std::int64_t kUsualSeconds = 30;
// A request has 60 seconds in all.
constexpr std::int64_t kMostSeconds = 50;

http::Response pprof_error(int code, std::string_view why) {
  http::Response out = text_response(code, fmt::format("{}\n", why));
  out.headers.add("X-Go-Pprof", "1");
  return out;
}

// As in Go, what is no number is taken for none.
std::int64_t seconds_of(const http::Query& query) {
  const std::string_view text = query.get("seconds").value_or("");
  std::int64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool good = read.ec == std::errc() && read.ptr == text.data() + text.size() && out > 0;
  return good ? out : kUsualSeconds;
}

}  // namespace

bool ProfileRoute::takes(const api::Call& call) const {
  return call.info.path.starts_with(kFolder) || call.info.path == "/debug/pprof";
}

api::AnswerTask<http::Response> ProfileRoute::answer(std::shared_ptr<api::Call> call) {
  if (call->info.path == kProfile) return profile(std::move(call));
  const bool index = call->info.path == kFolder || call->info.path == "/debug/pprof";
  return [](bool found) -> api::AnswerTask<http::Response> {
    if (!found) co_return api::not_found_page();
    co_return text_response(
        200,
        "/debug/pprof/profile?seconds=N: where the processor time of N seconds goes (30 "
        "unless given, 50 at most), for `go tool pprof`\n");
  }(index);
}

api::AnswerTask<http::Response> ProfileRoute::profile(std::shared_ptr<api::Call> call) {
  const std::int64_t seconds = seconds_of(call->query);
  if (seconds > kMostSeconds)
    co_return pprof_error(400, fmt::format("profile duration exceeds {} seconds", kMostSeconds));
  auto running = CpuProfile::start();
  if (!running)
    co_return pprof_error(
        500, fmt::format("Could not enable CPU profiling: {}", running.error().message()));
  const WallTime begun = clock_.now();
  const SteadyTime from = system_clock().steady_now();
  const api::WaitCancel token(*call);
  const Result<> waited =
      co_await async::sleep_until(Deadline::after(std::chrono::seconds(seconds)), token.token());
  if (!waited) co_return api::refuse(api::Call::cancelled());
  const StackCounts stacks = (*running)->stacks();
  running->reset();
  http::Response out =
      text_response(200,
                    to_pprof(stacks, mapped_files(), begun, system_clock().steady_now() - from,
                             CpuProfile::kPeriod),
                    "application/octet-stream");
  out.headers.add("Content-Disposition", "attachment; filename=\"profile\"");
  out.headers.add("X-Content-Type-Options", "nosniff");
  co_return out;
}

}  // namespace strake::server
