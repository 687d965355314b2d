#include "kinds/limits/limit_ranger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "kinds/fields.h"
#include "kinds/limits/pod_amounts.h"

namespace strake::kinds {

using value::Member;
using value::Value;

namespace {

constexpr std::string_view kAnnotation = "kubernetes.io/limit-ranger";
// What one answer says at most, and how many faults are looked for, the same one counted again. As
// each amount that a pod lacks is a fault, that bounds how often amounts are looked up in vain.
constexpr std::size_t kMostFaults = 1000;
constexpr std::size_t kMostFound = 100'000;
// Amounts that defaults add to one pod: ten times what fits into an object.
constexpr std::size_t kMostGiven = 1'000'000;
// Amounts up to this are compared in thousandths.
constexpr std::int64_t kMostInThousandths = INT64_MAX / 1000;

// --- defaults

// Of all items about containers together; later ones win. In the order of their names.
std::vector<Member> defaults_of(const Value& limit_range, std::string_view key, Arena& arena) {
  Amounts amounts;
  for (const Value& item : items(limit_range.get("spec"), "limits")) {
    if (text_of(item, "type") != "Container") continue;
    for (auto& [name, amount] : read_amounts(item.get(key))) amounts.insert_or_assign(name, amount);
  }
  std::vector<Member> out;
  for (const auto& [name, amount] : amounts)
    out.push_back({arena.copy(name), Value::string(arena.copy(amount.to_string()))});
  return out;
}

// The names of those that the list did not have.
std::vector<std::string_view> fill(Value& resources, std::string_view key,
                                   std::span<const Member> defaults, Arena& arena) {
  std::vector<std::string_view> added;
  for (const Member& one : defaults) {
    if (member(resources, {key, one.key}) == nullptr) added.push_back(one.key);
  }
  if (!added.empty()) add_missing_members(resources.object_at(key, arena), defaults, arena);
  return added;
}

struct ContainerDefaults {
  std::vector<Member> requests;
  std::vector<Member> limits;

  void give(Value& container, std::string_view what, std::vector<std::string>& notes,
            Arena& arena) const {
    const auto note = [&](const std::vector<std::string_view>& names, std::string_view kind) {
      if (names.empty()) return;
      notes.push_back(fmt::format("{} {} for {} {}", fmt::join(names, ", "), kind, what,
                                  text_of(container, "name")));
    };
    Value& resources = container.object_at("resources", arena);
    note(fill(resources, "requests", requests, arena), "request");
    note(fill(resources, "limits", limits, arena), "limit");
  }
};

// --- limits

// Faults in the order in which they are found, each once.
class Faults {
 public:
  bool full() const { return texts_.size() >= kMostFaults || found_ >= kMostFound; }
  void add(std::string text) {
    ++found_;
    if (!full() && seen_.insert(text).second) texts_.push_back(std::move(text));
  }
  std::optional<std::string> text() const {
    if (texts_.empty()) return std::nullopt;
    if (texts_.size() == 1) return texts_.front();
    return fmt::format("[{}]", fmt::join(texts_, ", "));
  }

 private:
  std::size_t found_ = 0;
  std::set<std::string> seen_;
  std::vector<std::string> texts_;
};

// Numbers that can be compared: in thousandths where none of them is too large for it.
struct Comparable {
  Comparable(const Quantity* request, const Quantity* limit, const Quantity& enforced) {
    const auto read = [](const Quantity* amount, std::int32_t scale) {
      return amount != nullptr ? amount->scaled_value(scale) : 0;
    };
    const auto fits = [&](const Quantity* amount) { return read(amount, 0) <= kMostInThousandths; };
    const std::int32_t scale = fits(request) && fits(limit) && fits(&enforced) ? -3 : 0;
    this->request = read(request, scale);
    this->limit = read(limit, scale);
    this->enforced = read(&enforced, scale);
  }
  std::int64_t request;
  std::int64_t limit;
  std::int64_t enforced;
};

// One amount of one item of a range, against what a container, a pod or a claim has.
class Enforced {
 public:
  Enforced(std::string_view type, std::string_view name, const Quantity& amount,
           const Amounts& requests, const Amounts& limits)
      : type_(type),
        name_(name),
        amount_(amount),
        request_(find(requests)),
        limit_(find(limits)),
        numbers_(request_, limit_, amount) {}

  // Each is empty when it holds.
  std::string minimum() const {
    if (request_ == nullptr) return lacks("minimum", "request");
    if (numbers_.request < numbers_.enforced) return passes("minimum", "request", *request_);
    if (limit_ != nullptr && numbers_.limit < numbers_.enforced)
      return passes("minimum", "limit", *limit_);
    return {};
  }
  std::string maximum() const {
    if (limit_ == nullptr) return lacks("maximum", "limit");
    if (numbers_.limit > numbers_.enforced) return passes("maximum", "limit", *limit_);
    return maximum_request();
  }
  // Of what has requests only; where it may go without, none is fine.
  std::string maximum_request() const {
    if (request_ == nullptr || numbers_.request <= numbers_.enforced) return {};
    return passes("maximum", "request", *request_);
  }
  std::string required_maximum_request() const {
    return request_ == nullptr ? lacks("maximum", "request") : maximum_request();
  }
  std::string ratio() const {
    const auto say = [&](std::string_view what) {
      return fmt::format("{} max limit to request ratio per {} is {}, but {}", name_, type_,
                         amount_.to_string(), what);
    };
    if (request_ == nullptr || numbers_.request == 0)
      return say("no request is specified or request is 0");
    if (limit_ == nullptr || numbers_.limit == 0) return say("no limit is specified or limit is 0");
    const double observed =
        static_cast<double>(numbers_.limit) / static_cast<double>(numbers_.request);
    const bool in_thousandths = amount_.value() <= kMostInThousandths;
    const double most =
        static_cast<double>(in_thousandths ? amount_.milli_value() : amount_.value());
    if ((in_thousandths ? observed * 1000 : observed) <= most) return {};
    return say(fmt::format("provided ratio is {:f}", observed));
  }

