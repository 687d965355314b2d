#pragma once
// Keeps responses out of shared caches, unless a route says otherwise.
#include "api/filters/stage.h"

namespace strake::api {

class CacheControlStage final : public Stage {
 public:
  void leave(Call& call, http::Response& response) override;
};

}  // namespace strake::api
