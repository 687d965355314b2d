#include "api/controllers/conditions.h"

namespace strake::api {
namespace {

using value::Value;

std::string_view text(const Value& object, std::string_view key) {
  const Value* v = object.find(key);
  return v != nullptr && v->is_string() ? v->as_string() : std::string_view();
}

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
  for (Value& one : list->mutable_items()) {
    if (text(one, "type") != condition.type) continue;
    if (text(one, "status") == condition.status) {
      if (text(one, "reason") == condition.reason && text(one, "message") == condition.message)
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
    if (text(one, "type") == type) return text(one, "status");
  }
  return {};
}

}  // namespace strake::api
