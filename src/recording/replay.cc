#include "recording/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <map>
#include <tuple>

#include "api/request/request_info.h"
#include "async/loops.h"
#include "async/run.h"
#include "async/signal.h"
#include "http/client.h"
#include "kube/caller.h"
#include "recording/body.h"
#include "recording/translation.h"

namespace strake::recording {
namespace {

constexpr std::chrono::seconds kLongestAnswer{90};
constexpr std::chrono::milliseconds kFirstPause{10};  // between two tries; each is twice as long

// A watch of now. Of one loop; its reader holds it too.
struct Watch {
  explicit Watch(const async::Executor& executor) : changed(executor) {}
  std::unique_ptr<http::BodyReader> reader;
  std::string type;
  Holds holds = Holds::kNothing;
  CancelSource stop;
  async::Signal changed;
  std::vector<EventLine> events;
  bool ended = false;
};

boost::asio::awaitable<void> read_events(std::shared_ptr<Watch> watch) {
  std::string gathered;
  while (true) {
    const http::Outcome<std::string> part = co_await watch->reader->next();
    if (!part || part->empty()) break;
    gathered += *part;
    std::size_t begin = 0;
    for (std::size_t at = gathered.find('\n'); at != std::string::npos;
         at = gathered.find('\n', begin)) {
      watch->events.push_back(
          {.body = make_body(std::string_view(gathered).substr(begin, at - begin), watch->type,
                             watch->holds, kMostAnswerBytes)});
      begin = at + 1;
    }
    gathered.erase(0, begin);
    watch->changed.notify();
  }
  watch->ended = true;
  watch->changed.notify();
}

// What happens when: a request is sent, or a watch ends.
struct Moment {
  double at = 0;
  std::size_t place = 0;
  bool is_end = false;
};

std::vector<Moment> timeline(const Recording& recording) {
  std::vector<Moment> out;
  double last = 0;
  for (std::size_t i = 0; i < recording.exchanges.size(); ++i) {
    const Exchange& one = recording.exchanges[i];
    out.push_back({.at = one.request.at, .place = i, .is_end = false});
    last = std::max(last, one.request.at);
    if (one.answer && one.answer->goes_on && one.end)
      out.push_back({.at = one.end->at, .place = i, .is_end = true});
  }
  for (std::size_t i = 0; i < recording.exchanges.size(); ++i) {
    const Exchange& one = recording.exchanges[i];
    if (one.answer && one.answer->goes_on && !one.end)
      out.push_back({.at = last, .place = i, .is_end = true});
  }
  std::ranges::sort(out, {},
                    [](const Moment& one) { return std::tuple(one.at, one.is_end, one.place); });
  return out;
}

// Whether it can be sent again, and whether its answer says anything.
bool can_be_sent(const Exchange& one) {
  if (one.request.streamed || one.request.body.form == Body::Form::kDigest) return false;
  if (!one.answer) return !one.request.query.contains("watch=");
  // Credentials are not recorded, and no connection changes its protocol.
  return one.answer->status != 401 && one.answer->status != 101;
}

Holds holds_of(const RequestLine& line) {
  const Result<http::Query> query = http::Query::parse(line.query);
  if (!query) return Holds::kNothing;
  const auto info = api::read_request_info(line.method, line.path, *query);
  return info ? what_is_held(*info) : Holds::kNothing;
}

class Replayer {
 public:
  Replayer(const Recording& recorded, kube::Caller caller, const ReplayOptions& options,
           const async::Loops& loops, const async::Executor& executor)
      : recorded_(recorded),
        caller_(std::move(caller)),
        options_(options),
        executor_(executor),
        client_(loops, {}),
        patience_(options.patience_of_all) {}

  async::Task<Replay> run() {
    out_.now.name = "now";
    for (const Exchange& one : recorded_.exchanges)
      out_.now.exchanges.push_back({.request = one.request});
    for (const Moment& moment : timeline(recorded_)) {
      if (options_.cancel.cancelled()) co_return fail(Code::kCancelled, "stopped");
      if (moment.is_end) {
        STRAKE_CO_CHECK(co_await end_watch(moment.place));
      } else if (!can_be_sent(recorded_.exchanges[moment.place])) {
        out_.left_out.push_back(moment.place);
      } else {
        STRAKE_CO_CHECK(co_await repeat(moment.place));
      }
    }
    std::ranges::sort(out_.differences, {}, &Difference::a);
    co_return std::move(out_);
  }

