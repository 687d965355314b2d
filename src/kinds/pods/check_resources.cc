#include "kinds/pods/check_resources.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "kinds/fields.h"
#include "kinds/limits/pod_amounts.h"
#include "kinds/pods/check_values.h"
#include "kinds/resource_names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kHugePagePrefix = "hugepages-";

// A whole number of pages.
bool fills_pages(std::string_view name, const Quantity& amount) {
  const Result<Quantity> size = Quantity::parse(name.substr(kHugePagePrefix.size()));
  if (!size || size->sign() <= 0 || size->milli_value() % 1000 != 0) return false;
  // Zero stands for a size past 64 bits.
  return size->value() != 0 && amount.value() % size->value() == 0;
}

using NameCheck = void (*)(std::string_view, const FieldPath&, FieldErrors&);

void check_pod_resource_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const std::uint64_t before = count_of(errors);
  check_resource_name(name, at, errors);
  if (count_of(errors) == before && !is_huge_page(name))
    check_choice(name, {"cpu", kHugePagePrefix, "memory"}, at, errors);
}

void check_pages(const Member& one, const FieldPath& at, FieldErrors& errors) {
  if (!is_huge_page(one.key) || fills_pages(one.key, amount_of(one.value))) return;
  const std::string_view text = value::text_of(one.value);
  add_invalid(at, text, fmt::format("{} is not positive integer multiple of {}", text, one.key),
              errors);
}

void check_request_against_limit(const Member& request, const Value* limit, const FieldPath& at,
                                 FieldErrors& errors) {
  const bool fixed = !may_be_overcommitted(request.key);
  if (limit == nullptr) {
    if (fixed) {
      errors.push_back(FieldError::required(at / "limits",
                                            "Limit must be set for non overcommitable resources"));
    }
    return;
  }
  const std::strong_ordering order = amount_of(request.value) <=> amount_of(*limit);
  if (order == 0 || (order < 0 && !fixed)) return;
  add_invalid(at / "requests", value::text_of(request.value),
              fmt::format("must be {} {} limit of {}", fixed ? "equal to" : "less than or equal to",
                          request.key, value::text_of(*limit)),
              errors);
}

void check_requirements(const Value& resources, NameCheck check_name, bool allow_remainders,
                        const FieldPath& at, FieldErrors& errors) {
  bool huge_pages = false;
  bool cpu_or_memory = false;
  const Value& limits = resources.get("limits");
  for (const std::string_view list : {"limits", "requests"}) {
    for (const Member& one : members(resources, list)) {
      const FieldPath here = (at / list).key(one.key);
      check_name(one.key, here, errors);
      check_resource_amount(one.key, one.value, here, errors);
      if (list == "requests") check_request_against_limit(one, member(limits, one.key), at, errors);
      if (!allow_remainders) check_pages(one, here, errors);
      huge_pages |= is_huge_page(one.key);
      cpu_or_memory |= one.key == "cpu" || one.key == "memory";
    }
  }
  if (huge_pages && !cpu_or_memory)
    errors.push_back(FieldError::forbidden(at, "HugePages require cpu or memory"));
}

// --- claims

// Claims of a container, each as a whole or one request of it.
class ClaimsOfContainer {
 public:
  ClaimsOfContainer(const PodScope& pod, FieldErrors& errors) : pod_(pod), errors_(errors) {}

  void add(const Value& claim, const FieldPath& at) {
    const std::string_view name = value::text_of(claim, "name");
    if (name.empty()) return errors_.push_back(FieldError::required(at));
    add_use(name, value::text_of(claim, "request"), at);
    if (pod_.claim_names.contains(name) || errors_.full()) return;
    FieldError error = FieldError::not_found(at, Value::string(name));
    error.detail = pod_.unknown_claim;
    errors_.push_back(std::move(error));
  }

 private:
  struct Uses {
    bool whole = false;
    std::unordered_set<std::string_view> requests;
  };

  void add_use(std::string_view name, std::string_view request, const FieldPath& at) {
    Uses& uses = uses_[name];
    if (uses.whole) return errors_.push_back(FieldError::duplicate(at, Value::string(name)));
    if (request.empty()) {
      // Said once for each request of it that was used before.
      for (std::size_t i = 0; i < uses.requests.size(); ++i)
        errors_.push_back(FieldError::duplicate(at, Value::string(name)));
      uses.whole = true;
      return;
    }
    add_all_invalid(meta::check_dns1123_label(request), request, at / "request", errors_);
    if (!uses.requests.insert(request).second) {
      const std::string text = fmt::format("{}/{}", name, request);
      errors_.push_back(FieldError::duplicate(at, Value::string(text)));
    }
  }

  const PodScope& pod_;
  FieldErrors& errors_;
  std::unordered_map<std::string_view, Uses> uses_;
};

void check_claims(const Value& resources, const PodScope& pod, const FieldPath& at,
                  FieldErrors& errors) {
  ClaimsOfContainer claims(pod, errors);
  const auto list = items(resources, "claims");
  for (std::size_t i = 0; i < list.size(); ++i) claims.add(list[i], at / "claims" / i);
}

