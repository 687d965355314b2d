#pragma once
// What ResourceQuotas count of an object beyond that it is there: the evaluators of kube-apiserver
// 1.36. Objects of other resources count as one each, under the names of count_names.h in
// admission/quota, and are in no scope. All is pure; objects are decoded.
//
// The server asks for a write, with its quotas Q of the namespace, each with spec.hard as H (as
// status.hard tells it), status.used as U and read_quota_scopes() as S:
//
//   const QuotaEvaluator* evaluator = find_quota_evaluator(resource);
//   if (!evaluator->handles(subresource, object, old)) the write is not charged
//   Q is concerned when evaluator->counts() any name of H, and evaluator->is_in() all of S
//   if (auto fault = evaluator->fault(counted names of H, object))  403 "failed quota: Q: " + fault
//   a counted name of H that U lacks                                403 "status unknown for quota:
//                                                                        Q, resources: a,b"
//   const Amounts usage = evaluator->usage(object, now);
//   negative_amounts(usage)        403 "quota usage is negative for resource(s): a,b"
//   delta = usage, or increase(usage, evaluator->usage(old, now)) when `old` is in all of S too
//   what delta has in H is added to U, and refused where it passes H, but for writes of "status"
//
// What is stored is counted the same way: the sum of usage() of all objects that are in all of S.
// As usage of pods ends with time, objects are counted again when it is changes_at().
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "kinds/limits/amounts.h"
#include "kinds/limits/quota_scopes.h"
#include "meta/gvk.h"
#include "value/value.h"

namespace strake::kinds {

class QuotaEvaluator {
 public:
  virtual ~QuotaEvaluator() = default;

  // Whether a write may change what is used. `old` is null on a create.
  virtual bool handles(std::string_view subresource, const value::Value& object,
                       const value::Value* old) const = 0;
  // Whether a quota of that name counts objects of the resource.
  virtual bool counts(std::string_view name) const = 0;
  virtual bool is_in(const value::Value& object, const QuotaScope& scope) const = 0;
  // What the object uses, by the names of quotas.
  virtual Amounts usage(const value::Value& object, WallTime now) const = 0;
  // From when on the object uses less, though nothing is written: a pod that should have ended by
  // then. Nothing for one whose usage depends on no time.
  virtual std::optional<Instant> changes_at(const value::Value& object) const = 0;
  // What the object has to say, and does not, to be counted under these names: "must specify
  // requests.cpu for: c".
  virtual std::optional<std::string> fault(const std::set<std::string_view>& names,
                                           const value::Value& object) const = 0;
};

// The resources that have one.
std::span<const meta::GroupResource> evaluated_resources();
// Null for resources that are only counted.
const QuotaEvaluator* find_quota_evaluator(const meta::GroupResource& resource);

bool is_in_all(const QuotaEvaluator& evaluator, const value::Value& object,
               std::span<const QuotaScope> scopes);

}  // namespace strake::kinds
