#pragma once
// What the tests of single stages need: calls as they come from a client, and people to ask.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/filters/stage.h"
#include "api/request/roles.h"

namespace strake::api::testing {

inline UserPtr user_named(std::string name, std::vector<std::string> groups) {
  return std::make_shared<const User>(
      User{.name = std::move(name), .uid = {}, .groups = std::move(groups), .extra = {}});
}

// A request as it comes, of which no stage has seen anything. `target` is a path with its query.
inline CallPtr call_for(std::string_view method, std::string_view target,
                        std::vector<http::Header> headers = {}) {
  auto call = std::make_shared<Call>();
  call->request.method = method;
  call->request.path = target.substr(0, target.find('?'));
  if (const std::size_t mark = target.find('?'); mark != std::string_view::npos)
    call->request.query = target.substr(mark + 1);
  for (const http::Header& one : headers) call->request.headers.add(one.name, one.value);
  return call;
}

// The same after the stages up to impersonation.
inline CallPtr call_of(UserPtr user, std::string_view method, std::string_view target,
                       std::vector<http::Header> headers = {}) {
  CallPtr call = call_for(method, target, std::move(headers));
  call->query = http::Query::parse(call->request.query).value();
  call->info = read_request_info(method, call->request.path, call->query).value();
  call->asking = call->user = std::move(user);
  return call;
}

class FakeAuthenticator final : public Authenticator {
 public:
  Result<UserPtr> authenticate(const http::Request&) const override { return answer; }
  std::optional<async::Task<UserPtr>> look_up(const http::Request&) const override {
    if (!found) return std::nullopt;
    return [](Result<UserPtr> user) -> async::Task<UserPtr> { co_return user; }(*found);
  }
  bool allows_anonymous(std::string_view path) const override {
    return anonymous_path.empty() || path == anonymous_path;
  }
  Result<UserPtr> answer = UserPtr();
  std::optional<Result<UserPtr>> found;  // by those who are asked, when anyone is
  std::string anonymous_path;            // the only one, unless empty
};

// Allows what the function says.
class FakeAuthorizer final : public Authorizer {
 public:
  Decision authorize(const User& user, const RequestInfo& info) const override {
    return {.allowed = allows(user, info), .reason = reason};
  }
  Rules rules_of(const User&, std::string_view) const override { return {}; }
  std::function<bool(const User&, const RequestInfo&)> allows =
      [](const User&, const RequestInfo&) { return true; };
  std::string reason;
};

// The code that a stage answers with at once; 0 when the call goes on.
inline int code_of(Passage passage) {
  const auto end = passage.take_end();
  if (!end) return 0;
  return *end ? (*end)->status : end->error().code;
}
inline std::string message_of(Passage passage) {
  const auto end = passage.take_end();
  return end && !*end ? end->error().message : std::string();
}

}  // namespace strake::api::testing
