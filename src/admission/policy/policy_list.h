#pragma once
// The policies of one kind that are bound, as they stand: whoever was told of a write finds it
// here. A policy is compiled once for each change, when a request first matches it.
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/match/match.h"
#include "admission/policy/binding.h"
#include "api/cache/informer.h"
#include "meta/gvk.h"

namespace strake::admission {

// What is known of a policy before it is compiled.
struct PolicyHead {
  explicit PolicyHead(const value::Value& policy);

  // Whether it says the same as another: only its status differs.
  bool is_same(const PolicyHead& other) const {
    return generation == other.generation && uid == other.uid && name == other.name;
  }

  std::string name;
  std::string uid;
  std::int64_t generation = 0;  // grows when what it says changes
  Match match;
  bool fails_closed = true;
  std::optional<meta::GroupVersionKind> param_kind;
};

template <typename Compiled>
class Definition : public PolicyHead {
 public:
  Definition(const value::Value& policy, api::Bytes text)
      : PolicyHead(policy), text_(std::move(text)) {}

  bool is_compiled() const { return is_compiled_.load(std::memory_order_acquire); }
  // Compiles it the first time. From any thread.
  const Compiled& compiled() const {
    std::call_once(once_, [this] {
      const Result<value::Document> document = api::parse_stored(*text_);
      compiled_ = std::make_unique<const Compiled>(document ? document->root() : value::Value());
      text_.reset();
      is_compiled_.store(true, std::memory_order_release);
    });
    return *compiled_;
  }

  // What evaluating it has cost of late, in units of CEL.
  std::uint64_t cost() const { return cost_.load(std::memory_order_relaxed); }
  void note_cost(std::uint64_t cost) const { cost_.store(cost, std::memory_order_relaxed); }

 private:
  mutable api::Bytes text_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Compiled> compiled_;
  mutable std::atomic<bool> is_compiled_{false};
  mutable std::atomic<std::uint64_t> cost_{0};
};

template <typename Compiled>
class PolicyList {
 public:
  using Policy = Definition<Compiled>;
  struct Bound {
    std::shared_ptr<const Policy> policy;
    std::vector<std::shared_ptr<const Binding>> bindings;  // by name
  };
  struct Snapshot {
    std::vector<Bound> policies;  // by name
    api::Revision revision = 0;
  };

  // Storage prefixes of both kinds. The hub must outlive it.
  PolicyList(api::Hub& hub, std::string_view policies, std::string_view bindings)
      : informer_(hub, {.prefixes = {std::string(policies), std::string(bindings)},
                        .read = [prefix = std::string(policies)](
                                    const api::Object& object) { return read(object, prefix); },
                        .indexes = {{"kind", &kind_of_facts}}}) {}

  // Cheap while nothing changes.
  std::shared_ptr<const Snapshot> current() const {
    const api::Revision changed = informer_.changed();
    std::shared_ptr<const Snapshot> known = current_.load(std::memory_order_acquire);
    if (known != nullptr && changed > 0 && known->revision >= changed) return known;
    auto made = std::make_shared<const Snapshot>(collect(known.get()));
    current_.store(made, std::memory_order_release);
    return made;
  }

 private:
  struct Facts {
    std::shared_ptr<const Policy> policy;  // or
    std::shared_ptr<const Binding> binding;
  };
  static Result<Facts> read(const api::Object& object, std::string_view policies) {
    STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
    if (object.key().starts_with(policies))
      return Facts{.policy = std::make_shared<const Policy>(document.root(), object.bytes()),
                   .binding = {}};
    return Facts{.policy = {}, .binding = std::make_shared<const Binding>(document.root())};
  }
  static std::vector<std::string> kind_of_facts(const Facts& facts) {
    return {facts.policy != nullptr ? "policy" : "binding"};
  }

  // What was compiled before stays so. `before` may be null.
  Snapshot collect(const Snapshot* before) const {
    Snapshot out;
    const auto kept = [&](const std::shared_ptr<const Policy>& policy) {
      if (before == nullptr) return policy;
      const auto found = std::ranges::lower_bound(
          before->policies, policy->name, {},
          [](const Bound& one) -> const std::string& { return one.policy->name; });
      const bool same = found != before->policies.end() && found->policy->is_same(*policy);
      return same ? found->policy : policy;
    };
    const auto view = informer_.view();
    out.revision = view.revision();
    std::map<std::string_view, std::vector<std::shared_ptr<const Binding>>> bindings;
    view.for_each("kind", "binding", [&](const auto& known) {
      bindings[known->binding->policy].push_back(known->binding);
    });
    view.for_each("kind", "policy", [&](const auto& known) {
      const auto bound = bindings.find(known->policy->name);
      if (bound != bindings.end())
        out.policies.push_back(
            {.policy = kept(known->policy), .bindings = std::move(bound->second)});
    });
    return out;
  }

  mutable api::Informer<Facts> informer_;
  mutable std::atomic<std::shared_ptr<const Snapshot>> current_;
};

}  // namespace strake::admission
