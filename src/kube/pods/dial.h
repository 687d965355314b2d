#pragma once
// Opens the streams of a pod (exec, attach, port-forward): by WebSocket, which kube-apiserver
// speaks from 1.30 on, or by SPDY with servers that do not. Internal to kube/pods.
#include <memory>
#include <string>
#include <vector>

#include "http/client.h"
#include "kube/client.h"

namespace strake::kube {

struct PodStreamRequest {
  std::string path;                // with the query
  std::string websocket_protocol;  // "v5.channel.k8s.io"
  std::string spdy_protocol;       // "v4.channel.k8s.io"
};

struct PodStream {
  std::unique_ptr<http::RawStream> stream;
  bool websocket = true;  // otherwise SPDY
};

// `http` belongs to the loop that asks. Fails with what the server said, and as Client::send().
async::Task<PodStream> open_pod_stream(http::Client& http, const Caller& caller,
                                       const Client& cluster, PodStreamRequest request);

// Closes the stream once the client's work should stop, and keeps why.
class StreamLimit {
 public:
  // The stream must outlive it.
  StreamLimit(const async::Executor& executor, const Client& cluster, http::RawStream& stream);
  ~StreamLimit();
  // Why it was closed; otherwise `error`.
  Error reason_or(Error error) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  CancelRegistration heard_;
};

}  // namespace strake::kube
