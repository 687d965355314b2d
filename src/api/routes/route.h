#pragma once
// Where a call ends up when all stages have let it pass: resources, documents about the API, or
// what operators ask. Another server behind this one is a further route.
#include <memory>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "http/message.h"

namespace strake::api {

class Route {
 public:
  virtual ~Route() = default;
  // Told by the path and the method alone; must be quick.
  virtual bool takes(const Call& call) const = 0;
  virtual AnswerTask<http::Response> answer(std::shared_ptr<Call> call) = 0;
  // Whether the body of the request with this head is to come while it arrives, in place of whole
  // (http::Handler::wants_stream). Asked before any stage.
  virtual bool wants_stream(const http::Request& head) const {
    (void)head;
    return false;
  }
};

}  // namespace strake::api
