#pragma once
// What requests for the streams and logs of a pod ask for: the parameters of their query as the
// object that kube-apiserver 1.36 makes of them (PodLogOptions, PodExecOptions, ...), and back as
// the query that a kubelet is sent.
#include <string>
#include <string_view>

#include "api/request/answer.h"
#include "http/message.h"
#include "value/document.h"

namespace strake::kubelet {

// `kind` is one of those. Refuses a number or a time that is none, in Go's words. What is not asked
// for has no member.
api::Answer<value::Document> read_options(std::string_view kind, const http::Query& query);

// Refuses what PodLogOptions may not say together, or at all.
api::Answer<> check_log_options(const value::Value& options, std::string_view pod);

// The query of the kubelet's own paths, sorted by names as Go encodes it.
std::string log_query(const value::Value& options);
std::string stream_query(const value::Value& options);

}  // namespace strake::kubelet
