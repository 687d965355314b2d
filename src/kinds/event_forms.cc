#include "kinds/event_forms.h"

#include "kinds/derive.h"

namespace strake::kinds {
namespace {

using value::Value;

struct Renamed {
  std::string_view core;
  std::string_view events;
};
constexpr Renamed kRenamed[] = {
    {"count", "deprecatedCount"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"involvedObject", "regarding"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"message", "note"},
    {"reportingComponent", "reportingController"},
    {"source", "deprecatedSource"},
};

void rename(Value& object, std::string_view from, std::string_view to, Arena& arena) {
  const Value* found = object.find(from);
  if (found == nullptr) return;
  const Value kept = *found;
  object.remove(from);
  object.set(to, kept, arena);
}

// The value was canonical in its other form, so that nothing in it can be refused.
void settle(Value& object, std::string_view type, Arena& arena) {
  (void)meta::read_shape(object, shape_of(described_type(type)), arena);
}

}  // namespace

void event_to_core(Value& object, Arena& arena) {
  for (const Renamed& one : kRenamed) rename(object, one.events, one.core, arena);
  object.set("apiVersion", Value::string("v1"), arena);
  settle(object, "io.k8s.api.core.v1.Event", arena);
}

void event_from_core(Value& object, Arena& arena) {
  for (const Renamed& one : kRenamed) rename(object, one.core, one.events, arena);
  object.set("apiVersion", Value::string("events.k8s.io/v1"), arena);
  settle(object, "io.k8s.api.events.v1.Event", arena);
}

}  // namespace strake::kinds
