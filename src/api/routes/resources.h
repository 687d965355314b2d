#pragma once
// Calls about resources: finds the endpoint and the version, and runs the verb.
#include "api/controllers/controllers.h"
#include "api/request/core.h"
#include "api/routes/route.h"

namespace strake::api {

class ResourcesRoute final : public Route {
 public:
  // Both must outlive the route. With `workloads`, pods are served.
  ResourcesRoute(Core& core, Controllers& controllers, bool workloads);
  bool takes(const Call& call) const override { return call.info.is_resource; }
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  // Sets endpoint and version. False when there is no such resource at this path.
  bool find_endpoint(Call& call) const;
  AnswerTask<http::Response> run_verb(std::shared_ptr<Call> call);

  Core& core_;
  Controllers& controllers_;
  // Kinds of bodies; null where they are not served.
  EndpointPtr token_requests_;
  EndpointPtr bindings_;
  EndpointPtr evictions_;
};

}  // namespace strake::api
