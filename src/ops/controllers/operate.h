#pragma once
// Controllers for what people declare on a server: clusters, disks, snapshots and node pools are
// made as their objects say, by the drivers of providers. Any number of servers may run them; a
// Lease says which one does.
//
//   OperateControllers controllers({.term = {.server = access, .drivers = &Registry::global(),
//                                            .environment = &environment}});
//   ...
//   controllers.stop();
#include <functional>
#include <memory>
#include <string>

#include "ops/controllers/lease.h"
#include "ops/controllers/term.h"

namespace strake::ops {

struct OperateOptions {
  TermOptions term;
  LeaseTimes lease;
  std::string lease_namespace = "kube-system";
  std::string lease_name = "strake-operate";
  std::string identity;  // empty: one that no other has
};

class OperateControllers {
 public:
  // Starts a thread, which starts others when it leads.
  explicit OperateControllers(OperateOptions options);
  ~OperateControllers();  // stop()
  OperateControllers(const OperateControllers&) = delete;
  OperateControllers& operator=(const OperateControllers&) = delete;

  // Ends all work, and gives the Lease back. The server must still be there.
  void stop();
  bool leads() const;
  const std::string& identity() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The name of this machine, and something random, as client-go has it.
std::string new_identity();

}  // namespace strake::ops
