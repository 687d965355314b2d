#include "api/filters/pipeline.h"

#include "api/verbs/respond.h"
#include "base/arena.h"
#include "base/log.h"

namespace strake::api {

using http::Response;
using meta::Status;

AnswerTask<Response> Pipeline::route(CallPtr call) const {
  for (const std::unique_ptr<Route>& one : routes_) {
    if (one->takes(*call)) return one->answer(std::move(call));
  }
  return [](Response page) -> AnswerTask<Response> { co_return page; }(not_found_page());
}

boost::asio::awaitable<Response> Pipeline::run(CallPtr call) const {
  std::size_t entered = 0;
  std::optional<Answer<Response>> ended;
  try {
    while (!ended && entered < stages_.size()) {
      Passage passage = stages_[entered++]->enter(*call);
      if (passage.goes_on()) continue;
      if (auto waiting = passage.take_wait()) {
        Passage::Outcome outcome = co_await *std::move(waiting);
        if (!outcome) {
          ended = refuse(std::move(outcome).error());
        } else if (*outcome) {
          ended = **std::move(outcome);
        }
      } else {
        ended = passage.take_end();
      }
    }
    if (!ended) ended = co_await route(call);
  } catch (const ArenaFull&) {
    log::get("api").warn("a request reached its memory limit",
                         {{"method", call->request.method}, {"path", call->request.path}});
    ended =
        refuse(Status::request_too_large("handling it takes more memory than one request may use"));
  }
  if (!*ended) {
    for (std::size_t i = entered; i > 0; --i) stages_[i - 1]->reword(*call, ended->error());
  }
  Response response;
  if (*ended) {
    response = **std::move(ended);
  } else {
    response =
        status_response(ended->error(), encoding_of_status(call->request.headers.get("Accept")));
    if (ended->error().code == 403) response.headers.add("X-Content-Type-Options", "nosniff");
  }
  while (entered > 0) stages_[--entered]->leave(*call, response);
  if (call->unstored) {
    const WaitCancel cancel(*call);
    static_cast<void>(co_await call->unstored(cancel.token()));
  }
  co_return response;
}

}  // namespace strake::api
