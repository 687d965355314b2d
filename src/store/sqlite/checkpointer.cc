#include "store/sqlite/checkpointer.h"

#include "base/log.h"

// Folds the log into the file in the background, in rounds of a thousand pages, so that the
// writer's thread does not wait for it. A passive checkpoint blocks nobody, but cannot start the
// log anew while a reader is in it: so the log may grow past what was folded. Past a limit the
// writer folds the log itself, between two commits, when no new frames come; when a reader holds
// even that up, it is tried again only after another thousand pages, not at every commit.

namespace strake::store::sqlite {
namespace {

// Pages of the log between two rounds in the background.
constexpr int kRound = 1000;

}  // namespace

Checkpointer::Checkpointer(Database database)
    : database_(std::move(database)), thread_([this] { run(); }) {}

Checkpointer::~Checkpointer() { stop(); }

bool Checkpointer::after_commit(int log_pages) {
  if (log_pages < folded_) {  // it has begun anew
    folded_ = 0;
    large_ = kLargeLog;
  }
  if (log_pages - folded_ >= kRound) {
    folded_ = log_pages;
    const std::lock_guard lock(mu_);
    wanted_ = true;
    changed_.notify_one();
  }
  if (log_pages < large_) return false;
  // When that does not help, somebody still reads an old state: then not with every commit.
  large_ = log_pages + kRound;
  return true;
}

void Checkpointer::stop() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
    changed_.notify_one();
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
    }
    // What fails now is tried again with the next round; until then the log has it.
    if (const auto outcome = database_.checkpoint(); !outcome)
      log::get("store").warn("could not fold the log", {{"error", outcome.error()}});
  }
}

}  // namespace strake::store::sqlite
