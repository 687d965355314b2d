#include "recording/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "api/request/call.h"
#include "base/log.h"
#include "base/rfc3339.h"
#include "recording/body.h"

namespace strake::recording {
namespace {

// Clients that open a connection for each request would fill the memory with their addresses.
constexpr std::size_t kMostConnections = 100'000;

Holds holds_of(const http::Request& request) {
  const Result<http::Query> query = http::Query::parse(request.query);
  if (!query) return Holds::kNothing;
  const auto info = api::read_request_info(request.method, request.path, *query);
  return info ? what_is_held(*info) : Holds::kNothing;
}

}  // namespace

// One call, from its request to the end of its answer. Destroyed when nobody waits for it any more.
class Recorder::Trail {
 public:
  Trail(Recorder& recorder, RequestId id, Holds holds)
      : recorder_(recorder), id_(id), holds_(holds) {}
  Trail(const Trail&) = delete;
  Trail& operator=(const Trail&) = delete;
  ~Trail() {
    if (!ended_) end(true);
  }

  void answer(const api::Call& call, const http::Response& response) {
    answer_.id = id_;
    answer_.status = response.status;
    if (call.user) {
      answer_.user = call.user->name;
      answer_.groups = call.user->groups;
    }
    type_ = response.headers.get("Content-Type");
    if (!response.stream) {
      for (const http::Piece& piece : response.body) gather(piece.view());
      return finish_answer();
    }
    // A list comes to an end by itself, and is an answer like others by then.
    answer_.goes_on = !response.stream->is_finite();
    if (answer_.goes_on) recorder_.write(answer_);
    tell(response.body);
  }

  // Of an answer that is a stream.
  void tell(const std::vector<http::Piece>& part) {
    for (const http::Piece& piece : part) {
      gather(piece.view());
      if (answer_.goes_on) tell_events();
    }
  }
  void end(bool by_client) {
    if (std::exchange(ended_, true)) return;
    if (answer_.status != 0 && !answer_.goes_on && !by_client) return finish_answer();
    recorder_.write(EndLine{.id = id_, .by_client = by_client});
  }

 private:
  void gather(std::string_view text) {
    bytes_ += text.size();
    if (gathered_.size() <= kMostDigestedBytes) gathered_ += text;
  }
  void finish_answer() {
    ended_ = true;
    if (bytes_ > kMostDigestedBytes) {
      answer_.body = {.form = Body::Form::kDigest, .text = {}, .bytes = bytes_};
    } else {
      answer_.body = make_body(gathered_, type_, holds_, kMostAnswerBytes);
    }
    recorder_.write(std::move(answer_));
  }
  // Events are lines, of JSON at least; in YAML, documents.
  void tell_events() {
    const std::string_view divider = type_.contains("yaml") ? "---\n" : "\n";
    std::size_t begin = 0;
    for (std::size_t at = gathered_.find(divider); at != std::string::npos;
         at = gathered_.find(divider, begin)) {
      const std::string_view one = std::string_view(gathered_).substr(begin, at - begin);
      begin = at + divider.size();
      if (one.empty()) continue;
      recorder_.write(
          EventLine{.id = id_, .body = make_body(one, type_, holds_, kMostAnswerBytes)});
    }
    gathered_.erase(0, begin);
  }

