#include "store/sqlite/checkpointer.h"

#include <algorithm>

#include "base/log.h"

// Folds the log into the file in the background, in rounds of a thousand pages, so that the
// writer's thread does not wait for it. A passive checkpoint blocks nobody, but cannot start the
// log anew while a reader is in it: so the log may grow past what was folded. Past a limit the
// writer folds the log itself, between two commits, when no new frames come; when a reader holds
// even that up, it is tried again only after another thousand pages, not at every commit.
//
// Folding is what makes the file grow. The pages that it has yet to write are a debt to the disk,
// and on a disk that is full the Reserve must be able to pay it, or the store could neither fold
// its log nor start again: hence the limit at which the writer waits.

namespace strake::store::sqlite {
namespace {

// Pages of the log between two rounds in the background.
constexpr int kRound = 1000;

}  // namespace

Checkpointer::Checkpointer(Database database)
    : database_(std::move(database)), thread_([this] { run(); }) {}

Checkpointer::~Checkpointer() { stop(); }

bool Checkpointer::after_commit(int log_pages) {
  if (log_pages < asked_) {  // it has begun anew
    asked_ = 0;
    far_ahead_ = kMostUnfolded;
    large_ = kLargeLog;
  }
  if (log_pages - asked_ >= kRound) {
    asked_ = log_pages;
    ask_for_folding();
  }
  if (log_pages >= far_ahead_) wait_for_folding(log_pages);
  if (log_pages < large_) return false;
  // When that does not help, somebody still reads an old state: then not with every commit.
  large_ = log_pages + kRound;
  return true;
}

void Checkpointer::ask_for_folding() {
  const std::lock_guard lock(mu_);
  wanted_ = true;
  changed_.notify_one();
}

void Checkpointer::wait_for_folding(int log_pages) {
  std::unique_lock lock(mu_);
  if (log_pages - folded_ >= kMostUnfolded) {
    wanted_ = true;
    changed_.notify_one();
    folded_more_.wait(lock, [this] { return stopping_ || (!wanted_ && !folding_); });
  }
  // A reader may have held the round up, and the folded pages may be those of the log before this
  // one: at the latest a round from now this looks again.
  far_ahead_ = std::max(log_pages + kRound, std::min(folded_, log_pages) + kMostUnfolded);
}

void Checkpointer::stop() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
    changed_.notify_one();
    folded_more_.notify_one();
  }
  std::call_once(joined_, [this] {
    thread_.join();
    const Database closed = std::move(database_);
  });
}

void Checkpointer::run() {
  while (true) {
    {
      std::unique_lock lock(mu_);
      changed_.wait(lock, [this] { return wanted_ || stopping_; });
      if (stopping_) return;
      wanted_ = false;
      folding_ = true;
    }
    // What fails now is tried again with the next round; until then the log has it.
    const Result<int> outcome = database_.checkpoint();
    if (!outcome) log::get("store").warn("could not fold the log", {{"error", outcome.error()}});
    const std::lock_guard lock(mu_);
    folding_ = false;
    folded_ = outcome.value_or(0);
    folded_more_.notify_one();
  }
}

}  // namespace strake::store::sqlite