// A claim as Go shows it.
std::string show_claim(const Value& claim) {
  const auto show = [&](std::string_view key) {
    const Value* given = member(claim, key);
    return given != nullptr ? value::render_value(*given) : std::string("null");
  };
  return fmt::format(R"({{"Name":{},"ResourceClaimName":{},"ResourceClaimTemplateName":{}}})",
                     value::render_value(Value::string(value::text_of(claim, "name"))),
                     show("resourceClaimName"), show("resourceClaimTemplateName"));
}

void check_pod_claim(const Value& claim, const FieldPath& at, FieldErrors& errors) {
  const bool by_name = member(claim, "resourceClaimName") != nullptr;
  const bool by_template = member(claim, "resourceClaimTemplateName") != nullptr;
  if (by_name == by_template && !errors.full()) {
    errors.push_back(
        {.type = FieldError::Type::kInvalid,
         .path = at,
         .shown = show_claim(claim),
         .detail = by_name
                       ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be "
                         "specified"
                       : "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"});
  }
  for (const std::string_view key : {"resourceClaimName", "resourceClaimTemplateName"}) {
    if (member(claim, key) == nullptr) continue;
    const std::string_view name = value::text_of(claim, key);
    add_all_invalid(meta::check_dns1123_subdomain(name), name, at / key, errors);
  }
}

// --- pods as a whole

void check_sums(const Value& spec, const Value& resources, std::string_view list,
                const FieldPath& at, FieldErrors& errors) {
  for (const auto& [name, sum] : total_of_containers(spec, list)) {
    if (list == "limits" && !is_huge_page(name)) continue;
    const Value* amount = member(resources.get(list), name);
    if (amount == nullptr || sum <= amount_of(*amount)) continue;
    add_invalid((at / list).key(name), value::text_of(*amount),
                fmt::format("must be greater than or equal to aggregate container {} of {}", list,
                            sum.to_string()),
                errors);
  }
}

void check_limits_of_containers(const Value& spec, const Value& resources, const FieldPath& at,
                                FieldErrors& errors) {
  const auto containers = items(spec, "containers");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    for (const Member& limit : members(containers[i].get("resources"), "limits")) {
      const Value* most = member(resources.get("limits"), limit.key);
      if (most == nullptr || amount_of(limit.value) <= amount_of(*most)) continue;
      // As kube-apiserver 1.36 writes this path.
      add_invalid(
          (at / "containers" / i).key(limit.key) / "limits", value::text_of(limit.value),
          fmt::format("must be less than or equal to pod limits of {}", value::text_of(*most)),
          errors);
    }
  }
}

}  // namespace

bool has_huge_page_remainder(const Value& holder, std::string_view list) {
  for (const Member& one : members(holder, list)) {
    if (is_huge_page(one.key) && !fills_pages(one.key, amount_of(one.value))) return true;
  }
  return false;
}

void check_container_resources(const Value& resources, const PodScope& pod, const FieldPath& at,
                               FieldErrors& errors) {
  check_requirements(resources, check_container_resource_name, pod.allowed.huge_page_remainders, at,
                     errors);
  check_claims(resources, pod, at, errors);
}

void check_pod_resources(const PodScope& pod, const FieldPath& spec_path, FieldErrors& errors) {
  const Value* resources = member(pod.spec, "resources");
  if (resources == nullptr) return;
  const FieldPath at = spec_path / "resources";
  if (text_of(pod.spec, {"os", "name"}) == "windows")
    return errors.push_back(FieldError::forbidden(at, "may not be set for a windows pod"));
  if (member(*resources, "claims") != nullptr) {
    errors.push_back(
        FieldError::forbidden(at / "claims", "claims may not be set for Resources at pod-level"));
  }
  check_requirements(*resources, check_pod_resource_name, pod.allowed.huge_page_remainders, at,
                     errors);
  check_claims(*resources, pod, at, errors);
  check_sums(pod.spec, *resources, "requests", at, errors);
  check_sums(pod.spec, *resources, "limits", at, errors);
  check_limits_of_containers(pod.spec, *resources, at, errors);
}

void check_overhead_amounts(const Value& amounts, bool allow_huge_page_remainders,
                            const FieldPath& at, FieldErrors& errors) {
  Member limits[] = {{.key = "limits", .value = amounts}};
  check_requirements(Value::object(limits), check_container_resource_name,
                     allow_huge_page_remainders, at, errors);
}

void check_pod_resource_claims(const Value& spec, const Value* metadata, const FieldPath& at,
                               FieldErrors& errors) {
  const bool is_mirror = metadata != nullptr && member(metadata->get("annotations"),
                                                       "kubernetes.io/config.mirror") != nullptr;
  std::unordered_set<std::string_view> names;
  const auto claims = items(spec, "resourceClaims");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (is_mirror) {
      errors.push_back(
          FieldError::forbidden(FieldPath() / "", "static pods do not support resource claims"));
      continue;
    }
    const FieldPath here = at / i;
    const std::string_view name = value::text_of(claims[i], "name");
    if (name.empty()) {
      errors.push_back(FieldError::required(here / "name"));
    } else if (!names.insert(name).second) {
      errors.push_back(FieldError::duplicate(here / "name", Value::string(name)));
    } else {
      add_all_invalid(meta::check_dns1123_label(name), name, here / "name", errors);
    }
    check_pod_claim(claims[i], here, errors);
  }
}

}  // namespace strake::kinds
