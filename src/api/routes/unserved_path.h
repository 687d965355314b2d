#pragma once
// The answer at a path that nothing serves.
#include "api/request/call.h"
#include "api/request/registry.h"

namespace strake::api {

// In kube-apiserver 1.36 a group of its own kinds answers with a Status at every path of it, in
// whatever version; everything else gets a page.
Answer<http::Response> unserved_path(const Call& call, const Registry& registry);

}  // namespace strake::api
