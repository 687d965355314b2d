#pragma once
// Answers requests for the versions of groups that other servers serve, by sending them on. Both
// bodies pass as they come, and so do watches and upgrades. All stages of this server come first:
// the other server is told who asks, and decides for itself whether they may.
#include <string_view>

#include "aggregator/availability/availability.h"
#include "aggregator/backend.h"
#include "aggregator/services/api_services.h"
#include "api/routes/route.h"

namespace strake::aggregator {

class ProxyRoute final : public api::Route {
 public:
  // All must outlive it. Told of servers that cannot be reached: `availability`.
  ProxyRoute(ApiServices& services, Backends& backends, AvailabilityKeeper& availability)
      : services_(services), backends_(backends), availability_(availability) {}

  bool takes(const api::Call& call) const override;
  api::AnswerTask<http::Response> answer(std::shared_ptr<api::Call> call) override;
  bool wants_stream(const http::Request& head) const override;

 private:
  // Null for what this server serves itself.
  ApiServicePtr service_of(std::string_view path) const;

  ApiServices& services_;
  Backends& backends_;
  AvailabilityKeeper& availability_;
};

}  // namespace strake::aggregator