 private:
  http::ClientRequest made(const Exchange& one) const {
    const RequestLine& line = one.request;
    http::ClientRequest out;
    out.to = caller_.upstream;
    out.method = line.method;
    out.target = translation_.path(line.path);
    if (!line.query.empty()) out.target += "?" + translation_.query(line.query);
    out.headers = caller_.headers_now();
    if (!line.accept.empty()) out.headers.add("Accept", line.accept);
    if (!line.if_none_match.empty()) out.headers.add("If-None-Match", line.if_none_match);
    if (!line.agent.empty()) out.headers.add("User-Agent", line.agent);
    const bool was_protobuf =
        line.body.form == Body::Form::kJson && line.content_type.contains("protobuf");
    const std::string type = was_protobuf ? "application/json" : line.content_type;
    if (!type.empty()) out.headers.add("Content-Type", type);
    if (one.answer && !one.answer->user.empty()) {
      out.headers.add("Impersonate-User", one.answer->user);
      for (const std::string& group : one.answer->groups)
        out.headers.add("Impersonate-Group", group);
    }
    out.body = translation_.body(line.body);
    out.cancel = options_.cancel;
    return out;
  }

  async::Task<> repeat(std::size_t place) {
    const Exchange& then = recorded_.exchanges[place];
    if (then.answer && then.answer->goes_on) co_return co_await begin_watch(place);
    Exchange& now = out_.now.exchanges[place];
    const Deadline patient = Deadline::after(std::min(options_.patience, patience_));
    std::chrono::milliseconds pause = kFirstPause;
    while (true) {
      const SteadyTime begun = system_clock().steady_now();
      STRAKE_CO_CHECK(co_await send(then, now));
      auto found = judge(then, now);
      if (!found) break;
      const bool may_change = then.request.method == "GET" || then.request.method == "HEAD";
      if (!may_change || patient.expired()) {
        note(place, *std::move(found));
        break;
      }
      STRAKE_CO_CHECK(co_await async::sleep_until(Deadline::after(pause)));
      pause *= 2;
      spend(system_clock().steady_now() - begun);
    }
    if (then.answer && now.answer) translation_.learn(then.answer->body, now.answer->body);
    co_return Result<>();
  }

  async::Task<> send(const Exchange& then, Exchange& now) {
    http::ClientRequest request = made(then);
    request.deadline = Deadline::after(kLongestAnswer);
    http::Outcome<http::ClientResponse> response = co_await client_.send(std::move(request));
    if (!response) co_return std::unexpected(cannot_send(then, response.error()));
    const http::Outcome<std::string> body =
        co_await http::read_all(*response->body, kMostDigestedBytes + 1);
    now.answer = AnswerLine{.id = then.request.id, .status = response->status};
    if (then.answer) now.answer->user = then.answer->user;
    // A client that was gone first says nothing about what it would have been answered.
    if (!then.answer) now.answer.reset();
    if (body && now.answer)
      now.answer->body = make_body(*body, response->headers.get("Content-Type"),
                                   holds_of(then.request), kMostAnswerBytes);
    if (!body && body.error().fault == http::Fault::kTooLarge && now.answer)
      now.answer->body = {.form = Body::Form::kDigest, .text = {}, .bytes = kMostDigestedBytes + 1};
    else if (!body)
      co_return std::unexpected(cannot_send(then, body.error()));
    co_return Result<>();
  }

  async::Task<> begin_watch(std::size_t place) {
    const Exchange& then = recorded_.exchanges[place];
    Exchange& now = out_.now.exchanges[place];
    auto watch = std::make_shared<Watch>(executor_);
    http::ClientRequest request = made(then);
    request.cancel = watch->stop.token();
    http::Outcome<http::ClientResponse> response = co_await client_.send(std::move(request));
    if (!response) co_return std::unexpected(cannot_send(then, response.error()));
    now.answer = AnswerLine{.id = then.request.id,
                            .user = then.answer->user,
                            .status = response->status,
                            .goes_on = true};
    watch->type = response->headers.get("Content-Type");
    watch->holds = holds_of(then.request);
    watch->reader = std::move(response->body);
    if (response->status != 200) {
      if (const auto text = co_await http::read_all(*watch->reader, kMostAnswerBytes))
        now.answer->body = make_body(*text, watch->type, watch->holds, kMostAnswerBytes);
      if (auto found = judge(then, now)) note(place, *std::move(found));
      co_return Result<>();
    }
    boost::asio::co_spawn(executor_, read_events(watch), boost::asio::detached);
    watches_.emplace(place, std::move(watch));
    co_return Result<>();
  }

