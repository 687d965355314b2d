#pragma once
// Calls of the Kubernetes API on behalf of a call of a driver: they hear its cancellation and its
// deadline, and each request is an external step.
#include "kube/client.h"
#include "provider/external.h"

namespace strake::provider {

// The client for this call. `calls` must outlive it.
kube::Client client_for(const kube::Client& cluster, const Call& call, ExternalCalls& calls);

// What the API, or the way to it, has refused: by class. Answers of 5xx are kServer.
Failure api_failure(Error error);

template <typename T>
Outcome<T> of_api(Result<T> result) {
  if (!result) return std::unexpected(api_failure(std::move(result).error()));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(result);
  }
}

}  // namespace strake::provider
