#pragma once
// Writes into the status of each ValidatingAdmissionPolicy what checking the types of its
// expressions found, once for each generation, as kube-controller-manager 1.36 does.
#include <cstdint>

#include "api/controllers/controller.h"

namespace strake::admission {

struct PolicyGenerations {
  std::int64_t generation = 0;
  std::int64_t observed = 0;
};

class ValidatingPolicyInformer final : public api::Informer<PolicyGenerations> {
 public:
  explicit ValidatingPolicyInformer(api::Hub& hub);
};

class TypeCheckController final : public api::Controller {
 public:
  TypeCheckController(api::Core& core, ValidatingPolicyInformer& policies,
                      const async::Executor& executor)
      : Controller(core, policies, executor), policies_(policies) {}

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         api::ObjectPtr object) override;
  ValidatingPolicyInformer& policies_;
};

}  // namespace strake::admission