  async::Task<> end_watch(std::size_t place) {
    const auto found = watches_.find(place);
    if (found == watches_.end()) co_return Result<>();
    const std::shared_ptr<Watch> watch = std::move(found->second);
    watches_.erase(found);
    const Exchange& then = recorded_.exchanges[place];
    const SteadyTime begun = system_clock().steady_now();
    const Deadline patient = Deadline::after(std::min(options_.patience, patience_));
    while (!watch->ended && watch->events.size() < then.events.size()) {
      STRAKE_CO_TRY(const bool told, co_await watch->changed.wait(patient));
      if (!told) break;
    }
    spend(system_clock().steady_now() - begun);
    watch->stop.cancel();
    Exchange& now = out_.now.exchanges[place];
    now.events = std::move(watch->events);
    for (std::size_t i = 0; i < std::min(then.events.size(), now.events.size()); ++i)
      translation_.learn(then.events[i].body, now.events[i].body);
    if (auto differs = judge(then, now)) note(place, *std::move(differs));
    co_return Result<>();
  }

  std::optional<Difference> judge(const Exchange& then, const Exchange& now) {
    note_names(then, names_then_);
    note_names(now, names_now_);
    return compare(then, names_then_, now, names_now_);
  }
  void note(std::size_t place, Difference found) {
    found.a = found.b = place;
    out_.differences.push_back(std::move(found));
  }
  void spend(std::chrono::nanoseconds time) {
    patience_ = std::max(std::chrono::milliseconds(0),
                         patience_ - std::chrono::duration_cast<std::chrono::milliseconds>(time));
  }
  static Error cannot_send(const Exchange& one, const http::Failure& failure) {
    return Error(failure.to_error().code(),
                 fmt::format("request {}: {} {}: {}", one.request.id, one.request.method,
                             one.request.path, failure.message));
  }

  const Recording& recorded_;
  const kube::Caller caller_;
  const ReplayOptions& options_;
  const async::Executor executor_;
  http::Client client_;
  std::chrono::milliseconds patience_;
  Translation translation_;
  GeneratedNames names_then_;
  GeneratedNames names_now_;
  std::map<std::size_t, std::shared_ptr<Watch>> watches_;
  Replay out_;
};

}  // namespace

Result<Replay> replay(const Recording& recorded, const kube::Access& access,
                      const ReplayOptions& options) {
  STRAKE_TRY(kube::Caller caller, kube::Caller::make(access));
  async::Loops loops(1);
  Replayer replayer(recorded, std::move(caller), options, loops, loops.at(0));
  return async::run_blocking(loops.at(0), replayer.run());
}

std::string describe(const Replay& replay, const Recording& recorded) {
  const std::size_t sent = recorded.exchanges.size() - replay.left_out.size();
  std::string out =
      fmt::format("{} of {} requests were sent again", sent, recorded.exchanges.size());
  if (replay.differences.empty()) return out + ", and answered as they were\n";
  out += fmt::format("; {} were answered differently. The first:\n", replay.differences.size());
  const Difference& first = replay.differences.front();
  const std::size_t place = first.a.value_or(0);
  out += fmt::format("  then: {}\n", describe(recorded.exchanges[place]));
  out += fmt::format("  now:  {}\n", describe(replay.now.exchanges[place]));
  for (const std::string& line : first.details) out += fmt::format("    {}\n", line);
  if (replay.differences.size() > 1) out += "and:\n";
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 1; i < std::min(replay.differences.size(), kShown); ++i)
    out += fmt::format("  {}\n", describe(recorded.exchanges[replay.differences[i].a.value_or(0)]));
  if (replay.differences.size() > kShown)
    out += fmt::format("  and {} more\n", replay.differences.size() - kShown);
  return out;
}

}  // namespace strake::recording
