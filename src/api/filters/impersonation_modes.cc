#include "api/filters/impersonation_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "api/request/forbidden.h"
#include "base/quote.h"
#include "meta/names.h"
#include "meta/service_account.h"

namespace strake::api {
namespace {

constexpr std::string_view kAuthentication = "authentication.k8s.io";
constexpr std::string_view kNodeName = "authentication.kubernetes.io/node-name";
constexpr std::string_view kNodeKeys = "authentication.kubernetes.io/associated-node-keys";
constexpr std::size_t kMostRemembered = 1024;
// From so many groups or extras on, one question about all of them comes first.
constexpr std::size_t kMany = 4;

// "system:node:<name>"
std::optional<std::string_view> node_of(std::string_view user) {
  constexpr std::string_view kPrefix = "system:node:";
  if (!user.starts_with(kPrefix)) return std::nullopt;
  user.remove_prefix(kPrefix.size());
  if (!meta::check_dns1123_subdomain(user).empty()) return std::nullopt;
  return user;
}

bool has_name_only(const User& user) {
  return user.uid.empty() && user.groups.empty() && user.extra.empty();
}

struct Mode {
  std::string_view name;  // empty: the old one
  // Whether it is for such a user at all.
  bool (*takes)(const User& asking, const User& wanted);
  // Not the requester's own extras are judged, and not the node's name: what is allowed once is
  // allowed to the same account on every node.
  bool hides_node = false;

  bool is_constrained() const { return !name.empty(); }
};

// In the order in which they are tried.
constexpr Mode kModes[] = {
    {"associated-node",
     [](const User& asking, const User& wanted) {
       const auto node = node_of(wanted.name);
       if (!has_name_only(wanted) || !node || !meta::parse_service_account_user(asking.name))
         return false;
       const auto own = asking.extra.find(std::string(kNodeName));
       return own != asking.extra.end() && own->second.size() == 1 && own->second[0] == *node;
     },
     true},
    {"arbitrary-node",
     [](const User&, const User& wanted) { return has_name_only(wanted) && node_of(wanted.name); }},
    {"serviceaccount",
     [](const User&, const User& wanted) {
       return has_name_only(wanted) && meta::parse_service_account_user(wanted.name);
     }},
    {"user-info",
     [](const User&, const User& wanted) {
       return !node_of(wanted.name) && !meta::parse_service_account_user(wanted.name);
     }},
    {"", [](const User&, const User&) { return true; }},
};

void ensure_group(User& user, std::string_view group) {
  if (!user.in_group(group)) user.groups.emplace_back(group);
}

std::string invalid_key(std::string_view value, std::string_view why) {
  return fmt::format("extra.key: Invalid value: {}: {}", quote(value), why);
}

bool is_http_path(std::string_view text) {
  constexpr std::string_view kOthers = "/-._~%!$&'()*+,;=:";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.contains(c);
  });
}

// What is wrong with a key that should be a domain and a path.
std::vector<std::string> check_extra_key(const std::string& key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == key.size())
    return {invalid_key(key, "must be a domain-prefixed path (such as \"acme.io/foo\")")};
  std::vector<std::string> out;
  const std::string host = key.substr(0, slash);
  for (const std::string& why : meta::check_dns1123_subdomain(host))
    out.push_back(invalid_key(host, why));
  const std::string path = key.substr(slash + 1);
  if (!is_http_path(path)) {
    out.push_back(invalid_key(path,
                              "Invalid path (regex used for validation is "
                              "'[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"));
  }
  return out;
}

// Empty when all of it may be impersonated in a constrained mode.
std::string check_extra(const User& wanted) {
  for (const auto& [key, values] : wanted.extra) {
    if (key.empty()) return "impersonating the empty string key in extra is not allowed";
    if (const auto wrong = check_extra_key(key); !wrong.empty()) {
      return fmt::format(
          "impersonating an invalid key in extra is not allowed: {}",
          wrong.size() == 1 ? wrong[0] : fmt::format("[{}]", fmt::join(wrong, ", ")));
    }
    if (key != meta::to_lower_ascii(key))
      return fmt::format("impersonating a non-lowercase key in extra is not allowed: {}",
                         quote(key));
    if (std::ranges::find(values, "") != values.end())
      return "impersonating the empty string value in extra is not allowed";
  }
  return {};
}

// One attempt to act as a user in one mode.
class Attempt {
 public:
  Attempt(const Authorizer& authorizer, const Mode& mode, const User& asking, const User& wanted)
      : authorizer_(authorizer), mode_(mode), asking_(asking), wanted_(wanted) {
    if (!mode.hides_node) return;
    shown_ = asking;
    std::vector<std::string> keys;
    for (const auto& [key, values] : asking.extra) keys.push_back(key);
    shown_->extra = {{std::string(kNodeKeys), std::move(keys)}};
  }

  Answer<UserPtr> run(const RequestInfo& request) const {
    if (mode_.is_constrained()) {
      RequestInfo on = request;
      on.verb = fmt::format("impersonate-on:{}:{}", mode_.name, request.verb);
      STRAKE_CHECK(check(on));
    }
    User actual = wanted_;
    STRAKE_CHECK(check_name(actual));
    if (!wanted_.uid.empty()) STRAKE_CHECK(check(question("uids", kAuthentication, wanted_.uid)));
    STRAKE_CHECK(check_groups());
    STRAKE_CHECK(check_extras());
    if (actual.name == "system:anonymous") {
      ensure_group(actual, "system:unauthenticated");
    } else if (!actual.in_group("system:unauthenticated")) {
      ensure_group(actual, "system:authenticated");
    }
    return std::make_shared<const User>(std::move(actual));
  }

