#pragma once
// Events about what the server does by itself, for whoever asks `kubectl get events`.
#include <string>

#include "api/request/core.h"

namespace strake::api {

struct ServerEvent {
  std::string name = {};            // of the object it is about
  std::string namespace_name = {};  // of the object; empty when it has none
  std::string kind = {};
  std::string api_version = {};
  std::string uid = {};
  std::string component = "strake";  // who says so
  std::string reason = {};           // one word: "SyncFailed"
  std::string message = {};
};

// A Warning in the namespace of the object, or in "default". The same object and reason make one
// event, so that a fault that stays does not fill the store; failures to write it are logged.
boost::asio::awaitable<void> record_event(Core& core, ServerEvent event);

}  // namespace strake::api
