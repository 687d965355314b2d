#include "api/routes/documents_route.h"

#include "api/verbs/respond.h"
#include "async/cancellable.h"

namespace strake::api {
namespace {

Documents::Question question(const Call& call, Registry::SnapshotPtr snapshot, bool only_kept) {
  return {.request = call.request,
          .query = call.query,
          .path = call.info.path,
          .snapshot = std::move(snapshot),
          .only_kept = only_kept};
}

}  // namespace

bool DocumentsRoute::takes(const Call& call) const {
  if (exposure_ != nullptr && !call.narrowed) return false;
  return call.request.method == "GET" || call.request.method == "HEAD";
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
  Registry::SnapshotPtr snapshot = this->snapshot();
  Documents::Served served = state_->documents.serve(question(*call, snapshot, true));
  if (!served) {
    async::OneShot<std::optional<http::Response>> done;
    {
      const std::lock_guard lock(state_->mu);
      state_->jobs.push_back({call, std::move(snapshot), done});
      if (!state_->busy) {
        state_->busy = true;
        core_.workers.post([state = state_] { work(state); });
      }
    }
    const WaitCancel cancel(*call);
    const CancelRegistration registration = async::end_wait_when(cancel.token(), done);
    auto made = co_await done.wait();
    if (!made && made.error().code() == Code::kCancelled) co_return refuse(Call::cancelled());
    STRAKE_CO_TRY(served, api::answer(std::move(made)));
  }
  if (*served) co_return **std::move(served);
  co_return not_found_page();
}

void DocumentsRoute::work(const std::shared_ptr<State>& state) {
  while (true) {
    Job job;
    {
      const std::lock_guard lock(state->mu);
      state->busy = !state->jobs.empty();
      if (!state->busy) return;
      job = std::move(state->jobs.front());
      state->jobs.pop_front();
    }
    Result<std::optional<http::Response>> outcome =
        fail(Code::kCancelled, "nobody waits for the document any more");
    if (!job.call->is_cancelled()) {
      try {
        if (auto served = state->documents.serve(question(*job.call, job.snapshot, false)))
          outcome = *std::move(served);
      } catch (...) {
        outcome = fail(Code::kInternal, "a document took too much memory");  // docs/adr/0003
      }
    }
    job.done.set(std::move(outcome));
  }
}

}  // namespace strake::api
