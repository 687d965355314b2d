#pragma once
// The flow schemas and priority levels that there are.
#include "api/cache/informer.h"
#include "api/flow_control/flow_facts.h"

namespace strake::api {

class FlowInformer final : public Informer<FlowFacts> {
 public:
  explicit FlowInformer(Hub& hub);
  // Calls f(known) for all of both kinds, by key.
  template <typename F>
  static void for_each(const View& view, F&& f) {
    view.for_each(kAny, "", f);
  }
  // The same for the flow schemas that go to a level.
  template <typename F>
  static void for_each_schema_of(const View& view, std::string_view level, F&& f) {
    view.for_each(kLevel, level, f);
  }

 private:
  static constexpr std::string_view kAny = "any";
  static constexpr std::string_view kLevel = "level";
};

}  // namespace strake::api