 private:
  const Quantity* find(const Amounts& amounts) const {
    const auto found = amounts.find(name_);
    return found != amounts.end() ? &found->second : nullptr;
  }
  std::string lacks(std::string_view bound, std::string_view what) const {
    return fmt::format("{} {} usage per {} is {}.  No {} is specified", bound, name_, type_,
                       amount_.to_string(), what);
  }
  std::string passes(std::string_view bound, std::string_view what, const Quantity& met) const {
    return fmt::format("{} {} usage per {} is {}, but {} is {}", bound, name_, type_,
                       amount_.to_string(), what, met.to_string());
  }

  std::string_view type_;
  std::string_view name_;
  const Quantity& amount_;
  const Quantity* request_;
  const Quantity* limit_;
  Comparable numbers_;
};

// An item of a range, read once for all containers.
class Item {
 public:
  explicit Item(const Value& item)
      : type_(text_of(item, "type")),
        min_(read_amounts(item.get("min"))),
        max_(read_amounts(item.get("max"))),
        ratio_(read_amounts(item.get("maxLimitRequestRatio"))) {}

  std::string_view type() const { return type_; }

  void check(const Amounts& requests, const Amounts& limits, Faults& faults) const {
    check_list(min_, &Enforced::minimum, requests, limits, faults);
    check_list(max_, &Enforced::maximum, requests, limits, faults);
    check_list(ratio_, &Enforced::ratio, requests, limits, faults);
  }

  void check_claim(const Amounts& requests, Faults& faults) const {
    check_list(min_, &Enforced::minimum, requests, {}, faults);
    check_list(max_, &Enforced::required_maximum_request, requests, {}, faults);
  }

 private:
  void check_list(const Amounts& list, std::string (Enforced::*rule)() const,
                  const Amounts& requests, const Amounts& limits, Faults& faults) const {
    for (const auto& [name, amount] : list) {
      if (faults.full()) return;
      std::string fault = (Enforced(type_, name, amount, requests, limits).*rule)();
      if (!fault.empty()) faults.add(std::move(fault));
    }
  }

  std::string_view type_;
  Amounts min_;
  Amounts max_;
  Amounts ratio_;
};

void check_containers(const Value& pod, std::string_view list, const Item& item, Faults& faults) {
  for (const Value& container : items(pod.get("spec"), list)) {
    if (faults.full()) return;
    const Value& resources = container.get("resources");
    item.check(read_amounts(resources.get("requests")), read_amounts(resources.get("limits")),
               faults);
  }
}

}  // namespace

std::optional<std::string> set_limit_defaults(Value& pod, const Value& limit_range, Arena& arena) {
  const ContainerDefaults defaults{.requests = defaults_of(limit_range, "defaultRequest", arena),
                                   .limits = defaults_of(limit_range, "default", arena)};
  Value* spec = pod.find("spec");
  if (spec == nullptr || !spec->is_object()) return std::nullopt;
  const std::size_t each = defaults.requests.size() + defaults.limits.size();
  const std::size_t count =
      items(*spec, "containers").size() + items(*spec, "initContainers").size();
  if (each == 0) return std::nullopt;
  if (count > kMostGiven / each) return "the defaults of its containers are too many";
  std::vector<std::string> notes;
  for (const auto& [list, what] :
       {std::pair("containers", "container"), std::pair("initContainers", "init container")}) {
    Value* containers = spec->find(list);
    if (containers == nullptr || !containers->is_array()) continue;
    for (Value& one : containers->mutable_items()) {
      if (one.is_object()) defaults.give(one, what, notes, arena);
    }
  }
  if (notes.empty()) return std::nullopt;
  const std::string note = fmt::format("LimitRanger plugin set: {}", fmt::join(notes, "; "));
  pod.object_at("metadata", arena)
      .object_at("annotations", arena)
      .set(kAnnotation, Value::string(arena.copy(note)), arena);
  return std::nullopt;
}

std::optional<std::string> pod_limit_fault(const Value& pod, const Value& limit_range) {
  Faults faults;
  for (const Value& one : items(limit_range.get("spec"), "limits")) {
    const Item item(one);
    if (item.type() == "Container") {
      check_containers(pod, "containers", item, faults);
      check_containers(pod, "initContainers", item, faults);
    } else if (item.type() == "Pod") {
      item.check(pod_requests(pod, PodAmountsFor::kLimitRanges),
                 pod_limits(pod, PodAmountsFor::kLimitRanges), faults);
    }
  }
  return faults.text();
}

std::optional<std::string> claim_limit_fault(const Value& claim, const Value& limit_range) {
  Faults faults;
  const Amounts requests = read_amounts(claim.get("spec").get("resources").get("requests"));
  for (const Value& one : items(limit_range.get("spec"), "limits")) {
    const Item item(one);
    if (item.type() == "PersistentVolumeClaim") item.check_claim(requests, faults);
  }
  return faults.text();
}

}  // namespace strake::kinds
