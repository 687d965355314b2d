#pragma once
// The seam between a driver and everything outside of its process: files, processes, requests. A
// driver takes each step through external(), so one place hears cancellation, keeps dry runs from
// writing, and can be told of each step before and after it. Tests fail steps here, cut them off or
// count them; direct_calls() lets all pass.
//
//   STRAKE_TRY(std::string text, external(calls, call, {"read", path}, [&] { return read(path);
//   })); STRAKE_CHECK(external(calls, call, {"PUT", url, Effect::kWrite}, [&] { return put(url);
//   }));
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.h"
#include "provider/call.h"

namespace strake::provider {

enum class Effect : std::uint8_t {
  kRead,
  kWrite,  // what is out there differs afterwards
};

struct ExternalStep {
  std::string_view verb;    // "rename", "start", "PATCH"
  std::string_view target;  // a path, or that of a URL without its query: never a secret
  Effect effect = Effect::kRead;
};

// May be called from any thread that makes calls of a driver.
class ExternalCalls {
 public:
  virtual ~ExternalCalls() = default;
  // A failure is that of the step, which is then not taken.
  virtual Outcome<> before(const Call& call, const ExternalStep& step) = 0;
  // The step was taken, and went well. A failure hides that: the answer was lost on its way.
  virtual Outcome<> after(const Call& call, const ExternalStep& step) = 0;
};

// Of the process itself: nothing stands between.
ExternalCalls& direct_calls();

// Whether the step may be taken now. Fails with kCanceled, kTimeout, and kInternal for a write in a
// dry run, which is a mistake of the driver.
Outcome<> check_step(const Call& call, const ExternalStep& step);

// Takes one step: `work` gives a Result or an Outcome.
template <typename Work>
auto external(ExternalCalls& calls, const Call& call, const ExternalStep& step, Work&& work)
    -> Outcome<typename std::invoke_result_t<Work>::value_type> {
  STRAKE_CHECK(check_step(call, step));
  STRAKE_CHECK(calls.before(call, step));
  Outcome<typename std::invoke_result_t<Work>::value_type> out = std::forward<Work>(work)();
  if (out) STRAKE_CHECK(calls.after(call, step));
  return out;
}

}  // namespace strake::provider
