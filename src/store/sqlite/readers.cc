#include "store/sqlite/readers.h"

namespace strake::store::sqlite {

Readers::Readers(std::vector<Reader> readers) : readers_(std::move(readers)) {
  for (Reader& reader : readers_) threads_.emplace_back([this, &reader] { run(reader); });
}

Readers::~Readers() { stop(); }

bool Readers::post(Work work) {
  const std::lock_guard lock(mu_);
  if (stopping_) return false;
  queue_.push_back(std::move(work));
  changed_.notify_one();
  return true;
}

void Readers::stop() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
    changed_.notify_all();
  }
  std::call_once(joined_, [this] {
    for (std::thread& thread : threads_) thread.join();
    // With the connections goes what they hold of the file.
    readers_.clear();
  });
}

void Readers::run(Reader& reader) {
  while (true) {
    Work work;
    {
      std::unique_lock lock(mu_);
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work(reader);
  }
}

}  // namespace strake::store::sqlite
