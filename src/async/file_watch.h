#pragma once
// Tells when files may have changed, to coroutines. What happens in their folders counts, since a
// file may be replaced under its name, or reached over a link that is.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"

namespace strake::async {

// Everything happens on the executor it was made for.
class FileWatch {
 public:
  static Result<std::unique_ptr<FileWatch>> open(const Executor& executor,
                                                 const std::vector<std::string>& files);
  ~FileWatch();

  // Returns `quiet` after the next change, since writing a file is several: what is read then has
  // every change up to there. Fails with kCancelled when it was closed.
  Task<> wait(std::chrono::milliseconds quiet);
  void close();

 private:
  struct Impl;
  explicit FileWatch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::async
