#pragma once
// Limits how many reads and writes are under way at once. Watches do not count, and members of
// system:masters are let in even when the server is full, so that someone can look.
#include <cstddef>

#include "api/filters/stage.h"
#include "api/request/in_flight.h"
#include "api/request/registry.h"

namespace strake::api {

class InFlightStage final : public Stage {
 public:
  static constexpr std::size_t kNoLimit = ~std::size_t{0};
  struct Limits {
    std::size_t reads = 400;
    std::size_t writes = 200;
  };
  // The counts and the registry must outlive the stage and its calls.
  InFlightStage(Limits limits, InFlightCounts& counts, const Registry& registry)
      : limits_(limits), counts_(counts), registry_(registry) {}
  Passage enter(Call& call) override;  // 429 when there are too many
  void leave(Call& call, http::Response& response) override;

 private:
  Limits limits_;
  InFlightCounts& counts_;
  const Registry& registry_;
};

}  // namespace strake::api
