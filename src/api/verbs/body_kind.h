#pragma once
// Bodies of another kind than the resource that a call names: TokenRequests of service accounts,
// Bindings and Evictions of pods. Nothing of these kinds is stored.
#include <string_view>
#include <utility>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "api/request/options.h"
#include "value/document.h"

namespace strake::api {

// What such a body is decoded and judged by; made once.
EndpointPtr body_endpoint(Core& core, const kinds::ResourcePtr& kind);

// While it lives, the call's object is of that kind; else it is what the call names.
class AsKind {
 public:
  AsKind(Call& call, EndpointPtr kind)
      : call_(call),
        version_(std::exchange(call.version, &kind->resource().versions.front())),
        endpoint_(std::exchange(call.endpoint, std::move(kind))) {}
  ~AsKind() {
    call_.endpoint = std::move(endpoint_);
    call_.version = version_;
  }
  AsKind(const AsKind&) = delete;
  AsKind& operator=(const AsKind&) = delete;

 private:
  Call& call_;
  const kinds::ServedVersion* version_;
  EndpointPtr endpoint_;
};

// The body, with the namespace of the path.
AnswerTask<value::Document> read_body_as(Core& core, Call& call, EndpointPtr kind,
                                         const WriteOptions& options);

// Status Success with code 201: what those who act on an object are told.
http::Response created_response(const Call& call);

}  // namespace strake::api
