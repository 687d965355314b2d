#include "kube/objects/waiting.h"

#include <fmt/format.h>

#include "http/message.h"
#include "kube/objects/follow.h"
#include "value/fields.h"

namespace strake::kube {
namespace {

using value::text_of;
using value::Value;

std::int64_t number_of(const Value& object, std::string_view key, std::int64_t otherwise) {
  const Value& found = object.get(key);
  return found.type() == value::Type::kInt ? found.as_int() : otherwise;
}

const Value* condition_of(const Value& status, std::string_view type) {
  for (const Value& one : status.get("conditions").items()) {
    if (text_of(one, "type") == type) return &one;
  }
  return nullptr;
}

class Waiter final : public ObjectFollower {
 public:
  Waiter(const std::string& name, const Missing& missing) : name_(name), missing_(missing) {}

  // A server that does not know the field selector gives others too.
  Result<bool> on_list(const std::vector<const Value*>& objects) override {
    for (const Value* one : objects) {
      if (is_meant(*one)) return look(one);
    }
    return look(nullptr);
  }
  Result<bool> on_set(const Value& object) override {
    return is_meant(object) ? look(&object) : Result<bool>(true);
  }
  Result<bool> on_deleted(const Value& object) override {
    return is_meant(object) ? look(nullptr) : Result<bool>(true);
  }
  const std::string& last() const { return last_; }

 private:
  bool is_meant(const Value& object) const {
    return text_of(object.get("metadata"), "name") == name_;
  }
  Result<bool> look(const Value* object) {
    STRAKE_TRY(last_, missing_(object));
    return !last_.empty();
  }

  const std::string& name_;
  const Missing& missing_;
  std::string last_;
};

std::string title_of(const ObjectRef& object) {
  return fmt::format("{} {}{}{}", object.of.kind, object.namespace_name,
                     object.namespace_name.empty() ? "" : "/", object.name);
}

}  // namespace

Result<> wait_for_object(Objects& objects, const ObjectRef& object, const Missing& missing) {
  STRAKE_TRY(const ResourcePath path, objects.path_of(object.of));
  Waiter waiter(object.name, missing);
  Result<> outcome =
      follow(objects.client(),
             fmt::format("{}?fieldSelector=metadata.name%3D{}",
                         path.collection(object.namespace_name), http::percent_encode(object.name)),
             waiter);
  if (outcome || outcome.error().code() != Code::kTimeout) return outcome;
  return fail(Code::kTimeout, "{}: {}", title_of(object),
              waiter.last().empty() ? "the deadline has passed" : waiter.last());
}

Result<> wait_until_exists(Objects& objects, const ObjectRef& object) {
  return wait_for_object(objects, object, [](const Value* found) -> Result<std::string> {
    return found != nullptr ? "" : "is not there";
  });
}

Result<> wait_until_gone(Objects& objects, const ObjectRef& object) {
  return wait_for_object(objects, object, [](const Value* found) -> Result<std::string> {
    if (found == nullptr) return "";
    return "is still there";
  });
}

// As kubectl 1.36's `rollout status` judges it.
Result<std::string> missing_for_readiness(const Value& deployment) {
  const Value& status = deployment.get("status");
  if (number_of(status, "observedGeneration", 0) <
      number_of(deployment.get("metadata"), "generation", 0))
    return "has not been looked at by its controller";
  if (const Value* progress = condition_of(status, "Progressing");
      progress != nullptr && text_of(*progress, "reason") == "ProgressDeadlineExceeded")
    return fail(Code::kServiceUnavailable, "Deployment {} exceeded its progress deadline",
                text_of(deployment.get("metadata"), "name"));
  const std::int64_t wanted = number_of(deployment.get("spec"), "replicas", 1);
  const std::int64_t updated = number_of(status, "updatedReplicas", 0);
  const std::int64_t all = number_of(status, "replicas", 0);
  const std::int64_t available = number_of(status, "availableReplicas", 0);
  if (updated < wanted) return fmt::format("{} of {} replicas are updated", updated, wanted);
  if (all > updated) return fmt::format("{} old replicas are still there", all - updated);
  if (available < updated)
    return fmt::format("{} of {} replicas are available", available, updated);
  return "";
}

Result<> wait_until_ready(Objects& objects, const std::string& namespace_name,
                          const std::string& deployment) {
  return wait_for_object(objects,
                         {.of = {.api_version = "apps/v1", .kind = "Deployment"},
                          .namespace_name = namespace_name,
                          .name = deployment},
                         [](const Value* found) -> Result<std::string> {
                           if (found == nullptr) return "is not there";
                           return missing_for_readiness(*found);
                         });
}

Result<std::string> missing_for_establishment(const Value& definition) {
  const Value& status = definition.get("status");
  if (const Value* names = condition_of(status, "NamesAccepted");
      names != nullptr && text_of(*names, "status") == "False")
    return fail(Code::kConflict, "CustomResourceDefinition {}: {}",
                text_of(definition.get("metadata"), "name"), text_of(*names, "message"));
  const Value* established = condition_of(status, "Established");
  if (established != nullptr && text_of(*established, "status") == "True") return "";
  return "is not established";
}

Result<> wait_until_established(Objects& objects, const std::string& definition) {
  return wait_for_object(
      objects,
      {.of = {.api_version = "apiextensions.k8s.io/v1", .kind = "CustomResourceDefinition"},
       .namespace_name = "",
       .name = definition},
      [](const Value* found) -> Result<std::string> {
        if (found == nullptr) return "is not there";
        return missing_for_establishment(*found);
      });
}

}  // namespace strake::kube
