#pragma once
// Lets requests take their seats by fair use (flow_control.h), in place of a plain limit: those
// that find none wait for their turn or are turned away. What is sent on for as long as its client
// wants takes no seats, and a watch holds them for its beginning.
#include "api/filters/stage.h"
#include "api/flow_control/flow_control.h"
#include "api/request/in_flight.h"
#include "api/request/registry.h"

namespace strake::api {

class FairnessStage final : public Stage {
 public:
  // All must outlive the stage and its calls.
  FairnessStage(FlowControl& flow, InFlightCounts& counts, const Registry& registry)
      : flow_(flow), counts_(counts), registry_(registry) {}
  Passage enter(Call& call) override;  // 429 when it is turned away
  // Gives the seats back, and says which flow schema and priority level the call had.
  void leave(Call& call, http::Response& response) override;

 private:
  boost::asio::awaitable<Passage::Outcome> wait(Call& call);
  void count(Call& call);
  http::Response turn_away(Call& call);

  FlowControl& flow_;
  InFlightCounts& counts_;
  const Registry& registry_;
};

}  // namespace strake::api
