#pragma once
// What the flags of `serve` have in common: values of some kinds, and groups of flags that stand in
// files of their own.
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"

namespace strake::cli {

inline constexpr std::string_view kTruths[] = {"true", "false"};

// "a,b" and repeated flags are one list.
std::vector<std::string> read_list(const Arguments& args, std::string_view flag);
// Not less than zero. Code::kUsage.
Result<std::chrono::nanoseconds> parse_time(const Arguments& args, std::string_view flag);

template <std::size_t... N>
constexpr std::array<FlagSpec, (N + ...)> joined_flags(const FlagSpec (&... groups)[N]) {
  std::array<FlagSpec, (N + ...)> out{};
  std::size_t at = 0;
  const auto add = [&](const auto& group) {
    for (const FlagSpec& one : group) out[at++] = one;
  };
  (add(groups), ...);
  return out;
}

// For a section of the help.
template <std::size_t N>
constexpr std::array<std::string_view, N> flag_names(const FlagSpec (&group)[N]) {
  std::array<std::string_view, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = group[i].name;
  return out;
}

}  // namespace strake::cli
