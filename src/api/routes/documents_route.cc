#include "api/routes/documents_route.h"

#include "api/routes/unserved_path.h"
#include "api/verbs/respond.h"
#include "async/cancellable.h"

namespace strake::api {
namespace {

constexpr std::string_view kOpenApiV3 = "/openapi/v3/";

// The name of a v3 document that another server has; empty when the call is for none.
std::string_view remote_document(const Call& call, const RemoteSnapshot* remote) {
  if (remote == nullptr || !call.info.path.starts_with(kOpenApiV3)) return {};
  const std::string_view name = std::string_view(call.info.path).substr(kOpenApiV3.size());
  const auto found = remote->openapi_v3.find(name);
  return found == remote->openapi_v3.end() ? std::string_view() : std::string_view(found->first);
}

}  // namespace

bool DocumentsRoute::takes(const Call& call) const {
  if (exposure_ != nullptr && !call.narrowed) return false;
  return call.request.method == "GET" || call.request.method == "HEAD";
}

Documents::Served DocumentsRoute::serve(State& state, const Job& job, bool only_kept) {
  const Documents::Question question{.request = job.call->request,
                                     .query = job.call->query,
                                     .path = job.call->info.path,
                                     .snapshot = job.snapshot,
                                     .remote = job.remote,
                                     .only_kept = only_kept};
  if (!job.fetched) return state.documents.serve(question);
  return Documents::serve_openapi_v3(question, remote_document(*job.call, job.remote.get()),
                                     *job.fetched);
}

Registry::SnapshotPtr DocumentsRoute::snapshot() {
  Registry::SnapshotPtr whole = core_.registry.snapshot();
  if (exposure_ == nullptr) return whole;
  const std::lock_guard lock(mu_);
  if (narrowed_ && narrowed_->generation == whole->generation) return narrowed_;
  auto shown = std::make_shared<Registry::Snapshot>();
  shown->generation = whole->generation;
  for (const auto& [group, endpoints] : whole->groups) {
    if (exposure_->shows(group)) shown->groups.emplace(group, endpoints);
  }
  narrowed_ = shown;
  return shown;
}

AnswerTask<http::Response> DocumentsRoute::answer(std::shared_ptr<Call> call) {
  Job job{.call = call,
          .snapshot = snapshot(),
          .remote = remote_ == nullptr ? nullptr : remote_->snapshot(),
          .fetched = std::nullopt,
          .done = std::nullopt};
  if (const std::string_view name = remote_document(*call, job.remote.get()); !name.empty()) {
    const WaitCancel cancel(*call);
    Result<RemoteDocument> fetched =
        co_await remote_->openapi_v3(std::string(name), cancel.token());
    if (!fetched && fetched.error().code() == Code::kCancelled) co_return refuse(Call::cancelled());
    if (!fetched) co_return text_response(503, "service unavailable\n");
    job.fetched = *std::move(fetched);
  }
  Documents::Served served = serve(*state_, job, true);
  if (!served) {
    async::OneShot<std::optional<http::Response>> done;
    job.done = done;
    Lane State::* const lane =
        call->info.path.starts_with("/openapi/") ? &State::openapi : &State::discovery;
    {
      const std::lock_guard lock(state_->mu);
      Lane& own = (*state_).*lane;
      own.jobs.push_back(std::move(job));
      if (!own.busy) {
        own.busy = true;
        core_.workers.post([state = state_, lane] { work(state, lane); });
      }
    }
    const WaitCancel cancel(*call);
    const CancelRegistration registration = async::end_wait_when(cancel.token(), done);
    auto made = co_await done.wait();
    if (!made && made.error().code() == Code::kCancelled) co_return refuse(Call::cancelled());
    STRAKE_CO_TRY(served, api::answer(std::move(made)));
  }
  if (*served) co_return **std::move(served);
  co_return unserved_path(*call, core_.registry);
}

void DocumentsRoute::work(const std::shared_ptr<State>& state, Lane State::* lane) {
  while (true) {
    Job job;
    {
      const std::lock_guard lock(state->mu);
      Lane& own = (*state).*lane;
      own.busy = !own.jobs.empty();
      if (!own.busy) return;
      job = std::move(own.jobs.front());
      own.jobs.pop_front();
    }
    Result<std::optional<http::Response>> outcome =
        fail(Code::kCancelled, "nobody waits for the document any more");
    if (!job.call->is_cancelled()) {
      try {
        if (auto served = serve(*state, job, false)) outcome = *std::move(served);
      } catch (...) {
        outcome = fail(Code::kInternal, "a document took too much memory");  // docs/adr/0003
      }
    }
    job.done->set(std::move(outcome));
  }
}

}  // namespace strake::api
