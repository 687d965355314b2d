#pragma once
// What operators and their tools ask: health, version, metrics, and the list of paths.
#include <functional>
#include <string>
#include <vector>

#include "api/request/core.h"
#include "api/request/in_flight.h"
#include "api/routes/health.h"
#include "api/routes/route.h"

namespace strake::api {

class OperatorsRoute final : public Route {
 public:
  // Adds families of metrics to the page.
  using WriteMetrics = std::function<void(std::string&)>;
  // `version` is Strake's own: "v0.1.0". The rest must outlive the route.
  OperatorsRoute(Core& core, const Health& health, const InFlightCounts& in_flight,
                 std::string_view version, std::vector<WriteMetrics> more_metrics);
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  http::Response respond(const Call& call) const;

  Core& core_;
  const Health& health_;
  const InFlightCounts& in_flight_;
  std::string git_version_;
  const std::vector<WriteMetrics> more_metrics_;
};

}  // namespace strake::api
