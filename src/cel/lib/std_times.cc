// Parts of timestamps and durations.
#include <fmt/format.h>

#include "cel/lib/std_library.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

template <auto Part>
Value timestamp_part(EvalContext& c, Args x) {
  Instant t = x[0].as_timestamp();
  if (x.size() == 2) {
    const auto offset = zone_offset(x[1].as_text(), t.seconds);
    if (!offset) return c.error(fmt::format("unknown time zone {}", x[1].as_text()));
    t.seconds += *offset;
  }
  return Value::integer(Part(to_civil(t.seconds), t));
}

std::int64_t year(const Civil& c, Instant) { return c.year; }
std::int64_t month(const Civil& c, Instant) { return c.month - 1; }
std::int64_t date(const Civil& c, Instant) { return c.day; }
std::int64_t day_of_month(const Civil& c, Instant) { return c.day - 1; }
std::int64_t day_of_week(const Civil& c, Instant) { return c.day_of_week; }
std::int64_t day_of_year(const Civil& c, Instant) { return c.day_of_year; }
std::int64_t hours(const Civil& c, Instant) { return c.hour; }
std::int64_t minutes(const Civil& c, Instant) { return c.minute; }
std::int64_t seconds(const Civil& c, Instant) { return c.second; }
std::int64_t milliseconds(const Civil&, Instant t) { return t.nanoseconds / 1'000'000; }

template <auto Part>
void declare_part(Library& library, std::string_view function, std::string_view id) {
  library.function(function)
      .member(id, {&types::timestamp}, &types::integer, timestamp_part<Part>)
      .member(fmt::format("{}_with_tz", id), {&types::timestamp, &types::string}, &types::integer,
              timestamp_part<Part>);
}

// A duration counted in whole units.
template <std::int64_t Unit>
Value duration_in(EvalContext&, Args x) {
  return Value::integer(x[0].as_duration() / Unit);
}

template <std::int64_t Unit>
void declare_unit(Library& library, std::string_view function, std::string_view id) {
  library.function(function).member(id, {&types::duration}, &types::integer, duration_in<Unit>);
}

}  // namespace

void declare_time_functions(Library& library) {
  declare_part<year>(library, "getFullYear", "timestamp_to_year");
  declare_part<month>(library, "getMonth", "timestamp_to_month");
  declare_part<date>(library, "getDate", "timestamp_to_day_of_month_1_based");
  declare_part<day_of_month>(library, "getDayOfMonth", "timestamp_to_day_of_month");
  declare_part<day_of_week>(library, "getDayOfWeek", "timestamp_to_day_of_week");
  declare_part<day_of_year>(library, "getDayOfYear", "timestamp_to_day_of_year");
  declare_part<hours>(library, "getHours", "timestamp_to_hours");
  declare_part<minutes>(library, "getMinutes", "timestamp_to_minutes");
  declare_part<seconds>(library, "getSeconds", "timestamp_to_seconds");
  declare_part<milliseconds>(library, "getMilliseconds", "timestamp_to_milliseconds");
  declare_unit<3600 * kNanosPerSecond>(library, "getHours", "duration_to_hours");
  declare_unit<60 * kNanosPerSecond>(library, "getMinutes", "duration_to_minutes");
  declare_unit<kNanosPerSecond>(library, "getSeconds", "duration_to_seconds");
  declare_unit<1'000'000>(library, "getMilliseconds", "duration_to_milliseconds");
}

}  // namespace strake::cel
