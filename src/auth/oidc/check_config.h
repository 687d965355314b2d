#pragma once
// Whether an authentication configuration can be used, with all that is wrong with it in the words
// of kube-apiserver 1.36; and what it is compiled to.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "auth/oidc/claim_mapper.h"
#include "auth/oidc/config.h"
#include "base/result.h"
#include "http/client.h"

namespace strake::auth {

struct CompiledJwt {
  JwtConfig config;
  std::shared_ptr<const ClaimMapper> mapper;
  // Whom to trust where the issuer is; null for the system's authorities.
  std::shared_ptr<const http::TlsContext> tls;
};

// `disallowed` are issuers that others verify: those of service accounts. Fail with kInvalid.
Result<std::vector<CompiledJwt>> compile_authentication(const AuthenticationConfig& config,
                                                        std::span<const std::string> disallowed);
// The same of one that flags have made: field paths have nothing in front.
Result<CompiledJwt> compile_jwt(const JwtConfig& config, std::span<const std::string> disallowed);

}  // namespace strake::auth
