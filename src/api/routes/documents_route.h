#pragma once
// Documents about the API: discovery and OpenAPI. Those that are kept are answered at once; a
// worker makes the others, one at a time, so that many who ask for the same one wait for it
// together and the other workers stay free. Discovery, which every client begins with, does not
// wait for OpenAPI, which takes longer.
#include <deque>
#include <mutex>

#include "api/request/core.h"
#include "api/routes/documents.h"
#include "api/routes/route.h"
#include "async/one_shot.h"

namespace strake::api {

class DocumentsRoute final : public Route {
 public:
  // The core must outlive the route, and so must `remote`, which is null where no other server can
  // be behind this one. With an exposure, documents for those who do not see everything, and only
  // for them.
  DocumentsRoute(Core& core, std::string advertised_address, RemoteDocuments* remote,
                 const Exposure* exposure = nullptr)
      : core_(core),
        remote_(remote),
        exposure_(exposure),
        state_(std::make_shared<State>(std::move(advertised_address))) {}
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  struct Job {
    std::shared_ptr<const Call> call;
    Registry::SnapshotPtr snapshot;
    RemoteSnapshotPtr remote;
    std::optional<RemoteDocument> fetched;  // another server's v3 document, to be answered with
    std::optional<async::OneShot<std::optional<http::Response>>> done;  // when it is a worker's
  };
  struct Lane {
    std::deque<Job> jobs;
    bool busy = false;  // a worker takes the jobs
  };
  // What the worker needs: it may go on for a moment when the route is gone.
  struct State {
    explicit State(std::string advertised_address) : documents(std::move(advertised_address)) {}
    Documents documents;
    std::mutex mu;
    Lane discovery;  // guarded by mu
    Lane openapi;    // guarded by mu
  };
  static void work(const std::shared_ptr<State>& state, Lane State::* lane);
  static Documents::Served serve(State& state, const Job& job, bool only_kept);

  Registry::SnapshotPtr snapshot();

  Core& core_;
  RemoteDocuments* const remote_;
  const Exposure* const exposure_;
  std::mutex mu_;
  Registry::SnapshotPtr narrowed_;  // guarded by mu_: what the exposure shows of the last one
  std::shared_ptr<State> state_;
};

}  // namespace strake::api
