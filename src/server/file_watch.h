#pragma once
// Tells when files may have changed. What happens in their folders counts, since a file may be
// replaced under its name, or reached over a link that is.
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"

namespace strake::server {

// Everything happens on the executor it was made for.
class FileWatch {
 public:
  static Result<std::unique_ptr<FileWatch>> open(const async::Executor& executor,
                                                 const std::vector<std::string>& files);
  ~FileWatch();

  // Returns after the next change. Fails with kCancelled when it was closed.
  async::Task<> wait();
  void close();

 private:
  struct Impl;
  explicit FileWatch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::server
