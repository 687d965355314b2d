#pragma once
// Documents about the API: discovery and OpenAPI. Those that are kept are answered at once; a
// worker makes the others, one at a time, so that many who ask for the same one wait for it
// together and the other workers stay free.
#include <deque>
#include <mutex>

#include "api/request/core.h"
#include "api/routes/documents.h"
#include "api/routes/route.h"
#include "async/one_shot.h"

namespace strake::api {

class DocumentsRoute final : public Route {
 public:
  // The core must outlive the route. With an exposure, documents for those who do not see
  // everything, and only for them.
  DocumentsRoute(Core& core, std::string advertised_address, const Exposure* exposure = nullptr)
      : core_(core),
        exposure_(exposure),
        state_(std::make_shared<State>(std::move(advertised_address))) {}
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  struct Job {
    std::shared_ptr<const Call> call;
    Registry::SnapshotPtr snapshot;
    async::OneShot<std::optional<http::Response>> done;
  };
  // What the worker needs: it may go on for a moment when the route is gone.
  struct State {
    explicit State(std::string advertised_address) : documents(std::move(advertised_address)) {}
    Documents documents;
    std::mutex mu;
    std::deque<Job> jobs;  // guarded by mu
    bool busy = false;     // guarded by mu: a worker takes the jobs
  };
  static void work(const std::shared_ptr<State>& state);

  Registry::SnapshotPtr snapshot();

  Core& core_;
  const Exposure* exposure_;
  std::mutex mu_;
  Registry::SnapshotPtr narrowed_;  // guarded by mu_: what the exposure shows of the last one
  std::shared_ptr<State> state_;
};

}  // namespace strake::api
