#pragma once
// What is asked of an authorizer about a call, and the refusal when it says no.
#include <optional>
#include <string>
#include <string_view>

#include "api/request/call.h"
#include "api/request/roles.h"
#include "meta/status.h"

namespace strake::api {

// A list or watch of one name is authorized as a request for that object. Nothing for every other
// request: then call.info says it.
std::optional<RequestInfo> request_for_one(const Call& call);

// As kube-apiserver 1.36 shows texts of others in messages: without tags.
std::string html_escaped(std::string_view text);

// 403 in the words of kube-apiserver 1.36.
meta::Status forbidden(const User& user, const RequestInfo& info, std::string_view reason);

}  // namespace strake::api
