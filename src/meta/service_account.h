#pragma once
// The user that a service account is: "system:serviceaccount:NAMESPACE:NAME", and its groups.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strake::meta {

// Views of the text that it was read from.
struct ServiceAccountName {
  std::string_view namespace_name;
  std::string_view name;
};

std::string service_account_user(std::string_view namespace_name, std::string_view name);
// Those of all accounts, and of all accounts of the namespace.
std::vector<std::string> service_account_groups(std::string_view namespace_name);

// Nothing for any other user, also when it has this form and no account could be named so.
std::optional<ServiceAccountName> parse_service_account_user(std::string_view user);

}  // namespace strake::meta
