#pragma once
// Keeps the flow schemas and priority levels that every server has, as kube-apiserver 1.36 does:
// what is missing is made; the mandatory ones get their content back; the suggested ones too,
// unless their annotation apf.kubernetes.io/autoupdate-spec says "false"; and what has that
// annotation with "true" but is none of them, goes. Flow schemas are told whether their priority
// level is there: condition Dangling.
#include "api/controllers/controller.h"
#include "api/flow_control/flow_informer.h"
#include "kinds/flow_control.h"

namespace strake::api {

class FlowController final : public Controller {
 public:
  // Conditions are kept unless that is not wanted. The others must outlive it.
  FlowController(Core& core, FlowInformer& informer, bool tells_dangling,
                 const async::Executor& executor);
  // Before the first request.
  boost::asio::awaitable<void> restore_all();

 protected:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         ObjectPtr object) override;

 private:
  // These fail by themselves when they must be tried again.
  boost::asio::awaitable<void> restore(const kinds::DefaultFlowObject& wanted, ObjectPtr present);
  boost::asio::awaitable<void> remove(ObjectPtr object);
  boost::asio::awaitable<void> tell_dangling(std::string key);

  FlowInformer& informer_;
  const bool tells_dangling_;
};

// Brings an object up to what it should be. False when it is that already.
bool restore_flow_object(value::Document& present, const kinds::DefaultFlowObject& wanted);

}  // namespace strake::api
