#pragma once
// ResourceQuota: what a namespace may have of each resource. A request that creates an object, or
// changes what it uses, is charged before it is stored, in the status of every quota that is about
// it, or refused; a controller keeps the status right about everything else: new limits, deletions,
// pods that end, requests that failed after all, and what a crash left behind. Without the
// controller it is as in kube-apiserver alone: admission goes by what the status tells of limits
// and use, and adds to that.
//
// All that is done about one namespace is done one after the other (a lane), and what waits there
// meanwhile is charged in one write. With the exact numbers of NamespaceUsage that makes sure that
// no limit is passed, however many ask at a time, and that nobody is refused for what is not there.
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "admission/quota/demand.h"
#include "admission/quota/due_times.h"
#include "admission/quota/namespace_usage.h"
#include "admission/quota/quota_list.h"
#include "admission/quota/standing.h"
#include "admission/quota/usage.h"
#include "api/controllers/enabled_controllers.h"
#include "api/request/core.h"
#include "async/gate.h"
#include "async/one_shot.h"

namespace strake::admission {

class Quotas final : public api::Admission {
 public:
  // The hub must outlive it.
  Quotas(api::Hub& hub, const api::EnabledControllers& controllers);
  ~Quotas() override;

  // Quotas are in force once the server has filled its registry, and all of them are counted anew.
  // The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  struct Outcome {
    api::Answer<> answer = {};
    std::unique_ptr<api::Held> charge = {};  // null when nothing was charged
  };
  // A request that waits to be charged.
  struct Waiting {
    Demand demand;
    async::OneShot<Outcome> done = {};
  };
  struct Lane {
    std::vector<Waiting> waiting;
    bool recount = false;
    bool running = false;
  };
  struct Batch;  // what is done at a time

  // What the request asks; false when no quota is to be asked about it.
  bool read_demand(const api::Call& call, const api::AdmissionRequest& request,
                   Demand& demand) const;
  api::AnswerTask<> charge(api::Call& call, Demand demand) const;
  bool is_limited(std::string_view namespace_name, const Demand& demand) const;
  // Starts the lane of the namespace unless it runs.
  void run(const async::Executor& executor, const std::string& namespace_name) const;
  void recount(const async::Executor& executor, const std::set<std::string>& namespaces) const;
  boost::asio::awaitable<void> work(std::string namespace_name) const;
  // False when the recount has to be done again.
  boost::asio::awaitable<bool> settle(std::string namespace_name, Batch& batch) const;
  api::AnswerTask<> judge_and_write(std::string namespace_name, Batch& batch, bool anew) const;
  std::vector<Standing> standings(const std::string& namespace_name) const;
  // Up to date with what these ask about; null when nothing is to be known.
  async::Task<NamespaceUsage*> usage_of(std::string namespace_name,
                                        const std::vector<Standing>& quotas) const;

  const bool keeps_status_;
  mutable QuotaInformer quotas_;
  const std::shared_ptr<Usage> usage_;     // shared with charges; null without the controller
  std::atomic<api::Core*> core_{nullptr};  // null until it has started
  std::unique_ptr<DueTimes> due_times_;    // null until then, and without the controller
  mutable std::mutex mu_;
  mutable std::unordered_map<std::string, Lane> lanes_;  // guarded by mu_
  // Of namespaces that have quotas. Guarded by mu_; what it has of a namespace is the lane's.
  mutable std::unordered_map<std::string, std::unique_ptr<NamespaceUsage>> usages_;
  mutable async::Gate working_;
};

}  // namespace strake::admission
