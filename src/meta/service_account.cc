#include "meta/service_account.h"

#include <fmt/format.h>

#include "meta/names.h"

namespace strake::meta {
namespace {

constexpr std::string_view kServiceAccountUser = "system:serviceaccount:";
constexpr std::string_view kServiceAccountGroup = "system:serviceaccounts";

}  // namespace

std::string service_account_user(std::string_view namespace_name, std::string_view name) {
  return fmt::format("{}{}:{}", kServiceAccountUser, namespace_name, name);
}

std::vector<std::string> service_account_groups(std::string_view namespace_name) {
  return {std::string(kServiceAccountGroup),
          fmt::format("{}:{}", kServiceAccountGroup, namespace_name)};
}

std::optional<ServiceAccountName> parse_service_account_user(std::string_view user) {
  if (!user.starts_with(kServiceAccountUser)) return std::nullopt;
  user.remove_prefix(kServiceAccountUser.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const ServiceAccountName out{user.substr(0, colon), user.substr(colon + 1)};
  if (!check_dns1123_label(out.namespace_name).empty() ||
      !check_dns1123_subdomain(out.name).empty())
    return std::nullopt;
  return out;
}

}  // namespace strake::meta
