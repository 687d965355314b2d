// A wanted rule is a product of verbs, groups, resources and names. Most are covered as a whole by
// one held rule, so that is tried first. Otherwise the product is taken apart, and each part looks
// for a held rule that covers it. Held rules are indexed by each of their texts; a part only looks
// at the shortest of the lists for its own texts. Everything that is looked at counts as a step.
#include "auth/rbac/coverage.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/cancel_scope.h"

namespace strake::auth {
namespace {

using Rules = std::vector<std::uint32_t>;  // positions in the held rules, ascending
using Texts = std::vector<std::string>;

constexpr std::string_view kAll = "*";

// One of the lists of a rule, sorted, so that a rule with many texts is as cheap to ask.
class SortedTexts {
 public:
  explicit SortedTexts(const Texts& texts) : texts_(texts.begin(), texts.end()) {
    std::ranges::sort(texts_);
    has_all_ = std::ranges::binary_search(texts_, kAll);
  }
  bool empty() const { return texts_.empty(); }
  bool has_all() const { return has_all_; }
  bool has(std::string_view text) const { return std::ranges::binary_search(texts_, text); }
  bool has_or_all(std::string_view text) const { return has_all_ || has(text); }
  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::vector<std::string_view> texts_;
  bool has_all_ = false;
};

// "*/log" for "pods/log": what also covers a subresource.
std::optional<std::string> any_with_subresource(std::string_view resource) {
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  return std::string(kAll).append(resource.substr(slash));
}

struct HeldRule {
  explicit HeldRule(const PolicyRule& rule)
      : verbs(rule.verbs),
        groups(rule.api_groups),
        resources(rule.resources),
        names(rule.resource_names) {}
  SortedTexts verbs;
  SortedTexts groups;
  SortedTexts resources;
  SortedTexts names;

  bool covers_resource(std::string_view resource) const {
    if (resources.has_or_all(resource)) return true;
    const auto any = any_with_subresource(resource);
    return any && resources.has(*any);
  }
  // A rule without names is about objects of every name.
  bool covers_name(const std::string* name) const {
    return names.empty() || (name != nullptr && names.has(*name));
  }
};

// The held rules by one of their texts.
class TextIndex {
 public:
  void add(const SortedTexts& texts, std::uint32_t rule) {
    for (const std::string_view text : texts.texts()) {
      Rules& rules = by_text_[text];
      if (rules.empty() || rules.back() != rule) rules.push_back(rule);
    }
  }
  const Rules& at(std::string_view text) const {
    static const Rules kNone;
    const auto found = by_text_.find(text);
    return found == by_text_.end() ? kNone : found->second;
  }

 private:
  std::unordered_map<std::string_view, Rules> by_text_;
};

// The held rules by URL. A pattern that ends in `*` covers every URL with its beginning. All
// beginnings of a text are ancestors of the last beginning that is not after it in sorted order,
// where a beginning's parent is the longest other one that it starts with.
class UrlIndex {
 public:
  void add(const PolicyRule& rule, std::uint32_t number) {
    for (std::string_view url : rule.non_resource_urls) {
      exact_[url].push_back(number);
      if (!url.ends_with('*')) continue;
      while (url.ends_with('*')) url.remove_suffix(1);
      beginnings_.push_back({.text = url, .rules = {number}});
    }
  }
  void finish() {
    std::ranges::sort(beginnings_, {}, &Beginning::text);
    std::vector<Beginning> merged;
    for (Beginning& one : beginnings_) {
      if (!merged.empty() && merged.back().text == one.text) {
        merged.back().rules.push_back(one.rules.front());
      } else {
        merged.push_back(std::move(one));
      }
    }
    beginnings_ = std::move(merged);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < beginnings_.size(); ++i) {
      while (!open.empty() && !beginnings_[i].text.starts_with(beginnings_[open.back()].text))
        open.pop_back();
      if (!open.empty()) beginnings_[i].parent = open.back();
      open.push_back(i);
    }
  }
  // Calls `visit(rules)` for each list of rules that cover the URL, until one says true.
  template <typename Visit>
  bool any_list(std::string_view url, Visit visit) const {
    if (const auto found = exact_.find(url); found != exact_.end() && visit(found->second))
      return true;
    auto after = std::ranges::upper_bound(beginnings_, url, {}, &Beginning::text);
    if (after == beginnings_.begin()) return false;
    std::optional<std::size_t> at = static_cast<std::size_t>(after - beginnings_.begin()) - 1;
    for (; at; at = beginnings_[*at].parent) {
      static const Rules kPassed;
      const bool matches = url.starts_with(beginnings_[*at].text);
      if (visit(matches ? beginnings_[*at].rules : kPassed)) return true;
    }
    return false;
  }

 private:
  struct Beginning {
    std::string_view text;
    Rules rules;
    std::optional<std::size_t> parent = {};
  };
  std::unordered_map<std::string_view, Rules> exact_;
  std::vector<Beginning> beginnings_;
};

// The parts of one rule: one text each. A null name stands for objects of every name.
struct Part {
  const std::string* verb = nullptr;
  const std::string* group = nullptr;
  const std::string* resource = nullptr;
  const std::string* name = nullptr;
};

class Comparison {
 public:
  Comparison(std::span<const PolicyRule> held, const CoverageLimits& limits) : limits_(limits) {
    held_.reserve(held.size());
    for (std::uint32_t i = 0; i < held.size(); ++i) {
      const HeldRule& rule = held_.emplace_back(held[i]);
      verbs_.add(rule.verbs, i);
      groups_.add(rule.groups, i);
      resources_.add(rule.resources, i);
      names_.add(rule.names, i);
      if (rule.names.empty()) of_every_name_.push_back(i);
      urls_.add(held[i], i);
    }
    urls_.finish();
  }

