#pragma once
// Making the opaque values of Kubernetes' libraries in the evaluation's arena.
#include <type_traits>
#include <utility>

#include "base/arena.h"
#include "cel/value/value.h"

namespace strake::cel {

template <typename T, typename... Args>
Value new_object(Arena& arena, Args&&... args) {
  static_assert(std::is_trivially_destructible_v<T>);
  return Value::object(new (arena.allocate(sizeof(T))) T(std::forward<Args>(args)...));
}

}  // namespace strake::cel
