#include "admission/webhook/hook_list.h"

#include <algorithm>
#include <string>

#include "base/assert.h"
#include "kinds/resource.h"

namespace strake::admission {
namespace {

constexpr std::string_view kAllHooks = "all";

Result<Hooks> read_configuration(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  return read_hooks(document.root());
}

// Where configurations of a kind are stored.
std::string prefix_of(std::string_view plural) {
  const auto& all = kinds::builtin_resources();
  const auto at = std::ranges::find_if(all, [plural](const kinds::ResourcePtr& one) {
    return one->group == "admissionregistration.k8s.io" && one->plural == plural;
  });
  STRAKE_ASSERT(at != all.end());
  return (*at)->storage_prefix;
}

}  // namespace

HookList::HookList(api::Hub& hub, std::string_view plural)
    : configurations_(hub,
                      {.prefixes = {prefix_of(plural)},
                       .read = read_configuration,
                       .indexes = {{std::string(kAllHooks),
                                    [](const Hooks&) { return std::vector<std::string>{""}; }}}}),
      snapshot_(std::make_shared<const Snapshot>()) {}

HooksPtr HookList::current() const {
  std::shared_ptr<const Snapshot> now = snapshot_.load(std::memory_order_acquire);
  if (now->revision == configurations_.changed()) return now->hooks;
  const std::lock_guard lock(making_);
  now = snapshot_.load(std::memory_order_acquire);
  if (now->revision != configurations_.changed()) {
    now = make();
    snapshot_.store(now, std::memory_order_release);
  }
  return now->hooks;
}

std::shared_ptr<const HookList::Snapshot> HookList::make() const {
  // Before the view is taken: what comes meanwhile is seen by the next who asks.
  auto out = std::make_shared<Snapshot>();
  out->revision = configurations_.changed();
  Hooks hooks;
  const auto view = configurations_.view();
  view.for_each(kAllHooks, "", [&hooks](const auto& configuration) {
    hooks.insert(hooks.end(), configuration->begin(), configuration->end());
  });
  out->hooks = std::make_shared<const Hooks>(std::move(hooks));
  return out;
}

}  // namespace strake::admission
