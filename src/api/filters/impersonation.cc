#include "api/filters/impersonation.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "meta/names.h"

namespace strake::api {
namespace {

using meta::Status;

constexpr std::string_view kExtraPrefix = "impersonate-extra-";
constexpr std::string_view kServiceAccount = "system:serviceaccount:";

struct Wish {
  std::string resource;
  std::string subresource;
  std::string group;
  std::string namespace_name;
  std::string name;
};

Answer<> check_wish(const Wish& wish, const User& asking, const Authorizer& authorizer) {
  RequestInfo info;
  info.is_resource = true;
  info.verb = "impersonate";
  info.group = wish.group;
  info.version = "v1";
  info.resource = wish.resource;
  info.subresource = wish.subresource;
  info.namespace_name = wish.namespace_name;
  info.name = wish.name;
  if (authorizer.authorize(asking, info).allowed) return {};
  const std::string where = wish.namespace_name.empty()
                                ? std::string("at the cluster scope")
                                : fmt::format("in the namespace {}", quote(wish.namespace_name));
  return refuse(Status::forbidden(
      {wish.group, wish.resource}, wish.name,
      fmt::format("User {} cannot impersonate resource {} in API group {} {}", quote(asking.name),
                  quote(wish.resource), quote(wish.group), where)));
}

// A list of strings as Go's %#v prints it.
std::string go_strings(const std::vector<std::string>& texts) {
  if (texts.empty()) return "[]string(nil)";
  std::string out = "[]string{";
  for (const std::string& one : texts) {
    if (out.back() != '{') out += ", ";
    append_quoted(out, one);
  }
  return out + "}";
}

// The user as kube-apiserver 1.36 prints it where it has no name.
std::string go_user(const User& user) {
  std::string extra;
  for (const auto& [key, values] : user.extra) {
    extra += extra.empty() ? "map[string][]string{" : ", ";
    extra += fmt::format("{}:{}", quote(key), go_strings(values));
  }
  return fmt::format("&user.DefaultInfo{{Name:{}, UID:{}, Groups:{}, Extra:{}}}", quote(user.name),
                     quote(user.uid), go_strings(user.groups),
                     extra.empty() ? "map[string][]string(nil)" : extra + "}");
}

// "system:serviceaccount:<namespace>:<name>"
bool split_account(std::string_view user, std::string& namespace_name, std::string& name) {
  if (!user.starts_with(kServiceAccount)) return false;
  user.remove_prefix(kServiceAccount.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos) return false;
  namespace_name = user.substr(0, colon);
  name = user.substr(colon + 1);
  return true;
}

// The user that the request acts as.
Answer<UserPtr> impersonated(const http::Request& request, const UserPtr& asking,
                             const Authorizer& authorizer) {
  bool any = false;
  User wanted;
  for (const http::Header& header : request.headers.all()) {
    if (header.name.size() < 12 ||
        !http::equals_ignoring_case(std::string_view(header.name).substr(0, 12), "impersonate-"))
      continue;
    const std::string name = meta::to_lower_ascii(header.name);
    any = true;
    if (name == "impersonate-user") {
      wanted.name = header.value;
    } else if (name == "impersonate-uid") {
      wanted.uid = header.value;
    } else if (name == "impersonate-group") {
      wanted.groups.push_back(header.value);
    } else if (name.starts_with(kExtraPrefix)) {
      auto key = http::percent_decode(std::string_view(name).substr(kExtraPrefix.size()));
      if (!key) return refuse(Status::bad_request(key.error().message()));
      wanted.extra[*std::move(key)].push_back(header.value);
    }
  }
  if (!any) return asking;
  if (wanted.name.empty()) {
    return refuse(Status::bad_request(
        fmt::format("requested {} without impersonating a user name", go_user(wanted))));
  }
  std::string namespace_name;
  std::string account;
  const bool is_account = split_account(wanted.name, namespace_name, account);
  STRAKE_CHECK(check_wish(is_account ? Wish{"serviceaccounts", "", "", namespace_name, account}
                                     : Wish{"users", "", "", "", wanted.name},
                          *asking, authorizer));
  for (const std::string& group : wanted.groups) {
    STRAKE_CHECK(check_wish({"groups", "", "", "", group}, *asking, authorizer));
  }
  if (!wanted.uid.empty()) {
    STRAKE_CHECK(
        check_wish({"uids", "", "authentication.k8s.io", "", wanted.uid}, *asking, authorizer));
  }
  for (const auto& [key, values] : wanted.extra) {
    for (const std::string& one : values) {
      STRAKE_CHECK(
          check_wish({"userextras", key, "authentication.k8s.io", "", one}, *asking, authorizer));
    }
  }
  if (is_account && wanted.groups.empty()) {
    wanted.groups = {"system:serviceaccounts", "system:serviceaccounts:" + namespace_name};
  }
  const bool anonymous = wanted.name == "system:anonymous";
  const std::string_view kind = anonymous ? "system:unauthenticated" : "system:authenticated";
  if (!wanted.in_group("system:authenticated") && !wanted.in_group("system:unauthenticated")) {
    wanted.groups.emplace_back(kind);
  }
  return std::make_shared<const User>(std::move(wanted));
}

}  // namespace

Passage ImpersonationStage::enter(Call& call) {
  Answer<UserPtr> user = impersonated(call.request, call.asking, authorizer_);
  if (!user) return refuse(std::move(user).error());
  call.user = *std::move(user);
  return {};
}

}  // namespace strake::api
