#include "store/sqlite/writer.h"

#include <algorithm>

#include "base/log.h"
#include "store/rules.h"

// Group commit: all writers queue, and one thread turns what has queued up into one transaction, so
// that many writes share one flush of the disk. While a transaction is flushed the next batch
// gathers by itself; there is no timer that waits for more. One writer alone pays one flush a
// write, sixty-four pay about one in sixty-four.
//
// The loop, and why in this order: take jobs; commit them; publish their events, then answer the
// writers (so that a client that has its answer finds its write in every cache); sweep compacted
// history for a few milliseconds; fold the log when it has grown. Sweeping and folding come last
// because nobody waits for them but the next batch, and sweeping stops after its budget.
//
// Failures: a transaction succeeds or fails as a whole, and with it all jobs of the batch. After a
// failure the thread probes with a commit of its own until one succeeds, so that health() tells the
// truth without traffic. A full disk is a mode of its own: what grows is refused, deletions go on
// with the room of the Reserve, since they are the way out.

namespace strake::store::sqlite {
namespace {

// A transaction of this much takes milliseconds; more would only make everyone wait.
constexpr std::size_t kBatchJobs = 1024;
constexpr std::size_t kBatchBytes = 8 << 20;
constexpr std::size_t kExpireAtOnce = 256;
constexpr std::chrono::milliseconds kSweepBudget{4};

// How long the thread sleeps at most. A wall clock may jump, a disk may have room again, and
// another process may have asked for compaction.
constexpr std::chrono::milliseconds kNapWithLeases{1000};
constexpr std::chrono::milliseconds kNapAfterFailure{250};
constexpr std::chrono::milliseconds kNap{2000};

// Without the reserve, this much must be free inside the file for anything but deletions, and twice
// what is to be written.
constexpr std::int64_t kFreeToGrow = 1 << 20;

Error no_space_error() {
  return {Code::kIo, "no space is left for the store: only deletions are accepted"};
}

}  // namespace

Writer::Writer(Ledger ledger, Database folding, std::shared_ptr<Observers> observers,
               const Clock& clock, Reserve reserve)
    : checkpointer_(std::move(folding)),
      ledger_(std::move(ledger)),
      observers_(std::move(observers)),
      clock_(clock),
      compacted_(ledger_->state().compacted),
      reserve_(std::move(reserve)),
      short_of_space_(!reserve_.fill()),
      thread_([this] { run(); }) {}

Writer::~Writer() { stop(); }

void Writer::write(Write write, async::OneShot<Written> done) {
  bool stopping = false;
  bool first = false;
  {
    const std::lock_guard lock(mu_);
    stopping = stopping_;
    first = queue_.empty();
    if (!stopping) queue_.push_back({.write = std::move(write), .done = std::move(done)});
  }
  if (stopping) {
    done.set(closed_error());
  } else if (first) {
    // Without the lock, or the thread that it wakes would wait for it at once.
    changed_.notify_one();
  }
}

void Writer::compact(Revision revision, async::OneShot<> done) {
  {
    const std::lock_guard lock(mu_);
    if (!stopping_) {
      compactions_.push_back({.revision = revision, .done = std::move(done)});
      changed_.notify_one();
      return;
    }
  }
  done.set(closed_error());
}

void Writer::nudge() {
  const std::lock_guard lock(mu_);
  nudged_ = true;
  changed_.notify_one();
}

Result<> Writer::health() const {
  const std::lock_guard lock(mu_);
  if (stopping_) return closed_error();
  if (failure_) return std::unexpected(*failure_);
  return {};
}

void Writer::stop() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
    changed_.notify_one();
  }
  std::call_once(joined_, [this] {
    thread_.join();
    checkpointer_.stop();
    // The last connection to go folds the log for good. Its room is kept for the next start.
    ledger_.reset();
    reserve_.fill_some();
  });
}

bool Writer::is_idle() const {
  return queue_.empty() && compactions_.empty() && !nudged_ && !stopping_;
}

std::chrono::milliseconds Writer::longest_nap() const {
  if (probing_) return kNapAfterFailure;
  if (ledger_->state().swept < ledger_->state().compacted) return {};  // a sweep is due
  const auto expiry = ledger_->next_expiry();
  if (!expiry) return kNap;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*expiry - clock_.now());
  return std::clamp(left, std::chrono::milliseconds(0), kNapWithLeases);
}

// One lock for a round: every further one would be another moment at which those who write wait for
// this thread, or it for them.
bool Writer::take_work() {
  const std::chrono::milliseconds nap = longest_nap();
  {
    std::unique_lock lock(mu_);
    if (stopping_ && queue_.empty() && compactions_.empty()) return false;
    if (nap.count() > 0) changed_.wait_for(lock, nap, [this] { return !is_idle(); });
    nudged_ = false;
    take_jobs();
  }
  for (Job& job : batch_) {
    // Applying a write moves its key away. A deletion may have to be applied twice: see
    // transact_on_full_disk().
    if (!job.write.value) job.deleted_key = job.write.key;
  }
  return true;
}

