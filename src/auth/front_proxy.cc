#include "auth/front_proxy.h"

#include <fmt/format.h>

#include <algorithm>

#include "meta/names.h"

namespace strake::auth {
namespace {

using api::User;

bool has_header(const std::vector<std::string>& names, std::string_view wanted) {
  return std::ranges::any_of(
      names, [&](const auto& one) { return http::equals_ignoring_case(one, wanted); });
}

// The first that is not empty, by the order of the names.
std::string first_value(const http::Headers& headers, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const std::string_view value : headers.get_all(name)) {
      if (!value.empty()) return std::string(value);
    }
  }
  return {};
}

void add_extra(const http::Header& header, const std::string& prefix, User& user) {
  if (header.name.size() < prefix.size() ||
      !http::equals_ignoring_case(std::string_view(header.name).substr(0, prefix.size()), prefix))
    return;
  const std::string rest =
      meta::to_lower_ascii(std::string_view(header.name).substr(prefix.size()));
  const auto key = http::percent_decode(rest);
  user.extra[key ? *key : rest].push_back(header.value);
}

}  // namespace

std::vector<std::string> warnings_about(const FrontProxyOptions& options) {
  std::vector<std::string> out;
  const auto check = [&](const std::vector<std::string>& names, std::string_view standard,
                         std::string_view flag) {
    if (!has_header(names, standard))
      out.push_back(fmt::format("--requestheader-{} lacks {}: API aggregation will not work", flag,
                                standard));
  };
  check(options.username_headers, "X-Remote-User", "username-headers");
  check(options.group_headers, "X-Remote-Group", "group-headers");
  check(options.extra_prefixes, "X-Remote-Extra-", "extra-headers-prefix");
  return out;
}

std::shared_ptr<User> FrontProxy::user_of(const http::Request& request,
                                          std::string& refusal) const {
  if (!request.peer || !authorities_.contains(request.peer->authority_sha256)) return nullptr;
  const std::string& name = request.peer->common_name;
  if (!options_.allowed_names.empty() &&
      std::ranges::find(options_.allowed_names, name) == options_.allowed_names.end()) {
    refusal = fmt::format("x509: subject with cn={} is not in the allowed list", name);
    return nullptr;
  }
  auto user = std::make_shared<User>();
  user->name = first_value(request.headers, options_.username_headers);
  if (user->name.empty()) return nullptr;
  user->uid = first_value(request.headers, options_.uid_headers);
  for (const std::string& header : options_.group_headers) {
    for (const std::string_view group : request.headers.get_all(header)) {
      if (!group.empty()) user->groups.emplace_back(group);
    }
  }
  for (const std::string& prefix : options_.extra_prefixes) {
    for (const http::Header& header : request.headers.all()) add_extra(header, prefix, *user);
  }
  return user;
}

}  // namespace strake::auth
