#include "api/verbs/list_stream.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>

#include "api/verbs/list_text.h"
#include "api/verbs/ready.h"
#include "async/signal.h"

namespace strake::api {
namespace {

using http::Piece;
using http::Response;

// Text of objects that one part is made from, unless one object alone has more.
constexpr std::size_t kPartBytes = 64 * 1024;

std::size_t size_of(const ObjectPtr& object) { return object->bytes()->size(); }

bool is_short(const std::vector<ObjectPtr>& objects) {
  if (objects.size() > kWholeObjects) return false;
  std::size_t bytes = 0;
  for (const ObjectPtr& object : objects) bytes += size_of(object);
  return bytes <= kWholeBytes;
}

// What workers need: they may go on for a moment when the stream is gone.
struct Source {
  Source(std::shared_ptr<const Call> of, std::vector<ObjectPtr> all, ListText how)
      : call(std::move(of)), objects(std::move(all)), text(std::move(how)) {}
  std::shared_ptr<const Call> call;
  std::vector<ObjectPtr> objects;
  ListText text;
};

class ListStream final : public http::BodyStream {
 public:
  ListStream(Core& core, std::shared_ptr<Source> source, const async::Executor& executor)
      : core_(core),
        source_(std::move(source)),
        look_(executor),
        claim_(core.streams, source_->call->asking->name, source_->call->request.remote_address,
               StreamBudget::Claim::Kind::kList, executor, look_) {}

  bool is_finite() const override { return true; }

  // Fails when an object cannot be shown in the call's version: then the whole list cannot, as long
  // as nothing of it is sent. What that makes is kept with the objects, for everyone.
  AnswerTask<> check() {
    STRAKE_CO_TRY(Answer<bool> ready, answer(co_await core_.workers.run([source = source_] {
                    return Result<Answer<bool>>(check_all(*source));
                  })));
    if (!ready) co_return refuse(ready.error());
    if (*ready) co_return Answer<>();
    const Call& call = *source_->call;
    co_return co_await make_ready(core_, call, *call.version, source_->objects);
  }

  async::Task<std::vector<Piece>> next() override {
    std::vector<Piece> out;
    claim_.hold(0);  // the last part is on its way
    if (ended_) co_return out;
    while (!claim_.has_room()) STRAKE_CO_CHECK(co_await look_.wait(Deadline::never()));
    const std::size_t end = end_of_part();
    const Call& call = *source_->call;
    const std::span<ObjectPtr> part = std::span(source_->objects).subspan(at_, end - at_);
    // Others may have taken the place of what was made for the check.
    if (any_must_wait(call, part)) {
      const Answer<> ready = co_await make_ready(core_, call, *call.version, part);
      if (!ready) co_return fail(Code::kInternal, "{}", ready.error().message);
    }
    STRAKE_CO_TRY(Answer<std::string> made,
                  co_await core_.workers.run([source = source_, from = at_, end] {
                    return Result<Answer<std::string>>(make(*source, from, end));
                  }));
    if (!made) co_return fail(Code::kInternal, "{}", made.error().message);
    if (at_ == 0) out.emplace_back(source_->text.head());
    at_ = end;
    out.emplace_back(*std::move(made));
    ended_ = at_ == source_->objects.size();
    if (ended_) out.emplace_back(source_->text.tail());
    std::size_t bytes = 0;
    for (const Piece& piece : out) bytes += piece.own_bytes();
    claim_.hold(bytes);
    co_return out;
  }

 private:
  // False when some have to be waited for.
  static Answer<bool> check_all(const Source& source) {
    const Call& call = *source.call;
    bool ready = true;
    for (const ObjectPtr& object : source.objects) {
      if (call.is_cancelled()) return refuse(Call::cancelled());
      if (call.endpoint->is_rendered(*object, *call.version)) continue;
      STRAKE_TRY(const Bytes text, call.endpoint->render(*object, *call.version));
      ready = ready && text != nullptr;
    }
    return ready;
  }
  static Answer<std::string> make(const Source& source, std::size_t from, std::size_t to) {
    return source.text.part(std::span(source.objects).subspan(from, to - from), from == 0);
  }
  std::size_t end_of_part() const {
    std::size_t end = at_;
    std::size_t bytes = 0;
    while (end < source_->objects.size() && (end == at_ || bytes < kPartBytes))
      bytes += size_of(source_->objects[end++]);
    return end;
  }

  Core& core_;
  const std::shared_ptr<Source> source_;  // changed only while no worker reads it
  async::Signal look_;                    // when there was no room, and there may be some now
  StreamBudget::Claim claim_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace

AnswerTask<Response> send_list(Core& core, std::shared_ptr<Call> call,
                               std::vector<ObjectPtr> objects, ListMeta meta) {
  const bool made = must_be_made(*call);
  if (made && comes_in_parts(*call) && !is_short(objects)) {
    STRAKE_CO_TRY(ListText text, ListText::of(*call, meta));
    Response out;
    out.headers.add("Content-Type", text.media_type());
    auto stream = std::make_unique<ListStream>(
        core, std::make_shared<Source>(call, std::move(objects), std::move(text)),
        co_await boost::asio::this_coro::executor);
    STRAKE_CO_CHECK(co_await stream->check());
    // The first part comes with the head, so that what goes wrong at once is an answer.
    STRAKE_CO_TRY(out.body, answer(co_await stream->next()));
    out.stream = std::move(stream);
    co_return out;
  }
  bool parsed = made;
  bool waits = false;
  for (const ObjectPtr& one : objects) {
    if (call->endpoint->is_rendered(*one, *call->version)) continue;
    parsed = true;
    waits = waits || call->endpoint->must_wait(*one, *call->version);
  }
  if (waits) STRAKE_CO_CHECK(co_await make_ready(core, *call, *call->version, objects));
  if (objects.size() <= (parsed ? kParsedAtOnce : kAtOnce))
    co_return list_response(*call, objects, meta);
  STRAKE_CO_TRY(Answer<Response> whole,
                answer(co_await core.workers.run(
                    [call, objects = std::move(objects), meta = std::move(meta)] {
                      return Result<Answer<Response>>(list_response(*call, objects, meta));
                    })));
  co_return whole;
}

}  // namespace strake::api
