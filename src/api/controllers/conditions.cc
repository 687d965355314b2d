#include "api/controllers/conditions.h"

#include "value/fields.h"

namespace strake::api {
namespace {

using value::Value;

}  // namespace

bool set_condition(Value& object, Arena& arena, const Condition& condition, std::string_view now) {
  Value* status = object.find("status");
  if (status == nullptr || !status->is_object())
    status = &object.set("status", Value::object({}), arena);
  Value* list = status->find("conditions");
  if (list == nullptr || !list->is_array())
    list = &status->set("conditions", Value::array({}), arena);
  Value made = Value::object({});
  made.set("type", Value::string(arena.copy(condition.type)), arena);
  made.set("status", Value::string(arena.copy(condition.status)), arena);
  made.set("reason", Value::string(arena.copy(condition.reason)), arena);
  made.set("message", Value::string(arena.copy(condition.message)), arena);
  made.set("lastTransitionTime", Value::string(arena.copy(now)), arena);
  if (condition.observed_generation > 0)
    made.set("observedGeneration", Value::integer(condition.observed_generation), arena);
  for (Value& one : list->mutable_items()) {
    if (text_of(one, "type") != condition.type) continue;
    if (text_of(one, "status") == condition.status) {
      if (text_of(one, "reason") == condition.reason &&
          text_of(one, "message") == condition.message &&
          observed_generation(one) == condition.observed_generation)
        return false;
      if (const Value* since = one.find("lastTransitionTime"))
        made.set("lastTransitionTime", *since, arena);
    }
    one = made;
    return true;
  }
  list->append(made, arena);
  return true;
}

std::string_view condition_status(const Value& object, std::string_view type) {
  const Value* status = object.find("status");
  const Value* list = status != nullptr ? status->find("conditions") : nullptr;
  if (list == nullptr || !list->is_array()) return {};
  for (const Value& one : list->items()) {
    if (text_of(one, "type") == type) return text_of(one, "status");
  }
  return {};
}

std::int64_t observed_generation(const Value& condition) {
  const Value* observed = condition.find("observedGeneration");
  return observed != nullptr && observed->type() == value::Type::kInt ? observed->as_int() : 0;
}

const Value* find_condition(const Value& object, std::string_view type) {
  for (const Value& one : object.get("status").get("conditions").items()) {
    if (text_of(one, "type") == type) return &one;
  }
  return nullptr;
}

}  // namespace strake::api