void Writer::take_jobs() {
  std::size_t count = 0;
  std::size_t bytes = 0;
  while (count < std::min(queue_.size(), kBatchJobs) && bytes < kBatchBytes) {
    bytes += queue_[count].write.value ? queue_[count].write.value->size() : 0;
    ++count;
  }
  if (count == queue_.size()) {
    batch_.swap(queue_);
  } else {
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(count);
    batch_.assign(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
    queue_.erase(queue_.begin(), end);
  }
  std::ranges::move(compactions_, std::back_inserter(sweeping_));
  compactions_.clear();
}

void Writer::run() {
  ledger_->count_log_pages(log_pages_);
  if (short_of_space_) {
    log::get("store").error("the disk is full: only deletions are accepted");
    reserve_.hand_over();
  }
  while (take_work()) {
    commit_jobs();
    sweep();
    // Nobody waits for it now but those who come.
    if (checkpointer_.after_commit(log_pages_) || short_of_space_) (void)ledger_->checkpoint();
  }
  // What is left to sweep goes on when the file is opened next.
  refuse_compactions(closed_error().error());
  if (const auto outcome = ledger_->mark_closed(); !outcome)
    log::get("store").warn("could not mark as closed", {{"error", outcome.error()}});
}

Result<> Writer::transact() {
  STRAKE_CHECK(ledger_->begin());
  const WallTime now = clock_.now();
  STRAKE_CHECK(ledger_->expire(now, kExpireAtOnce, events_));
  for (Job& job : batch_) {
    STRAKE_TRY(job.outcome, ledger_->apply(job.write, now, events_));
  }
  for (const Compaction& compaction : sweeping_)
    STRAKE_CHECK(ledger_->set_compacted(compaction.revision));
  return ledger_->commit();
}

void Writer::refuse_growth(const Error& why) {
  std::erase_if(batch_, [&](Job& job) {
    if (job.deletes()) return false;
    job.done.set(std::unexpected(why));
    return true;
  });
}

Result<> Writer::transact_on_full_disk(const Error& why) {
  ledger_->rollback();
  events_.clear();
  refuse_growth(why);
  if (!short_of_space_)
    log::get("store").error("the disk is full: only deletions are accepted", {{"error", why}});
  short_of_space_ = true;
  reserve_.hand_over();
  (void)ledger_->checkpoint();
  if (!batch_.empty()) {
    for (Job& job : batch_) {
      job.write.key = job.deleted_key;
      job.outcome.reset();
    }
    return transact();
  }
  return std::unexpected(why);
}

void Writer::look_for_space() {
  if (!reserve_.fill()) return;
  short_of_space_ = false;
  log::get("store").info("there is room on the disk again");
}

void Writer::commit_jobs() {
  if (short_of_space_) {
    look_for_space();
    std::int64_t wanted = kFreeToGrow;
    for (const Job& job : batch_) {
      if (job.write.value) wanted += 2 * static_cast<std::int64_t>(job.write.value->size());
    }
    if (short_of_space_ && ledger_->free_bytes().value_or(0) < wanted)
      refuse_growth(no_space_error());
  }
  const bool expired = ledger_->next_expiry() && *ledger_->next_expiry() <= clock_.now();
  const bool compacting = std::ranges::any_of(sweeping_, [this](const Compaction& one) {
    return one.revision > ledger_->state().compacted;
  });
  if (batch_.empty() && !expired && !compacting && !probing_) {
    note(ledger_->reload());
    compacted_.store(ledger_->state().compacted, std::memory_order_release);
    return;
  }
  Result<> outcome = transact();
  note(outcome);
  if (!outcome && is_full(outcome.error())) {
    outcome = transact_on_full_disk(outcome.error());
    note(outcome);
  }
  if (!outcome) {
    ledger_->rollback();
    for (Job& job : batch_) job.done.set(std::unexpected(outcome.error()));
    refuse_compactions(outcome.error());
  } else {
    compacted_.store(ledger_->state().compacted, std::memory_order_release);
    observers_->publish(events_, ledger_->state().revision);
    async::Resumptions writers;
    for (Job& job : batch_) job.done.set(*std::move(job.outcome), writers);
  }
  batch_.clear();
  events_.clear();
}

void Writer::sweep() {
  if (!probing_ && ledger_->state().swept < ledger_->state().compacted) {
    Result<> outcome = ledger_->begin();
    if (outcome) outcome = ledger_->sweep(kSweepBudget);
    if (outcome) outcome = ledger_->commit();
    note(outcome);
    if (!outcome) {
      ledger_->rollback();
      refuse_compactions(outcome.error());
    }
  }
  answer_compactions();
}

void Writer::answer_compactions() {
  std::erase_if(sweeping_, [this](Compaction& compaction) {
    if (compaction.revision > ledger_->state().swept) return false;
    compaction.done.set({});
    return true;
  });
}

void Writer::refuse_compactions(const Error& why) {
  for (Compaction& compaction : sweeping_) compaction.done.set(std::unexpected(why));
  sweeping_.clear();
}

void Writer::note(const Result<>& outcome) {
  probing_ = !outcome;
  if (outcome && !failure_ && !short_of_space_) return;  // as nearly always
  const std::lock_guard lock(mu_);
  if (!outcome && !failure_) {
    log::get("store").error("writing failed", {{"error", outcome.error()}});
  } else if (outcome && failure_ && !short_of_space_) {
    log::get("store").info("writing works again");
  }
  failure_ = outcome ? std::nullopt : std::optional(outcome.error());
  if (outcome && short_of_space_) failure_ = no_space_error();
}

}  // namespace strake::store::sqlite
