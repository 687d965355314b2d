#pragma once
// Tells the auditor of each call, which waits where the auditor has it wait. Two stages around
// authentication: what begins a record needs the user, and what ends one must see those who are
// refused as nobody.
#include "api/filters/stage.h"
#include "api/request/auditor.h"
#include "api/request/core.h"

namespace strake::api {

// Behind authentication.
class AuditBeginStage final : public Stage {
 public:
  // Both must outlive the stage.
  AuditBeginStage(Auditor& auditor, Core& core) : auditor_(auditor), core_(core) {}
  Passage enter(Call& call) override;

 private:
  boost::asio::awaitable<Passage::Outcome> begin_later(Call& call) const;
  static boost::asio::awaitable<Passage::Outcome> store(Call& call, AuditWait unstored);
  Auditor& auditor_;
  Core& core_;
};

// Before authentication.
class AuditEndStage final : public Stage {
 public:
  // The auditor must outlive the stage.
  explicit AuditEndStage(Auditor& auditor) : auditor_(auditor) {}
  void reword(Call& call, meta::Status& status) override;
  void leave(Call& call, http::Response& response) override;

 private:
  Auditor& auditor_;
};

}  // namespace strake::api
