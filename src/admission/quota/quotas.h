#pragma once
// ResourceQuota: what a namespace may have of each resource. A request that creates an object is
// charged before it is stored, in the status of every quota that counts it, or refused; a
// controller keeps the status right about everything else: new limits, deletions, requests that
// failed after all, and what a crash left behind.
//
// All that is done about one namespace is done one after the other (a lane), and what waits there
// meanwhile is charged in one write. With the exact numbers of Usage that makes sure that no limit
// is passed, however many ask at a time, and that nobody is refused for what is not there.
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "admission/quota/quota_list.h"
#include "admission/quota/usage.h"
#include "api/request/core.h"
#include "async/gate.h"
#include "async/one_shot.h"

namespace strake::admission {

class Quotas final : public api::Admission {
 public:
  // Must outlive it.
  explicit Quotas(api::Hub& hub);
  ~Quotas() override;

  // Quotas are in force once the server has filled its registry, and all of them are counted anew.
  // The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  using ChargePtr = std::unique_ptr<Usage::Charge>;

  struct Outcome {
    api::Answer<> answer;
    ChargePtr charge = {};  // null when it was refused, and in a dry run
  };
  // A request that waits to be charged.
  struct Waiting {
    std::vector<std::string> names;  // of the resource in quotas
    const api::ResourceCache* cache;
    std::string key;
    meta::GroupResource resource;
    std::string name;
    bool dry_run = false;
    async::OneShot<Outcome> done = {};
  };
  struct Lane {
    std::vector<Waiting> waiting;
    bool recount = false;
    bool running = false;
  };
  struct Standing;  // of one quota
  struct Batch;     // what is done at a time

  api::AnswerTask<> charge(api::Call& call, Waiting request) const;
  bool limits(std::string_view namespace_name, const std::vector<std::string>& names) const;
  // Starts the lane of the namespace unless it runs.
  void run(const async::Executor& executor, const std::string& namespace_name) const;
  void recount(const async::Executor& executor, const std::set<std::string>& namespaces) const;
  boost::asio::awaitable<void> work(std::string namespace_name) const;
  // False when the recount has to be done again.
  boost::asio::awaitable<bool> settle(std::string namespace_name, Batch& batch) const;
  std::vector<Standing> standings(const std::string& namespace_name) const;
  void count_anew(Standing& standing) const;
  api::Answer<> judge(const Waiting& request, std::vector<Standing>& standings) const;
  api::AnswerTask<> write(const Standing& standing, bool charged) const;
  std::optional<Quantity> used(std::string_view namespace_name, std::string_view name) const;

  mutable QuotaInformer quotas_;
  const std::shared_ptr<Usage> usage_;     // shared with charges
  std::atomic<api::Core*> core_{nullptr};  // null until it has started
  mutable std::mutex mu_;
  mutable std::unordered_map<std::string, Lane> lanes_;  // guarded by mu_
  mutable async::Gate working_;
};

}  // namespace strake::admission
