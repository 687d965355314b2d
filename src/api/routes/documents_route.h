#pragma once
// Documents about the API: discovery and OpenAPI.
#include "api/routes/documents.h"
#include "api/routes/route.h"

namespace strake::api {

class DocumentsRoute final : public Route {
 public:
  // The registry must outlive the route.
  explicit DocumentsRoute(const Registry& registry) : documents_(registry) {}
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  Documents documents_;
};

}  // namespace strake::api