 private:
  std::string_view own_group() const { return mode_.is_constrained() ? kAuthentication : ""; }

  RequestInfo question(std::string_view resource, std::string_view group,
                       std::string_view name) const {
    RequestInfo out;
    out.is_resource = true;
    out.verb = mode_.is_constrained() ? fmt::format("impersonate:{}", mode_.name) : "impersonate";
    out.group = group;
    out.version = "v1";
    out.resource = resource;
    out.name = name;
    return out;
  }

  Answer<> check(const RequestInfo& asked) const {
    const User& user = shown_ ? *shown_ : asking_;
    const Authorizer::Decision decision = authorizer_.authorize(user, asked);
    if (decision.allowed) return {};
    std::string why = decision.error;
    if (!why.empty() && !decision.reason.empty()) why += ": ";
    return refuse(forbidden(user, asked, why + decision.reason));
  }
  bool may(const RequestInfo& asked) const {
    return authorizer_.authorize(shown_ ? *shown_ : asking_, asked).allowed;
  }

  // Gives the user the groups that follow from the name.
  Answer<> check_name(User& actual) const {
    RequestInfo asked = question("users", own_group(), wanted_.name);
    const auto node = mode_.is_constrained() ? node_of(wanted_.name) : std::nullopt;
    if (node) {
      asked.resource = "nodes";
      asked.name = mode_.hides_node ? "*" : *node;
      actual.groups = {"system:nodes"};
    }
    if (const auto account = meta::parse_service_account_user(wanted_.name)) {
      asked.resource = "serviceaccounts";
      asked.namespace_name = account->namespace_name;
      asked.name = account->name;
      if (wanted_.groups.empty())
        actual.groups = meta::service_account_groups(account->namespace_name);
    }
    return check(asked);
  }

  Answer<> check_groups() const {
    if (wanted_.groups.empty()) return {};
    RequestInfo asked = question("groups", own_group(), "");
    if (mode_.is_constrained()) {
      if (wanted_.in_group(""))
        return refuse(
            forbidden(asking_, asked, "impersonating the empty string group is not allowed"));
      if (wanted_.in_group("system:masters")) {
        asked.name = "system:masters";
        return refuse(
            forbidden(asking_, asked, "impersonating the system:masters group is not allowed"));
      }
      asked.name = "*";
      if (wanted_.groups.size() >= kMany && may(asked)) return {};
    }
    for (const std::string& group : wanted_.groups) {
      asked.name = group;
      STRAKE_CHECK(check(asked));
    }
    return {};
  }

  Answer<> check_extras() const {
    if (wanted_.extra.empty()) return {};
    RequestInfo asked = question("userextras", kAuthentication, "");
    if (mode_.is_constrained()) {
      if (const std::string wrong = check_extra(wanted_); !wrong.empty())
        return refuse(forbidden(asking_, asked, wrong));
      std::size_t count = 0;
      for (const auto& [key, values] : wanted_.extra) count += values.size();
      asked.subresource = asked.name = "*";
      if (count >= kMany && may(asked)) return {};
    }
    for (const auto& [key, values] : wanted_.extra) {
      asked.subresource = key;
      for (const std::string& one : values) {
        asked.name = one;
        STRAKE_CHECK(check(asked));
      }
    }
    return {};
  }

  const Authorizer& authorizer_;
  const Mode& mode_;
  const User& asking_;
  const User& wanted_;
  std::optional<User> shown_;  // to the authorizer, in place of `asking`
};

}  // namespace

std::size_t ImpersonationModes::last_mode(const std::string& user) const {
  const std::lock_guard lock(mu_);
  const auto found = last_.find(user);
  return found != last_.end() ? found->second : std::size(kModes);
}

void ImpersonationModes::remember(const std::string& user, std::size_t mode) {
  const std::lock_guard lock(mu_);
  if (last_.size() >= kMostRemembered && !last_.contains(user)) last_.erase(last_.begin());
  last_[user] = mode;
}

Answer<UserPtr> ImpersonationModes::impersonate(const Authorizer& authorizer, const User& asking,
                                                const User& wanted, const RequestInfo& request) {
  const std::size_t last = last_mode(asking.name);
  std::vector<std::size_t> order;
  if (last < std::size(kModes)) order.push_back(last);
  for (std::size_t i = 0; i < std::size(kModes); ++i) {
    if (i != last) order.push_back(i);
  }
  std::optional<meta::Status> first;
  for (const std::size_t i : order) {
    if (!kModes[i].takes(asking, wanted)) continue;
    Answer<UserPtr> outcome = Attempt(authorizer, kModes[i], asking, wanted).run(request);
    if (outcome) {
      if (i != last) remember(asking.name, i);
      return outcome;
    }
    if (!first) first = std::move(outcome).error();
  }
  // The old mode takes everyone, so that one has refused.
  return refuse(*std::move(first));
}

}  // namespace strake::api
