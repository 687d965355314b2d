#pragma once
// Hides what a caller is not shown: its paths do not exist. The last stage, so that whoever may not
// ask is told that first, as everywhere.
#include "api/filters/stage.h"
#include "api/request/exposure.h"

namespace strake::api {

class ExposureStage final : public Stage {
 public:
  // It must outlive the stage.
  explicit ExposureStage(const Exposure& exposure) : exposure_(exposure) {}
  Passage enter(Call& call) override;

 private:
  const Exposure& exposure_;
};

}  // namespace strake::api
