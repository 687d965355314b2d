#pragma once
// Sends the warnings that a call has gathered: Warning headers, as kube-apiserver 1.36 writes them.
#include "api/filters/stage.h"

namespace strake::api {

class WarningStage final : public Stage {
 public:
  void leave(Call& call, http::Response& response) override;
};

}  // namespace strake::api
