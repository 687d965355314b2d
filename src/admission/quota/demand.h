#pragma once
// What a write asks of the quotas of its namespace. All is pure.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "admission/quota/quota_list.h"
#include "api/cache/cache.h"
#include "kinds/limits/quota_evaluator.h"

namespace strake::admission {

struct Demand {
  meta::GroupResource resource;
  std::string name;
  const api::ResourceCache* cache = nullptr;
  std::string key;
  // Null for resources that are only counted, which count as one each under these names.
  const kinds::QuotaEvaluator* evaluator = nullptr;
  std::vector<std::string> count_names = {};
  // Views, for as long as somebody waits for the answer; `old` is null on a create.
  const value::Value* object = nullptr;
  const value::Value* old = nullptr;
  api::Revision base = 0;  // of `old`
  std::size_t bytes = 0;   // what looking at them costs
  WallTime now = {};
  bool dry_run = false;
  // Writes of a status tell what is the case: they are charged, and no limit refuses them.
  bool may_exceed = false;

  // Whether a quota of that name counts it.
  bool counts(std::string_view amount_name) const;
  bool counts_any(const Amounts& limits) const;
  std::set<std::string_view> counted(const Amounts& limits) const;
  bool is_in(const Scopes& scopes) const;
};

// How much that is, worked out once.
struct Needs {
  explicit Needs(const Demand& demand);
  Amounts all;   // what the object uses, without what it uses none of
  Amounts more;  // the part that it did not use before; as `all` on a create

  // What it adds to the use of objects in these scopes: nothing when it is in others.
  const Amounts& within(const Demand& demand, const Scopes& scopes) const;
};

}  // namespace strake::admission
