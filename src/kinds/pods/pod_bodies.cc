#include "kinds/pods/pod_bodies.h"

#include "kinds/builtin_strategy.h"
#include "kinds/declare_resource.h"

namespace strake::kinds {
namespace {

std::shared_ptr<Resource> make_body(std::string_view type, std::string plural, Review review) {
  return make_resource({.type = type,
                        .plural = std::move(plural),
                        .strategy = new ReviewStrategy(type),  // kept for good
                        .review = review,
                        .verbs = {Verb::kCreate}});
}

}  // namespace

const ResourcePtr& binding_resource() {
  static const ResourcePtr& made =
      *new ResourcePtr(make_body("io.k8s.api.core.v1.Binding", "bindings", Review::kBinding));
  return made;
}

const ResourcePtr& eviction_resource() {
  static const ResourcePtr& made = *new ResourcePtr([] {
    auto out = make_body("io.k8s.api.policy.v1.Eviction", "evictions", Review::kEviction);
    out->older_versions = {"policy/v1beta1"};
    return out;
  }());
  return made;
}

}  // namespace strake::kinds
