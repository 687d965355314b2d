#pragma once
// A server may be ready before its default roles are made, which is as long as all the rest of its
// start. Members of system:masters, who need no roles, are let in at once; everyone else waits, and
// so does whoever asks about roles, rights or the health of the server.
#include "api/filters/stage.h"
#include "async/progress.h"

namespace strake::api {

class RightsAtStartStage final : public Stage {
 public:
  // `made` reaches 1 when the roles are there. It must outlive the stage.
  explicit RightsAtStartStage(async::Progress& made) : made_(made) {}
  Passage enter(Call& call) override;

 private:
  boost::asio::awaitable<Passage::Outcome> wait(Call& call);

  async::Progress& made_;
};

}  // namespace strake::api
