#pragma once
// Who answers requests for the subresources of pods and nodes that lead to a kubelet, or to what
// listens in a pod: logs, exec, attach, portforward and proxy.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "value/document.h"

namespace strake::api {

class Connections {
 public:
  virtual ~Connections() = default;
  // What the request asks for, as admission is shown it. Refuses what cannot be read.
  virtual Answer<value::Document> options_of(const Call& call) const = 0;
  // `options` are those, as admission left them.
  virtual AnswerTask<http::Response> connect(Call& call, const value::Document& options) = 0;
};

}  // namespace strake::api
