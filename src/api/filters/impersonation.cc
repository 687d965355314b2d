#include "api/filters/impersonation.h"

#include <fmt/format.h>

#include "api/request/forbidden.h"
#include "base/quote.h"
#include "meta/names.h"

namespace strake::api {
namespace {

using meta::Status;

constexpr std::string_view kExtraPrefix = "impersonate-extra-";

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

// Whom the headers name; null when there are none.
Answer<std::optional<User>> wanted_user(const http::Request& request) {
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
  if (!any) return std::nullopt;
  if (wanted.name.empty()) {
    return refuse(Status::bad_request(
        fmt::format("requested {} without impersonating a user name", go_user(wanted))));
  }
  return wanted;
}

}  // namespace

Passage ImpersonationStage::enter(Call& call) {
  Answer<std::optional<User>> wanted = wanted_user(call.request);
  if (!wanted) return refuse(std::move(wanted).error());
  call.user = call.asking;
  if (!*wanted) return {};
  const std::optional<RequestInfo> narrowed = request_for_one(call);
  const RequestInfo& asked = narrowed ? *narrowed : call.info;
  PendingQuestions pending(authorizer_);
  Answer<UserPtr> user = modes_.impersonate(pending, *call.asking, **wanted, asked);
  if (!pending.empty()) return wait(call, **std::move(wanted), asked, std::move(pending));
  if (!user) return refuse(std::move(user).error());
  call.user = *std::move(user);
  return {};
}

boost::asio::awaitable<Passage::Outcome> ImpersonationStage::wait(Call& call, User wanted,
                                                                  RequestInfo asked,
                                                                  PendingQuestions pending) {
  const WaitCancel cancel(call);
  for (;;) {
    co_await pending.settle(cancel.token());
    Answer<UserPtr> user = modes_.impersonate(pending, *call.asking, wanted, asked);
    if (!pending.empty()) continue;
    if (!user) co_return refuse(std::move(user).error());
    call.user = *std::move(user);
    co_return std::nullopt;
  }
}

}  // namespace strake::api
