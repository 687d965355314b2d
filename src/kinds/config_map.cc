#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/data_keys.h"
#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

void check_keys(const Value& object, std::string_view bag, FieldErrors& errors) {
  for (const Member& entry : members(object, bag)) {
    const FieldPath at = (FieldPath() / bag).key(entry.key);
    for (const std::string& message : check_data_key(entry.key))
      errors.push_back(FieldError::invalid(at, Value::string(entry.key), message));
    const Value* binary = member(object, "binaryData");
    if (bag == "data" && binary != nullptr && binary->find(entry.key) != nullptr) {
      errors.push_back(FieldError::invalid(at, Value::string(entry.key),
                                           "duplicate of key present in binaryData"));
    }
  }
}

class ConfigMapStrategy final : public BuiltinStrategy {
 public:
  ConfigMapStrategy() : BuiltinStrategy("io.k8s.api.core.v1.ConfigMap") {
    set_columns({name_column(),
                 {.name = "Data",
                  .type = "string",
                  // Part of the answer, word for word.
                  .description =
                      "Data contains the configuration data. Each key must consist of alphanumeric "
                      "characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use "
                      "the BinaryData field. The keys stored in Data must not overlap with the "
                      "keys in the BinaryData field, this is enforced during validation process."},
                 age_column()});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_keys(object, "data", errors);
    check_keys(object, "binaryData", errors);
    std::size_t bytes = 0;
    for (const Member& entry : members(object, "data")) bytes += entry.value.size();
    for (const Member& entry : members(object, "binaryData"))
      bytes += base64_bytes(entry.value.as_string());
    if (bytes > kMaxDataBytes) {
      // The whole object is meant: kube-apiserver 1.36 names no field.
      errors.push_back(FieldError::too_long(FieldPath() / "", kMaxDataBytes));
    }
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors;
    if (flag_of(old, "immutable")) {
      const auto forbid = [&](std::string_view name) {
        errors.push_back(FieldError::forbidden(FieldPath() / name, std::string(kImmutableDetail)));
      };
      if (!flag_of(object, "immutable")) forbid("immutable");
      if (!same_member(object, old, "data")) forbid("data");
      if (!same_member(object, old, "binaryData")) forbid("binaryData");
    }
    FieldErrors more = validate_create(object, request);
    errors.append(std::move(more));
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const std::size_t count = members(object, "data").size() + members(object, "binaryData").size();
    out = {name_cell(object), Value::integer(static_cast<std::int64_t>(count)),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& config_map_strategy() {
  static const ConfigMapStrategy& strategy = *new ConfigMapStrategy();
  return strategy;
}

}  // namespace strake::kinds
