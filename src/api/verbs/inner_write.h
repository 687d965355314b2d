#pragma once
// Changes that the server makes to stored objects on the way of another request: they are neither
// admitted nor judged, and change no owners of fields.
#include <functional>
#include <string>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "value/document.h"

namespace strake::api {

struct InnerWrite {
  const Endpoint& endpoint;  // of a built-in kind
  std::string namespace_name;
  std::string name;
  // From the present object, of that revision; called again when somebody else was faster. An
  // error ends the write.
  std::function<Answer<>(value::Document& object, Revision revision)> change;
  bool dry_run = false;
};
// Fails with NotFound when there is no such object.
AnswerTask<> write_within(Core& core, const Call& call, InnerWrite write);

}  // namespace strake::api
