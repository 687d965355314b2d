#pragma once
// Which of several servers does the work: one holds a Lease and renews it, the others watch whether
// it still does. The rules are those of client-go's leaderelection, so that other programs may
// compete for the same Lease. What is compared is the own steady clock and when a record was seen
// to change: clocks of servers need not agree, only run at about the same speed.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/time.h"

namespace strake::ops {

// The spec of a Lease of coordination.k8s.io/v1.
struct LeaseRecord {
  std::string holder;  // empty: it was given back
  std::chrono::seconds duration{0};
  Instant acquired;
  Instant renewed;
  std::int64_t transitions = 0;  // how often it went to another holder
  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

struct StoredLease {
  LeaseRecord record;
  std::string version;  // of the object
};

// Where the Lease is kept. Each call ends at the deadline at the latest.
class LeaseStore {
 public:
  virtual ~LeaseStore() = default;
  // Nothing when there is none.
  virtual Result<std::optional<StoredLease>> get(Deadline until) = 0;
  virtual Result<StoredLease> create(const LeaseRecord& record, Deadline until) = 0;
  // Fails with kConflict when it is not that version any more.
  virtual Result<StoredLease> update(const StoredLease& lease, Deadline until) = 0;
};

// client-go's defaults of kube-controller-manager 1.36. Each must be less than the one before it.
struct LeaseTimes {
  std::chrono::seconds duration{15};        // after which a holder that is not heard of has lost it
  std::chrono::milliseconds renew{10'000};  // after which a holder that cannot renew gives up
  std::chrono::milliseconds retry{2'000};   // between tries
};

// One candidate. Not for several threads.
class LeaderElector {
 public:
  LeaderElector(LeaseStore& store, std::string identity, LeaseTimes times, const Clock& clock);

  // Takes the Lease when it may, renews it when it has it, and else only looks. True when it leads
  // afterwards. Fails with what the store said; whether it leads is then as before.
  Result<bool> try_once();
  // It may go on until leads_until(), whatever the store says.
  bool leads() const;
  Deadline leads_until() const { return until_; }  // long past when it does not lead
  // Gives it back, so that the next one need not wait. To be called when all work has ended.
  Result<> release();

  // Who has it, as far as is known.
  const std::string& holder() const { return seen_.record.holder; }

 private:
  void see(StoredLease lease);
  LeaseRecord next_record() const;

  LeaseStore& store_;
  const std::string identity_;
  const LeaseTimes times_;
  const Clock& clock_;
  StoredLease seen_;         // the last one that was read or written
  SteadyTime changed_at_{};  // when its record was first seen as it is
  Deadline until_;
};

}  // namespace strake::ops
