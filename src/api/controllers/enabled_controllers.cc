#include "api/controllers/enabled_controllers.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace strake::api {
namespace {

constexpr std::string_view kAll = "*";
constexpr std::string_view kKnown[] = {
    kCertificateSigner,
    kRoleAggregation,
    kGarbageCollector,
    kNamespaceController,
    kResourceQuota,
    kRootCaPublisher,
    kServiceAccountController,
    kServiceAccountTokenController,
    kStorageVersionMigrator,
};

}  // namespace

Result<EnabledControllers> EnabledControllers::parse(std::span<const std::string> choices) {
  EnabledControllers out;
  out.choices_.assign(choices.begin(), choices.end());
  for (std::string_view choice : choices) {
    if (choice == kAll) continue;
    if (choice.starts_with('-')) choice.remove_prefix(1);
    if (std::ranges::find(kKnown, choice) == std::end(kKnown))
      return fail(Code::kUsage, "\"{}\" is not in the list of known controllers: {}", choice,
                  fmt::join(kKnown, ", "));
  }
  return out;
}

bool EnabledControllers::has(std::string_view name) const {
  bool all = false;
  for (const std::string_view choice : choices_) {
    if (choice == name) return true;
    if (choice.starts_with('-') && choice.substr(1) == name) return false;
    all = all || choice == kAll;
  }
  return all;
}

}  // namespace strake::api
