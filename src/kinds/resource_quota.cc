#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/resource_names.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

bool is_quota_scope(std::string_view scope) {
  for (const std::string_view known :
       {"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass",
        "CrossNamespacePodAffinity", "VolumeAttributesClass"}) {
    if (scope == known) return true;
  }
  return false;
}

// Scopes that an object is either in or not, without a value.
bool is_plain_scope(std::string_view scope) {
  return is_quota_scope(scope) && scope != "PriorityClass" && scope != "VolumeAttributesClass";
}

// Whether what has that name can be in the scope: most scopes are about pods.
bool scope_applies(std::string_view scope, std::string_view name) {
  if (!is_quota_scope(scope)) return true;
  if (scope == "VolumeAttributesClass")
    return name == "persistentvolumeclaims" || name == "requests.storage";
  if (name == "pods") return true;
  if (scope == "BestEffort") return false;
  for (const std::string_view known :
       {"cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"}) {
    if (name == known) return true;
  }
  return false;
}

// Counts, for each scope that is asked for, the hard limits that it cannot have.
class Misapplied {
 public:
  explicit Misapplied(const Value& spec) : spec_(spec) {}

  std::size_t count(std::string_view scope) {
    if (!is_quota_scope(scope)) return 0;
    const auto [at, is_new] = counts_.try_emplace(scope, 0);
    if (is_new) {
      for (const Member& one : members(spec_, "hard"))
        at->second += is_quota_resource(one.key) && !scope_applies(scope, one.key) ? 1 : 0;
    }
    return at->second;
  }

 private:
  const Value& spec_;
  std::map<std::string_view, std::size_t> counts_;
};

// The same error many times, about a value that may be long: it is rendered once, and not at all
// when the list is full.
class RepeatedError {
 public:
  RepeatedError(FieldPath at, std::string detail, std::function<std::string()> render)
      : at_(std::move(at)), detail_(std::move(detail)), render_(std::move(render)) {}

  void add(FieldErrors& errors, std::size_t times = 1) {
    for (; times > 0; --times) {
      if (errors.full()) return errors.omit(times);
      if (!shown_) shown_ = render_();
      errors.push_back(
          {.type = FieldError::Type::kInvalid, .path = at_, .shown = shown_, .detail = detail_});
    }
  }

 private:
  FieldPath at_;
  std::string detail_;
  std::function<std::string()> render_;
  std::optional<std::string> shown_;
};

void check_conflicts(const std::set<std::string_view>& scopes, const Value& shown,
                     const FieldPath& at, FieldErrors& errors) {
  if (scopes.contains("BestEffort") && scopes.contains("NotBestEffort"))
    errors.push_back(FieldError::invalid(at, shown, "conflicting scopes"));
  if (scopes.contains("Terminating") && scopes.contains("NotTerminating"))
    errors.push_back(FieldError::invalid(at, shown, "conflicting scopes"));
}

void check_scopes(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value* scopes = member(spec, "scopes");
  if (scopes == nullptr) return;
  const auto render = [&] { return value::render_value(*scopes); };
  RepeatedError unsupported(at / "scopes", "unsupported scope", render);
  RepeatedError unfit(at / "scopes", "unsupported scope applied to resource", render);
  Misapplied misapplied(spec);
  std::set<std::string_view> seen;
  for (const Value& one : scopes->items()) {
    const std::string_view scope = one.as_string();
    if (!is_quota_scope(scope)) unsupported.add(errors);
    unfit.add(errors, misapplied.count(scope));
    seen.insert(scope);
  }
  check_conflicts(seen, *scopes, at / "scopes", errors);
}

// As Go shows the selector: with its own field names, none left out.
std::string show_selector(const Value& selector) {
  std::string out;
  for (const Value& one : items(selector, "matchExpressions")) {
    out += out.empty() ? "" : ",";
    out += R"({"ScopeName":)";
    value::write_json_string(text_of(one, "scopeName"), out);
    out += R"(,"Operator":)";
    value::write_json_string(text_of(one, "operator"), out);
    const Value* values = member(one, "values");
    out += fmt::format(R"(,"Values":{}}})", values != nullptr ? value::to_json(*values) : "null");
  }
  return fmt::format(R"({{"MatchExpressions":[{}]}})", out);
}

