#pragma once
// What others need to verify the tokens of service accounts: /openid/v1/jwks and
// /.well-known/openid-configuration.
#include "api/request/tokens.h"
#include "api/routes/route.h"

namespace strake::api {

class IssuerDocumentsRoute final : public Route {
 public:
  // The issuer may be null, and must outlive the route.
  explicit IssuerDocumentsRoute(const TokenIssuer* issuer) : issuer_(issuer) {}
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  const TokenIssuer* issuer_;
};

}  // namespace strake::api
