#pragma once
// Where a request is counted: the labels that kube-apiserver 1.36 gives it. Label values come from
// what is served, never from what a client makes up.
#include <chrono>

#include "api/metrics/metrics.h"
#include "api/request/call.h"
#include "http/message.h"

namespace strake::api {

RequestLabels labels_of(const Call& call);

// Null when the request reached no endpoint, or a subresource that is not there.
RequestSeries* series_of(const Call& call);

// To be called once for each answer. A watch is counted when it ends, by the watch itself.
void count_request(const Call& call, const http::Response& response, std::chrono::nanoseconds time);

}  // namespace strake::api