void check_scope_selector(const Value& spec, const FieldPath& spec_path, FieldErrors& errors) {
  const Value* selector = member(spec, "scopeSelector");
  if (selector == nullptr) return;
  const FieldPath at = spec_path / "scopeSelector" / "matchExpressions";
  RepeatedError unfit(at, "unsupported scope applied to resource",
                      [&] { return show_selector(*selector); });
  Misapplied misapplied(spec);
  std::set<std::string_view> seen;
  for (const Value& one : items(*selector, "matchExpressions")) {
    const std::string_view scope = text_of(one, "scopeName");
    if (!is_quota_scope(scope)) {
      errors.push_back(
          FieldError::invalid(at / "scopeName", Value::string(scope), "unsupported scope"));
    }
    unfit.add(errors, misapplied.count(scope));
    const std::string_view op = text_of(one, "operator");
    if (is_plain_scope(scope) && op != "Exists") {
      errors.push_back(FieldError::invalid(
          at / "operator", Value::string(op),
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "
          "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
          "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"));
    }
    const Value* values = member(one, "values");
    const bool any = values != nullptr && values->size() > 0;
    if (op == "In" || op == "NotIn") {
      if (!any) {
        errors.push_back(FieldError::required(
            at / "values",
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
      }
    } else if (op == "Exists" || op == "DoesNotExist") {
      if (any) {
        errors.push_back(FieldError::invalid(
            at / "values", *values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
      }
    } else {
      errors.push_back(
          FieldError::invalid(at / "operator", Value::string(op), "not a valid selector operator"));
    }
    seen.insert(scope);
  }
  const Value* scopes = member(spec, "scopes");
  check_conflicts(seen, scopes != nullptr ? *scopes : Value(), at, errors);
}

std::set<std::string_view> scopes_of(const Value& quota) {
  std::set<std::string_view> out;
  if (const Value* spec = member(quota, "spec")) {
    for (const Value& one : items(*spec, "scopes")) out.insert(one.as_string());
  }
  return out;
}

void check_status_amounts(const Value& quota, FieldErrors& errors) {
  const Value* status = member(quota, "status");
  if (status == nullptr) return;
  check_quota_amounts(*status, "hard", FieldPath() / "status", errors);
  check_quota_amounts(*status, "used", FieldPath() / "status", errors);
}

class ResourceQuotaStrategy final : public StatusStrategy {
 public:
  ResourceQuotaStrategy() : StatusStrategy("io.k8s.api.core.v1.ResourceQuota") {
    // Descriptions are part of the answer, word for word.
    set_columns(
        {name_column(),
         {.name = "Request",
          .type = "string",
          .description = "Request represents a minimum amount of cpu/memory that a container "
                         "may consume."},
         {.name = "Limit",
          .type = "string",
          .description = "Limits control the maximum amount of cpu/memory that a container "
                         "may use independent of contention on the node."},
         age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (Value* spec = object.find("spec"); spec != nullptr && spec->is_object())
      round_amounts(*spec, "hard", arena);
    if (Value* status = object.find("status"); status != nullptr && status->is_object()) {
      round_amounts(*status, "hard", arena);
      round_amounts(*status, "used", arena);
    }
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_spec(object, errors);
    check_status_amounts(object, errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_spec(object, errors);
    if (scopes_of(object) != scopes_of(old)) {
      const Value* scopes = member(object, {"spec", "scopes"});
      errors.push_back(FieldError::invalid(FieldPath() / "spec" / "scopes",
                                           scopes != nullptr ? *scopes : Value(),
                                           "field is immutable"));
    }
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_status_amounts(object, errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    const Value* hard = member(object, {"spec", "hard"});
    if (hard == nullptr) return {};
    std::vector<std::string> out;
    for (const std::string_view name : {"cpu", "memory", "ephemeral-storage"}) {
      std::string request_name = fmt::format("requests.{}", name);
      const std::string limit_name = fmt::format("limits.{}", name);
      const Value* request = member(*hard, request_name);
      // The bare name of a compute resource means its requests.
      if (request == nullptr && name != "ephemeral-storage") {
        request_name = name;
        request = member(*hard, name);
      }
      const Value* limit = member(*hard, limit_name);
      if (request == nullptr || limit == nullptr || amount_of(*request) <= amount_of(*limit))
        continue;
      out.push_back(fmt::format("ResourceQuota {} ({}) should be less than {} ({})", request_name,
                                value::text_of(*request), limit_name, value::text_of(*limit)));
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    std::string requests;
    std::string limits;
    if (const Value* status = member(object, "status")) {
      for (const Member& hard : members(*status, "hard")) {
        std::string& cell = hard.key.starts_with("limits.") ? limits : requests;
        const Value* used = member(*status, {"used", hard.key});
        cell +=
            fmt::format("{}{}: {}/{}", cell.empty() ? "" : ", ", hard.key,
                        used != nullptr ? value::text_of(*used) : "0", value::text_of(hard.value));
      }
    }
    out = {name_cell(object), Value::string(arena.copy(requests)),
           Value::string(arena.copy(limits)), age_cell(object, now, arena)};
  }

 private:
  static void check_spec(const Value& object, FieldErrors& errors) {
    const Value* spec = member(object, "spec");
    if (spec == nullptr) return;
    const FieldPath at = FieldPath() / "spec";
    check_quota_amounts(*spec, "hard", at, errors);
    check_scopes(*spec, at, errors);
    check_scope_selector(*spec, at, errors);
  }
};

}  // namespace

const BuiltinStrategy& resource_quota_strategy() {
  static const ResourceQuotaStrategy& strategy = *new ResourceQuotaStrategy();
  return strategy;
}

}  // namespace strake::kinds
