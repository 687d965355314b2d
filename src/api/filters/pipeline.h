#pragma once
// Runs a call through the stages and the routes, and turns refusals into responses.
#include <memory>
#include <vector>

#include "api/filters/stage.h"
#include "api/routes/route.h"

namespace strake::api {

class Pipeline {
 public:
  // In the order of the call's way in. The first route that takes a call answers it.
  Pipeline(std::vector<std::unique_ptr<Stage>> stages, std::vector<std::unique_ptr<Route>> routes)
      : stages_(std::move(stages)), routes_(std::move(routes)) {}

  boost::asio::awaitable<http::Response> run(CallPtr call) const;

 private:
  // A call that no route takes is answered with 404.
  AnswerTask<http::Response> route(CallPtr call) const;

  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<std::unique_ptr<Route>> routes_;
};

}  // namespace strake::api
