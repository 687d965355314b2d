#include "server/clock_route.h"

#include <fmt/format.h>

#include "api/verbs/respond.h"
#include "base/go_duration.h"
#include "base/rfc3339.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::server {
namespace {

using value::Value;

constexpr std::string_view kPath = "/testserver/clock";

Result<> move_by(TestClock& clock, std::string_view key, const Value& to) {
  if (key == "speed") {
    if (!to.is_number()) return fail(Code::kInvalid, "must be a number");
    return clock.set_speed(to.as_double());
  }
  if (!to.is_string()) return fail(Code::kInvalid, "must be text");
  if (key == "advance") {
    STRAKE_TRY(const std::chrono::nanoseconds by, parse_go_duration(to.as_string()));
    return clock.advance(by);
  }
  if (key == "time") {
    STRAKE_TRY(const Instant time, parse_rfc3339(to.as_string()));
    return clock.set(time.to_wall());
  }
  return fail(Code::kInvalid, "is none of advance, time and speed");
}

}  // namespace

bool ClockRoute::takes(const api::Call& call) const { return call.info.path == kPath; }

Result<> ClockRoute::move(std::string_view body) {
  STRAKE_TRY(const value::Document document, value::read_json(body));
  if (document.root().members().empty())
    return fail(Code::kInvalid, "must be an object with advance, time or speed");
  for (const value::Member& one : document.root().members()) {
    if (const Result<> moved = move_by(clock_, one.key, one.value); !moved)
      return fail(Code::kInvalid, "{}: {}", one.key, moved.error().message());
  }
  moved_();
  return {};
}

api::Answer<http::Response> ClockRoute::answer_now(const api::Call& call) {
  if (call.request.method == "PUT") {
    if (const Result<> moved = move(call.request.body); !moved)
      return api::refuse(meta::Status::bad_request(moved.error().message()));
  } else if (call.request.method != "GET") {
    return api::refuse(meta::Status::method_not_supported());
  }
  return api::json_response(
      200, fmt::format("{{\"time\":\"{}\",\"speed\":{}}}\n",
                       format_rfc3339_nano(Instant::from(clock_.now())), clock_.speed()));
}

api::AnswerTask<http::Response> ClockRoute::answer(std::shared_ptr<api::Call> call) {
  co_return answer_now(*call);
}

}  // namespace strake::server
