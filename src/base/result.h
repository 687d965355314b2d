#pragma once
// Result<T> is what a call that can fail returns. STRAKE_TRY hands an error up:
//
//   Result<std::int64_t> read_replicas(const Value& spec, const FieldPath& at) {
//     STRAKE_TRY(std::int64_t n, read_int(spec, "replicas", at));
//     if (n < 0) return fail(Code::kInvalid, at / "replicas", "must be at least 0, got {}", n);
//     return n;
//   }
#include <expected>
#include <string>
#include <utility>

#include "base/error.h"

namespace strake {

template <typename T = void>
using Result = std::expected<T, Error>;

template <typename... Args>
std::unexpected<Error> fail(Code code, fmt::format_string<Args...> format, Args&&... args) {
  return std::unexpected(Error(code, fmt::format(format, std::forward<Args>(args)...)));
}

template <typename... Args>
std::unexpected<Error> fail(Code code, FieldPath path, fmt::format_string<Args...> format,
                            Args&&... args) {
  return std::unexpected(
      Error(code, fmt::format(format, std::forward<Args>(args)...)).at(std::move(path)));
}

template <typename... Args>
std::unexpected<Error> fail(Code code, Position position, fmt::format_string<Args...> format,
                            Args&&... args) {
  return std::unexpected(
      Error(code, fmt::format(format, std::forward<Args>(args)...)).at(position));
}

}  // namespace strake

#define STRAKE_CONCAT_INNER(a, b) a##b
#define STRAKE_CONCAT(a, b) STRAKE_CONCAT_INNER(a, b)

// STRAKE_TRY(decl, expr): declares decl from the value of expr, or returns its error.
#define STRAKE_TRY(decl, ...) \
  STRAKE_TRY_IMPL(STRAKE_CONCAT(strake_result_, __COUNTER__), decl, return, __VA_ARGS__)
#define STRAKE_CO_TRY(decl, ...) \
  STRAKE_TRY_IMPL(STRAKE_CONCAT(strake_result_, __COUNTER__), decl, co_return, __VA_ARGS__)
#define STRAKE_TRY_IMPL(result, decl, leave, ...)     \
  auto result = (__VA_ARGS__);                        \
  if (!result) [[unlikely]]                           \
    leave std::unexpected(std::move(result).error()); \
  decl = *std::move(result)

// STRAKE_CHECK(expr): the same for a Result<> whose value is not needed.
#define STRAKE_CHECK(...) \
  STRAKE_CHECK_IMPL(STRAKE_CONCAT(strake_result_, __COUNTER__), return, __VA_ARGS__)
#define STRAKE_CO_CHECK(...) \
  STRAKE_CHECK_IMPL(STRAKE_CONCAT(strake_result_, __COUNTER__), co_return, __VA_ARGS__)
#define STRAKE_CHECK_IMPL(result, leave, ...)            \
  if (auto result = (__VA_ARGS__); !result) [[unlikely]] \
  leave std::unexpected(std::move(result).error())
