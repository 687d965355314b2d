#pragma once
// All webhooks of one of the two kinds of configurations as they stand, by the name of their
// configuration and then in its order. Whoever was told of a change finds it here: nothing polls,
// and as long as nothing changes, to ask costs two loads. From any thread.
#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "admission/webhook/hook.h"
#include "api/cache/informer.h"

namespace strake::admission {

using Hooks = std::vector<HookPtr>;
using HooksPtr = std::shared_ptr<const Hooks>;

class HookList {
 public:
  // "mutatingwebhookconfigurations" or "validatingwebhookconfigurations". The hub must outlive it.
  HookList(api::Hub& hub, std::string_view plural);
  HooksPtr current() const;

 private:
  struct Snapshot {
    api::Revision revision = 0;
    HooksPtr hooks = std::make_shared<const Hooks>();
  };
  std::shared_ptr<const Snapshot> make() const;

  mutable api::Informer<Hooks> configurations_;
  mutable std::mutex making_;
  mutable std::atomic<std::shared_ptr<const Snapshot>> snapshot_;
};

}  // namespace strake::admission
