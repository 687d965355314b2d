#pragma once
// Reads certificates, keys, tokens and configurations again when their files change. Files that are
// read together are one group; a group whose files have other contents than before is reloaded. One
// that cannot be used stays as it was: the log says so once.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/file_watch.h"
#include "async/gate.h"
#include "async/workers.h"
#include "base/result.h"
#include "base/sha256.h"

namespace strake::server {

class FileReloads {
 public:
  struct Group {
    std::string what;  // "tokens", for the log
    std::vector<std::string> files;
    std::function<Result<>()> reload;  // on a worker, one at a time
  };
  // Notes what the files hold now: before they are read for the first time. Groups without files
  // are left out.
  explicit FileReloads(std::vector<Group> groups);
  ~FileReloads();

  // From now on changes count. The workers and the loop of the executor must outlive it. Fails when
  // the system has no more room for watches: then files are read only when somebody asks.
  Result<> follow(const async::Executor& executor, async::Workers& workers);
  async::Task<> stop();
  // Reloads the groups whose files have changed; what did not work. Any thread; blocks.
  std::vector<Error> reload_changed();

 private:
  struct Followed {
    Group group;
    Sha256::Digest sum;
  };
  boost::asio::awaitable<void> run(async::Workers& workers);

  std::mutex mu_;
  std::vector<Followed> groups_;  // guarded by mu_
  std::unique_ptr<async::FileWatch> watch_;
  async::Gate running_;
};

}  // namespace strake::server
