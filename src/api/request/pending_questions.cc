#include "api/request/pending_questions.h"

#include <fmt/format.h>

#include "api/request/request_selectors.h"

namespace strake::api {
namespace {

// More than any work asks: costs of expressions and numbers of headers have limits of their own.
constexpr std::size_t kMostQuestions = 1000;

// Every part with its length, so that no two questions share a key.
class Key {
 public:
  void add(std::string_view part) { text_ += fmt::format("{}:{}", part.size(), part); }
  void add(const std::vector<std::string>& parts) {
    text_ += fmt::format("[{}]", parts.size());
    for (const std::string& one : parts) add(one);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string key_of(const User& user, const RequestInfo& request) {
  Key key;
  key.add(user.name);
  key.add(user.uid);
  key.add(user.groups);
  for (const auto& [name, values] : user.extra) {
    key.add(name);
    key.add(values);
  }
  key.add(request.is_resource ? "r" : "n");
  for (const std::string* part :
       {&request.verb, &request.path, &request.group, &request.version, &request.namespace_name,
        &request.resource, &request.name, &request.subresource})
    key.add(*part);
  if (request.selectors == nullptr) return key.take();
  for (const auto& one : request.selectors->fields) {
    key.add(one.equal ? "=" : "!");
    key.add(one.field);
    key.add(one.value);
  }
  for (const auto& one : request.selectors->labels) {
    key.add(fmt::format("l{}", static_cast<int>(one.op)));
    key.add(one.key);
    key.add(one.values);
  }
  return key.take();
}

}  // namespace

Authorizer::Decision PendingQuestions::authorize(const User& user,
                                                 const RequestInfo& request) const {
  Decision decision = behind_->authorize(user, request);
  if (!decision.open) return decision;
  std::string key = key_of(user, request);
  if (const auto known = settled_.find(key); known != settled_.end()) return known->second;
  if (settled_.size() + pending_.size() >= kMostQuestions)
    return {.error = "too many questions about rights"};
  pending_.push_back({.key = std::move(key), .user = user, .request = request});
  return {};
}

boost::asio::awaitable<void> PendingQuestions::settle(CancelToken cancel) {
  for (Question& one : std::exchange(pending_, {})) {
    settled_[one.key] = co_await behind_->ask(std::move(one.user), std::move(one.request), cancel);
  }
}

}  // namespace strake::api
