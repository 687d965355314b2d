#include <fmt/format.h>

#include "kinds/fields.h"
#include "kinds/limits/quota_evaluators.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::string_view kClaimCount = "count/persistentvolumeclaims";
constexpr std::string_view kClaims = "persistentvolumeclaims";
constexpr std::string_view kStorage = "requests.storage";
constexpr std::string_view kOfClass = ".storageclass.storage.k8s.io/";

// An annotation named the class before there was a field for it.
std::string_view class_of(const Value& claim) {
  constexpr std::string_view kAnnotation = "volume.beta.kubernetes.io/storage-class";
  const Value* annotations = meta::ObjectMeta::of(claim).annotations();
  if (const Value* named = annotations != nullptr ? annotations->find(kAnnotation) : nullptr)
    return value::text_of(*named);
  return text_of(claim, {"spec", "storageClassName"});
}

// Whole bytes, as a quota cannot hold parts of them.
Quantity whole(const Quantity& amount) {
  const Quantity rounded(amount.value(), amount.format());
  return amount == rounded ? amount : rounded;
}

// What was asked for, or what has been allocated where that is more: a claim that was to grow and
// could not keeps it.
std::optional<Quantity> storage_of(const Value& claim) {
  const auto asked = Quantity::parse(text_of(claim, {"spec", "resources", "requests", "storage"}));
  if (!asked) return std::nullopt;
  const auto allocated =
      Quantity::parse(text_of(claim, {"status", "allocatedResources", "storage"}));
  return whole(allocated && *allocated > *asked ? *allocated : *asked);
}

class ClaimEvaluator final : public QuotaEvaluator {
 public:
  // Also its status, which says what has been allocated and of which class it is.
  bool handles(std::string_view subresource, const Value&, const Value* old) const override {
    return subresource.empty() || (subresource == "status" && old != nullptr);
  }

  bool counts(std::string_view name) const override {
    if (name == kClaimCount || name == kClaims || name == kStorage) return true;
    for (const std::string_view what : {kClaims, kStorage}) {
      if (name.ends_with(what) && name.substr(0, name.size() - what.size()).ends_with(kOfClass))
        return true;
    }
    return false;
  }

  bool is_in(const Value& object, const QuotaScope& scope) const override {
    return is_claim_in(object, scope);
  }

  Amounts usage(const Value& object, WallTime) const override {
    const std::string_view name = class_of(object);
    Amounts out;
    const auto add = [&](std::string_view what, const Quantity& amount) {
      out.emplace(what, amount);
      if (!name.empty()) out.emplace(fmt::format("{}{}{}", name, kOfClass, what), amount);
    };
    out.emplace(kClaimCount, Quantity(1));
    add(kClaims, Quantity(1));
    if (const auto storage = storage_of(object)) add(kStorage, *storage);
    return out;
  }

  std::optional<Instant> changes_at(const Value&) const override { return std::nullopt; }

  std::optional<std::string> fault(const std::set<std::string_view>&, const Value&) const override {
    return std::nullopt;
  }
};

}  // namespace

const QuotaEvaluator& claim_quota_evaluator() {
  static const ClaimEvaluator& evaluator = *new ClaimEvaluator();
  return evaluator;
}

}  // namespace strake::kinds
