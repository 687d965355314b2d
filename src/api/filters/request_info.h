#pragma once
// Reads what a call is about: query, path and method.
#include "api/filters/stage.h"

namespace strake::api {

class RequestInfoStage final : public Stage {
 public:
  // 400 for a path or a query that cannot be decoded, 405 for what is no method of HTTP.
  Passage enter(Call& call) override;
};

}  // namespace strake::api