  Coverage compare(std::span<const PolicyRule> wanted) && {
    for (const PolicyRule& rule : wanted) {
      if (!compare_resources(rule) || !compare_urls(rule)) {
        out_.complete = false;
        break;
      }
    }
    return std::move(out_);
  }

 private:
  // False when a limit is reached.
  bool compare_resources(const PolicyRule& rule) {
    if (rule.verbs.empty() || rule.api_groups.empty() || rule.resources.empty()) return true;
    if (is_covered_whole(rule)) return true;
    for (const std::string& group : rule.api_groups) {
      for (const std::string& resource : rule.resources) {
        for (const std::string& verb : rule.verbs) {
          const std::size_t names = std::max<std::size_t>(rule.resource_names.size(), 1);
          for (std::size_t i = 0; i < names; ++i) {
            const Part part{
                .verb = &verb,
                .group = &group,
                .resource = &resource,
                .name = rule.resource_names.empty() ? nullptr : &rule.resource_names[i]};
            if (!step()) return false;
            if (any_covers(part)) continue;
            if (is_exhausted()) return false;
            if (!add_missing({.verbs = {verb},
                              .api_groups = {group},
                              .resources = {resource},
                              .resource_names = part.name ? Texts{*part.name} : Texts{}}))
              return false;
          }
        }
      }
    }
    return true;
  }

  bool compare_urls(const PolicyRule& rule) {
    for (const std::string& url : rule.non_resource_urls) {
      for (const std::string& verb : rule.verbs) {
        if (!step()) return false;
        const bool covered = urls_.any_list(url, [&](const Rules& rules) {
          return !step() || std::ranges::any_of(rules, [&](std::uint32_t i) {
            return step() && held_[i].verbs.has_or_all(verb);
          });
        });
        if (is_exhausted()) return false;
        if (!covered && !add_missing({.verbs = {verb}, .non_resource_urls = {url}})) return false;
      }
    }
    return true;
  }

  // Whether one held rule covers all parts. Only those are tried that cover the first part, and not
  // more than a few, so that the steps are there for taking the rule apart.
  bool is_covered_whole(const PolicyRule& rule) {
    constexpr int kMostTried = 16;
    int tried = 0;
    bool found = false;
    const Part first{.verb = &rule.verbs.front(),
                     .group = &rule.api_groups.front(),
                     .resource = &rule.resources.front(),
                     .name = rule.resource_names.empty() ? nullptr : &rule.resource_names.front()};
    any_of_candidates(first, [&](const HeldRule& held) {
      const auto all = [&](const Texts& texts, auto covers) {
        return std::ranges::all_of(texts,
                                   [&](const std::string& one) { return step() && covers(one); });
      };
      found = all(rule.verbs, [&](const auto& one) { return held.verbs.has_or_all(one); }) &&
              all(rule.api_groups, [&](const auto& one) { return held.groups.has_or_all(one); }) &&
              all(rule.resources, [&](const auto& one) { return held.covers_resource(one); }) &&
              (held.names.empty() ||
               all(rule.resource_names, [&](const auto& one) { return held.names.has(one); }));
      return found || ++tried == kMostTried;
    });
    return found;
  }

  bool any_covers(const Part& part) {
    return any_of_candidates(part, [](const HeldRule&) { return true; });
  }

  // Whether `test` holds for a rule that covers the part.
  template <typename Test>
  bool any_of_candidates(const Part& part, Test test) {
    const auto any = any_with_subresource(*part.resource);
    static const Rules kNone;
    using Lists = std::array<const Rules*, 3>;
    const std::array<Lists, 4> choices = {
        Lists{&verbs_.at(*part.verb), &verbs_.at(kAll), &kNone},
        Lists{&groups_.at(*part.group), &groups_.at(kAll), &kNone},
        Lists{&resources_.at(*part.resource), &resources_.at(kAll),
              any ? &resources_.at(*any) : &kNone},
        Lists{part.name ? &names_.at(*part.name) : &kNone, &of_every_name_, &kNone}};
    const Lists& least = *std::ranges::min_element(choices, {}, [](const Lists& lists) {
      return lists[0]->size() + lists[1]->size() + lists[2]->size();
    });
    for (const Rules* rules : least) {
      for (const std::uint32_t i : *rules) {
        if (!step()) return false;
        const HeldRule& held = held_[i];
        if (held.covers_name(part.name) && held.verbs.has_or_all(*part.verb) &&
            held.groups.has_or_all(*part.group) && held.covers_resource(*part.resource) &&
            test(held))
          return true;
      }
    }
    return false;
  }

  bool add_missing(PolicyRule part) {
    if (out_.missing.size() == limits_.missing) return false;
    out_.missing.push_back(std::move(part));
    return true;
  }

  bool is_exhausted() const { return steps_ >= limits_.steps; }
  bool step() {
    if (is_exhausted()) return false;
    constexpr std::size_t kStepsBetweenLooks = 4096;
    if (++steps_ % kStepsBetweenLooks == 0 && CancelScope::is_cancelled()) steps_ = limits_.steps;
    return true;
  }

  const CoverageLimits limits_;
  std::vector<HeldRule> held_;
  TextIndex verbs_, groups_, resources_, names_;
  Rules of_every_name_;
  UrlIndex urls_;
  std::size_t steps_ = 0;
  Coverage out_;
};

}  // namespace

Coverage compare_rules(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted,
                       const CoverageLimits& limits) {
  return Comparison(held, limits).compare(wanted);
}

}  // namespace strake::auth
