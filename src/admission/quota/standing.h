#pragma once
// How a quota stands, and what may be added to it. All is pure.
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "admission/quota/demand.h"
#include "admission/quota/quota_list.h"
#include "api/request/answer.h"

namespace strake::admission {

struct Standing {
  std::shared_ptr<const QuotaFacts> facts;
  api::Revision revision = 0;  // of the quota that the facts are from
  // Whether its status is kept right here (Quotas): then the limits are those of its spec, else
  // those that its status tells.
  bool kept = false;
  Amounts used = {};   // for each of its limits
  bool exact = false;  // counted anew, not taken from what was written before

  const Amounts& limits() const { return kept ? facts->limits : facts->told_limits; }
  // From its status, as it is to be written.
  bool differs() const;
  void add(const Amounts& amounts);
};

// What each of the quotas is to be charged for it, in their order. Refuses as kube-apiserver 1.36
// does, but not for what is used according to a status that is not exact: then `count_anew` is
// asked first.
api::Answer<std::vector<Amounts>> judge(const Demand& demand, const Needs& needs,
                                        std::span<Standing> quotas,
                                        const std::function<void(Standing&)>& count_anew);

}  // namespace strake::admission
