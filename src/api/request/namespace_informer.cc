#include "api/request/namespace_informer.h"

#include "kinds/resource.h"

namespace strake::api {
namespace {

const std::string& prefix() { return kinds::namespace_resource().storage_prefix; }

// The status says the same, later.
Result<NamespacePhase> phase_from(const Object& object) {
  return object.is_being_deleted() ? NamespacePhase::kTerminating : NamespacePhase::kActive;
}

}  // namespace

NamespaceInformer::NamespaceInformer(Hub& hub)
    : Informer(hub, {.prefixes = {prefix()}, .read = phase_from}) {}

std::optional<NamespacePhase> NamespaceInformer::phase_of(std::string_view name) {
  const std::string key = prefix() + std::string(name);
  const View now = view();
  const Known known = now.find(key);
  return known ? std::optional(*known) : std::nullopt;
}

}  // namespace strake::api
