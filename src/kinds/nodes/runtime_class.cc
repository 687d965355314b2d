#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/describe.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/node_labels.h"
#include "kinds/nodes/strategies.h"
#include "kinds/nodes/taints.h"
#include "kinds/resource_names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kHugePages = "hugepages-";

FieldPath at_handler() { return FieldPath() / "handler"; }

// Whether the amount is a number of whole pages.
bool is_whole_pages(std::string_view name, const Quantity& amount) {
  const Result<Quantity> page = Quantity::parse(name.substr(kHugePages.size()));
  if (!page || page->sign() <= 0 || page->milli_value() % 1000 != 0 || page->value() == 0)
    return false;
  return amount.value() % page->value() == 0;
}

// What pods of the class need beside their containers, judged as the limits of a container are.
void check_overhead(const Value& overhead, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "overhead";
  bool huge = false;
  bool plain = false;
  for (const Member& one : members(overhead, "podFixed")) {
    const FieldPath here = (at / "limits").key(one.key);
    check_container_resource_name(one.key, here, errors);
    check_resource_amount(one.key, one.value, here, errors);
    if (one.key == "cpu" || one.key == "memory") plain = true;
    if (!one.key.starts_with(kHugePages)) continue;
    huge = true;
    const Quantity amount = amount_of(one.value);
    if (is_whole_pages(one.key, amount)) continue;
    errors.push_back(FieldError::invalid(
        here, one.value,
        fmt::format("{} is not positive integer multiple of {}", amount.to_string(), one.key)));
  }
  if (huge && !plain)
    errors.push_back(FieldError::forbidden(at, "HugePages require cpu or memory"));
}

void check_scheduling(const Value& scheduling, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "scheduling";
  check_labels(members(scheduling, "nodeSelector"), at / "nodeSelector", errors);
  const auto tolerations = items(scheduling, "tolerations");
  check_tolerations(tolerations, at / "tolerations", errors);
  std::set<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Value& one = tolerations[i];
    if (seen.emplace(text_of(one, "key"), text_of(one, "operator"), text_of(one, "value"),
                     text_of(one, "effect"))
            .second) {
      continue;
    }
    errors.push_back(
        {.type = FieldError::Type::kDuplicate,
         .path = at / "tolerations" / i,
         .shown = show_go_struct(&one, described_type("io.k8s.api.core.v1.Toleration")),
         .detail = {}});
  }
}

class RuntimeClassStrategy final : public BuiltinStrategy {
 public:
  RuntimeClassStrategy() : BuiltinStrategy("io.k8s.api.node.v1.RuntimeClass") {
    set_columns({name_column(),
                 {.name = "Handler", .type = "string", .description = "What runs the pods."},
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (Value* overhead = object.find("overhead"); overhead != nullptr && overhead->is_object())
      round_amounts(*overhead, "podFixed", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const std::string_view handler = text_of(object, "handler");
    if (handler.empty()) {
      errors.push_back(FieldError::required(at_handler()));
    } else {
      add_messages(meta::check_dns1123_label(handler), handler, at_handler(), errors);
    }
    if (const Value* overhead = member(object, "overhead")) check_overhead(*overhead, errors);
    if (const Value* scheduling = member(object, "scheduling"))
      check_scheduling(*scheduling, errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    const std::string_view handler = text_of(object, "handler");
    if (handler != text_of(old, "handler")) {
      errors.push_back(
          FieldError::invalid(at_handler(), Value::string(handler), "field is immutable"));
    }
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    std::vector<std::string> out;
    for (const Member& one : members(object.get("scheduling"), "nodeSelector")) {
      if (const std::string_view why = deprecated_node_label(one.key); !why.empty())
        out.push_back(fmt::format("scheduling.nodeSelector: {}", why));
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(text_of(object, "handler")),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& runtime_class_strategy() {
  static const RuntimeClassStrategy& strategy = *new RuntimeClassStrategy();
  return strategy;
}

}  // namespace strake::kinds
