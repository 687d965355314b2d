#pragma once
// A few threads that read, each over a connection of its own, so that nobody who reads waits for
// those who write.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/sqlite/reader.h"

namespace strake::store::sqlite {

class Readers {
 public:
  using Work = std::move_only_function<void(Reader&)>;

  explicit Readers(std::vector<Reader> readers);
  ~Readers();  // stop()
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  // Any thread. False after stop(), and then the work is gone.
  bool post(Work work);
  // Finishes what was given, and joins.
  void stop();

 private:
  void run(Reader& reader);

  std::vector<Reader> readers_;
  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<Work> queue_;  // guarded by mu_
  bool stopping_ = false;   // guarded by mu_
  std::once_flag joined_;
  std::vector<std::thread> threads_;
};

}  // namespace strake::store::sqlite