  Recorder& recorder_;
  const RequestId id_;
  const Holds holds_;
  AnswerLine answer_;
  std::string type_;
  std::string gathered_;
  std::uint64_t bytes_ = 0;
  bool ended_ = false;
};

// How a call is found again on its way out.
struct Recorder::Mark final : api::Held {
  explicit Mark(std::shared_ptr<Trail> its_trail) : trail(std::move(its_trail)) {}
  std::shared_ptr<Trail> trail;
};

class Recorder::RecordedStream final : public http::BodyStream {
 public:
  RecordedStream(std::unique_ptr<http::BodyStream> stream, std::shared_ptr<Trail> trail)
      : trail_(std::move(trail)), stream_(std::move(stream)) {}
  async::Task<std::vector<http::Piece>> next() override {
    Result<std::vector<http::Piece>> part = co_await stream_->next();
    if (part) trail_->tell(*part);
    if (!part || part->empty()) trail_->end(false);
    co_return part;
  }
  bool is_finite() const override { return stream_->is_finite(); }
  bool may_compress() const override { return stream_->may_compress(); }
  bool is_revoked() const override { return stream_->is_revoked(); }
  http::Headers trailers() const override { return stream_->trailers(); }

 private:
  std::shared_ptr<Trail> trail_;
  std::unique_ptr<http::BodyStream> stream_;
};

Result<std::unique_ptr<Recorder>> Recorder::open(Options options) {
  OwnedFd file(
      ::open(options.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file)
    return fail(Code::kIo, "cannot write the recording {}: {}", options.path, std::strerror(errno));
  return std::unique_ptr<Recorder>(new Recorder(std::move(options), std::move(file)));
}

void Recorder::begin() {
  const std::lock_guard lock(mu_);
  if (std::exchange(recording_, true)) return;
  begun_ = options_.clock->steady_now();
  put(HeadLine{.started = format_rfc3339(Instant::from(options_.clock->now()))});
}

double Recorder::seconds() const {
  return std::chrono::duration<double>(options_.clock->steady_now() - begun_).count();
}

template <typename OneLine>
void Recorder::write(OneLine line) {
  const std::lock_guard lock(mu_);
  line.at = seconds();
  put(std::move(line));
}

void Recorder::put(const Line& line) {
  if (!recording_) return;
  std::string text = write_line(line);
  if (bytes_ + text.size() > options_.most_bytes) {
    recording_ = false;
    text = write_line(FullLine());
    log::get("recording").warn("the recording is full", {{"file", options_.path}});
  }
  bytes_ += text.size();
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::write(file_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      recording_ = false;
      log::get("recording")
          .error("cannot write the recording",
                 {{"file", options_.path}, {"reason", std::strerror(errno)}});
      return;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

api::Passage Recorder::enter(api::Call& call) {
  const http::Request& request = call.request;
  {
    const std::lock_guard lock(mu_);
    if (!recording_) return {};
  }
  RequestLine line{.agent = std::string(request.headers.get("User-Agent")),
                   .method = request.method,
                   .path = request.path,
                   .query = request.query,
                   .accept = std::string(request.headers.get("Accept")),
                   .content_type = std::string(request.headers.get("Content-Type")),
                   .if_none_match = std::string(request.headers.get("If-None-Match")),
                   .streamed = request.stream != nullptr};
  const Holds holds = holds_of(request);
  line.body = make_body(request.body, line.content_type, holds, kMostRequestBytes);
  RequestId id = 0;
  {
    const std::lock_guard lock(mu_);
    if (connections_.size() == kMostConnections) connections_.clear();
    const auto [known, is_new] =
        connections_.try_emplace(request.remote_address, last_connection_ + 1);
    if (is_new) ++last_connection_;
    line.connection = known->second;
    line.id = id = ++last_;
    line.at = seconds();
    put(std::move(line));
  }
  call.held.push_back(std::make_unique<Mark>(std::make_shared<Trail>(*this, id, holds)));
  return {};
}

void Recorder::leave(api::Call& call, http::Response& response) {
  for (const std::unique_ptr<api::Held>& held : call.held) {
    auto* mark = dynamic_cast<Mark*>(held.get());
    if (mark == nullptr) continue;
    std::shared_ptr<Trail> trail = std::move(mark->trail);
    trail->answer(call, response);
    if (response.stream)
      response.stream =
          std::make_unique<RecordedStream>(std::move(response.stream), std::move(trail));
    return;
  }
}

}  // namespace strake::recording
