#pragma once
// The servers behind this one that a file names (--aggregate): reads it, follows its changes, and
// keeps them registered here.
#include <functional>
#include <memory>
#include <string>

#include "async/loops.h"
#include "extension/member_services.h"

namespace strake::server {

class Members {
 public:
  struct Means {
    const async::Loops& loops;
    async::Executor loop;                                  // that everything happens on
    kube::Access front;                                    // this server, as its administrator
    std::function<void(const kube::ServicePlaces&)> tell;  // on that loop
  };
  // Fails with kInvalid. The loops must outlive it.
  static Result<std::unique_ptr<Members>> start(std::string file, Means means);

  // Reads the file, and those that it names. One member whose files cannot be used does not keep
  // the others back: the log says so. Blocks; not on a loop.
  Result<> load();
  // Looks at the file without using it.
  static Result<> check(const std::string& file);
  async::Task<> stop();

 private:
  Members(std::string file, Means means);

  const std::string file_;
  const Means means_;
  std::unique_ptr<extension::MemberServices> services_;
};

}  // namespace strake::server
