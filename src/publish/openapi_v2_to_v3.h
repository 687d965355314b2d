#pragma once
// The v3 document of a server that publishes OpenAPI v2 alone, made of its part of the v2 document
// (remote_openapi.h), so that clients which read v3 find its kinds too.
#include <string>
#include <string_view>

#include "base/result.h"
#include "publish/remote_openapi.h"

namespace strake::publish {

// JSON text. Shared parameters and schemas stay shared. Form fields have no place in a Kubernetes
// API and are left out, as are security and the schemes of the server. Fails with kParse, and with
// kLimit where schemas that v2 has once would stand too often in it.
Result<std::string> openapi_v3_of_v2(std::string_view v2_part,
                                     const RemoteOpenApiLimits& limits = {});

}  // namespace strake::publish
