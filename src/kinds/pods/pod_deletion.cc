#include "kinds/pods/pod_deletion.h"

#include <algorithm>

#include "base/rfc3339.h"
#include "kinds/fields.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using meta::ObjectMeta;
using value::Value;

// Times of the API end with the year 9999, and no grace period is longer than that.
constexpr std::int64_t kLongestGrace = 253'402'300'799;

void set_deletion(Value& pod, Instant end, std::int64_t grace, Arena& arena) {
  end.nanoseconds = 0;
  end.seconds = std::min(end.seconds, kLongestGrace);
  resource::set_meta(pod, "deletionTimestamp", Value::string(arena.copy(format_rfc3339(end))),
                     arena);
  resource::set_meta(pod, "deletionGracePeriodSeconds", Value::integer(grace), arena);
}

Instant later(Instant time, std::int64_t seconds) {
  time.seconds += std::clamp(seconds, -kLongestGrace, kLongestGrace);
  return time;
}

// The end moves to as long after the deletion as the new grace period says, but not into the past.
GracefulDeletion shorten(Value& pod, std::int64_t before, std::int64_t grace, Instant now,
                         Arena& arena) {
  const auto marked = parse_rfc3339(ObjectMeta::of(pod).deletion_timestamp());
  Instant end = marked ? later(later(*marked, -before), grace) : now;
  std::int64_t noted = grace;
  if (end < now) {
    end = now;
    // What is over at once still goes in two steps, unless 0 is asked for.
    if (grace != 0) noted = 1;
  }
  set_deletion(pod, end, noted, arena);
  return grace > 0 ? GracefulDeletion::kMarked : GracefulDeletion::kAtOnce;
}

}  // namespace

std::int64_t grace_period_of(const Value& pod, std::optional<std::int64_t> asked) {
  const std::string_view phase = text_of(pod, {"status", "phase"});
  if (text_of(pod, {"spec", "nodeName"}).empty() || phase == "Failed" || phase == "Succeeded")
    return 0;
  const std::int64_t grace =
      asked.value_or(integer(pod.get("spec"), "terminationGracePeriodSeconds"));
  return grace < 0 ? 1 : grace;
}

GracefulDeletion begin_pod_deletion(Value& pod, std::optional<std::int64_t> asked, Instant now,
                                    Arena& arena) {
  if (asked && *asked < 0) asked = 1;
  const ObjectMeta metadata = ObjectMeta::of(pod);
  if (metadata.is_being_deleted()) {
    std::int64_t before = metadata.deletion_grace_period_seconds().value_or(0);
    if (before < 0) before = 1;
    if (before == 0) return GracefulDeletion::kOver;
    if (!asked || *asked >= before) return GracefulDeletion::kPending;
    return shorten(pod, before, *asked, now, arena);
  }
  const std::int64_t grace = grace_period_of(pod, asked);
  const std::int64_t generation = metadata.generation();
  set_deletion(pod, later(now, grace), grace, arena);
  if (generation > 0) resource::set_meta(pod, "generation", Value::integer(generation + 1), arena);
  return grace > 0 ? GracefulDeletion::kMarked : GracefulDeletion::kAtOnce;
}

bool goes_without_finalizers(const Value& old) {
  const ObjectMeta metadata = ObjectMeta::of(old);
  return metadata.is_being_deleted() && metadata.deletion_grace_period_seconds().value_or(0) == 0;
}

}  // namespace strake::kinds
