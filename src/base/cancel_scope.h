#pragma once
// For long loops deep inside pure code: whoever starts synchronous work says on whose behalf it is
// done, and the loops ask whether anybody still wants it. One that is told no stops early, with
// whatever it has: the one who opened the scope asks again at the end, and throws the outcome away.
// Of one thread, and never held over a co_await.
//
//   const CancelScope scope(request.cancel, server_stopping);
//   Verdict verdict = validate(object);
//   if (CancelScope::is_cancelled()) return fail(...);
#include "base/cancel.h"

namespace strake {

class [[nodiscard]] CancelScope {
 public:
  // Either of them cancels.
  explicit CancelScope(CancelToken one, CancelToken other = {});
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  // Whether the work that this thread does now is wanted no more; false outside of every scope.
  static bool is_cancelled();

 private:
  CancelToken one_;
  CancelToken other_;
  const CancelScope* outer_;
};

}  // namespace strake
