// PriorityLevelConfigurations: how much of the server the requests of a priority level can use.
#include <fmt/format.h>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/flow_control.h"
#include "kinds/go_struct.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kLevels = "prioritylevelconfigurations";
constexpr std::int64_t kMostQueues = 10'000'000;

void set_if_absent(Value& object, std::string_view key, std::int64_t number, Arena& arena) {
  if (member(object, key) == nullptr) object.set(key, Value::integer(number), arena);
}
// The same for a field that is no pointer in Go: zero is the same as nothing.
void set_if_zero(Value& object, std::string_view key, std::int64_t number, Arena& arena) {
  if (integer(object, key) == 0) object.set(key, Value::integer(number), arena);
}

Value* object_in(Value& object, std::string_view key) {
  Value* found = object.find(key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

void refuse_number(const Value& of, std::string_view key, std::string why, const FieldPath& at,
                   FieldErrors& errors) {
  errors.push_back(FieldError::invalid(at / key, Value::integer(integer(of, key)), std::move(why)));
}

void check_shares_and_lending(const Value& of, const FieldPath& at, FieldErrors& errors) {
  if (integer(of, "nominalConcurrencyShares") < 0)
    refuse_number(of, "nominalConcurrencyShares", "must be a non-negative integer", at, errors);
  const std::int64_t lent = integer(of, "lendablePercent");
  if (lent < 0 || lent > 100)
    refuse_number(of, "lendablePercent", "must be between 0 and 100, inclusive", at, errors);
}

void check_queuing(const Value& queuing, const FieldPath& at, FieldErrors& errors) {
  const std::int64_t queues = integer(queuing, "queues");
  const std::int64_t hand = integer(queuing, "handSize");
  if (integer(queuing, "queueLengthLimit") <= 0)
    refuse_number(queuing, "queueLengthLimit", "must be positive", at, errors);
  if (queues <= 0) {
    refuse_number(queuing, "queues", "must be positive", at, errors);
  } else if (queues > kMostQueues) {
    refuse_number(queuing, "queues", fmt::format("must not be greater than {}", kMostQueues), at,
                  errors);
  }
  if (hand <= 0) {
    refuse_number(queuing, "handSize", "must be positive", at, errors);
  } else if (hand > queues) {
    refuse_number(queuing, "handSize",
                  fmt::format("should not be greater than queues ({})", queues), at, errors);
  } else if (const int bits = entropy_bits(queues, hand); bits > kMostEntropyBits) {
    refuse_number(queuing, "handSize",
                  fmt::format("required entropy bits of deckSize {} and handSize {} should not be "
                              "greater than {}",
                              queues, hand, kMostEntropyBits),
                  at, errors);
  }
}

// The texts of kube-apiserver 1.36 call the type Queue "Limited".
void check_response(const Value& limited, const FieldPath& at, FieldErrors& errors) {
  const Value none = Value::object({});
  const Value* found = member(limited, "limitResponse");
  const Value& response = found != nullptr ? *found : none;
  const std::string_view type = text_of(response, "type");
  const Value* queuing = member(response, "queuing");
  if (type.empty()) {
    errors.push_back(FieldError::required(at / "type"));
  } else if (type == "Reject") {
    if (queuing != nullptr) {
      errors.push_back(FieldError::forbidden(
          at / "queuing", "must be nil if limited.limitResponse.type is not Limited"));
    }
  } else if (type != "Queue") {
    errors.push_back(not_supported(at / "type", type, {"Queue", "Reject"}));
  } else if (queuing == nullptr) {
    errors.push_back(FieldError::required(
        at / "queuing", "must not be empty if limited.limitResponse.type is Limited"));
  } else {
    check_queuing(*queuing, at / "queuing", errors);
  }
}

void check_limited(const Value& limited, const FieldPath& at, FieldErrors& errors) {
  check_shares_and_lending(limited, at, errors);
  if (integer(limited, "borrowingLimitPercent") < 0) {
    refuse_number(limited, "borrowingLimitPercent", "if specified, must be a non-negative integer",
                  at, errors);
  }
  check_response(limited, at / "limitResponse", errors);
}

void check_level_spec(const Value& spec, std::string_view name, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  const std::string_view type = text_of(spec, "type");
  if (type.empty()) return errors.push_back(FieldError::required(at / "type"));
  if ((name == kExemptName) != (type == "Exempt")) {
    errors.push_back(FieldError::invalid(at / "type", Value::string(type),
                                         "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  const Value* limited = member(spec, "limited");
  const Value* exempt = member(spec, "exempt");
  if (type == "Exempt") {
    if (limited != nullptr) {
      errors.push_back(
          FieldError::forbidden(at / "limited", "must be nil if the type is not Limited"));
    }
    if (exempt != nullptr) check_shares_and_lending(*exempt, at / "exempt", errors);
  } else if (type == "Limited") {
    if (exempt != nullptr)
      errors.push_back(FieldError::forbidden(at / "exempt", "must be nil if the type is Limited"));
    if (limited == nullptr) {
      errors.push_back(
          FieldError::required(at / "limited", "must not be empty when type is Limited"));
    } else {
      check_limited(*limited, at / "limited", errors);
    }
  } else {
    errors.push_back(not_supported(at / "type", type, {"Exempt", "Limited"}));
  }
}

// The content of a mandatory level is fixed, but for what `exempt` says.
void check_fixed(const Value& spec, std::string_view name, FieldErrors& errors) {
  const Value* fixed = mandatory_flow_spec(kLevels, name);
  if (fixed == nullptr) return;
  const bool is_exempt = name == kExemptName;
  const bool same = is_exempt
                        ? same_member(spec, *fixed, "type") && same_member(spec, *fixed, "limited")
                        : value::identical(spec, *fixed);
  if (same) return;
  errors.push_back(
      {.type = FieldError::Type::kInvalid,
       .path = FieldPath() / "spec",
       .shown = show_go_struct(
           &spec, described_type("io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec")),
       .detail = fmt::format("spec of '{}' {}must equal the fixed value", name,
                             is_exempt ? "except the 'spec.exempt' field " : ""),
       .first = {}});
}

class PriorityLevelStrategy final : public StatusStrategy {
 public:
  PriorityLevelStrategy()
      : StatusStrategy("io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration", Keeps::kMetadata) {
    const auto column = [](std::string_view name, std::string_view description) {
      return Column{.name = std::string(name),
                    .type = "string",
                    .format = {},
                    .description = std::string(description),
                    .json_path = {}};
    };
    set_columns({name_column(), column("Type", "Whether requests are limited."),
                 column("NominalConcurrencyShares", "The share of the level."),
                 column("Queues", "The number of queues."),
                 column("HandSize", "The number of queues that one flow can use."),
                 column("QueueLengthLimit", "How many requests wait in one queue at most."),
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object_in(object, "spec");
    if (spec == nullptr) return;
    if (Value* exempt = object_in(*spec, "exempt")) {
      set_if_absent(*exempt, "nominalConcurrencyShares", 0, arena);
      set_if_absent(*exempt, "lendablePercent", 0, arena);
    }
    Value* limited = object_in(*spec, "limited");
    if (limited == nullptr) return;
    set_if_absent(*limited, "nominalConcurrencyShares", 30, arena);
    set_if_absent(*limited, "lendablePercent", 0, arena);
    Value* response = object_in(*limited, "limitResponse");
    Value* queuing = response != nullptr ? object_in(*response, "queuing") : nullptr;
    if (queuing == nullptr) return;
    set_if_zero(*queuing, "handSize", 8, arena);
    set_if_zero(*queuing, "queues", 64, arena);
    set_if_zero(*queuing, "queueLengthLimit", 50, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const std::string_view name = meta::ObjectMeta::of(object).name();
    if (const Value* spec = member(object, "spec")) {
      check_level_spec(*spec, name, errors);
      check_fixed(*spec, name, errors);
    }
    check_flow_conditions(object, errors);
    return errors;
  }
  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_flow_conditions(object, errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value none = Value::string("<none>");
    const Value* limited = member(object, {"spec", "limited"});
    const Value* queuing =
        limited != nullptr ? member(*limited, {"limitResponse", "queuing"}) : nullptr;
    const auto number = [&](const Value* of, std::string_view key) {
      return of != nullptr ? Value::integer(integer(*of, key)) : none;
    };
    out = {name_cell(object),
           Value::string(text_of(object, {"spec", "type"})),
           number(limited, "nominalConcurrencyShares"),
           number(queuing, "queues"),
           number(queuing, "handSize"),
           number(queuing, "queueLengthLimit"),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& priority_level_strategy() {
  static const PriorityLevelStrategy& strategy = *new PriorityLevelStrategy();
  return strategy;
}

}  // namespace strake::kinds
