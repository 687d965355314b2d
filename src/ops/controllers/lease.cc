#include "ops/controllers/lease.h"

#include <algorithm>
#include <utility>

namespace strake::ops {
namespace {

// A holder that gave it back left it with a second.
constexpr std::chrono::seconds kReleased{1};

}  // namespace

LeaderElector::LeaderElector(LeaseStore& store, std::string identity, LeaseTimes times,
                             const Clock& clock)
    : store_(store),
      identity_(std::move(identity)),
      times_(times),
      clock_(clock),
      until_(Deadline::at(SteadyTime::min())) {}

bool LeaderElector::leads() const { return !until_.expired(clock_); }

void LeaderElector::see(StoredLease lease) {
  if (seen_.version.empty() || seen_.record != lease.record) changed_at_ = clock_.steady_now();
  seen_ = std::move(lease);
}

LeaseRecord LeaderElector::next_record() const {
  const Instant now = Instant::from(clock_.now());
  LeaseRecord out{.holder = identity_,
                  .duration = times_.duration,
                  .acquired = now,
                  .renewed = now,
                  .transitions = 0};
  if (seen_.version.empty()) return out;
  out.transitions = seen_.record.transitions;
  if (seen_.record.holder == identity_) {
    out.acquired = seen_.record.acquired;
  } else {
    ++out.transitions;
  }
  return out;
}

Result<bool> LeaderElector::try_once() {
  // The time of a renewal counts from before it was asked for: others count from when they see it,
  // which is later.
  const SteadyTime began = clock_.steady_now();
  const Deadline until = leads() ? until_ : Deadline::at(began + times_.renew);
  const auto take = [&](Result<StoredLease> written) -> Result<bool> {
    if (!written) return std::unexpected(std::move(written).error());
    see(*std::move(written));
    until_ = Deadline::at(began + times_.renew);
    return leads();
  };

  if (leads()) {
    // Without a look, as long as nobody else wrote.
    auto renewed = take(store_.update({next_record(), seen_.version}, until));
    if (renewed || renewed.error().code() != Code::kConflict) return renewed;
  }
  STRAKE_TRY(std::optional<StoredLease> there, store_.get(until));
  if (!there) {
    seen_ = {};
    return take(store_.create(next_record(), until));
  }
  see(*std::move(there));
  const LeaseRecord& record = seen_.record;
  if (!record.holder.empty() && record.holder != identity_) {
    until_ = Deadline::at(SteadyTime::min());  // somebody took it from us
    const std::chrono::seconds valid =
        record.duration.count() > 0 ? record.duration : times_.duration;
    if (clock_.steady_now() < changed_at_ + valid) return false;
  }
  return take(store_.update({next_record(), seen_.version}, until));
}

Result<> LeaderElector::release() {
  if (!leads()) return {};
  LeaseRecord record = next_record();
  record.holder.clear();
  record.duration = kReleased;
  record.acquired = record.renewed;
  const Deadline until = std::exchange(until_, Deadline::at(SteadyTime::min()));
  STRAKE_TRY(StoredLease written, store_.update({std::move(record), seen_.version}, until));
  see(std::move(written));
  return {};
}

}  // namespace strake::ops
