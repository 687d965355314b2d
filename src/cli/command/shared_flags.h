#pragma once
// Flags and habits that several commands share.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/args.h"
#include "cli/command/report.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

// -o, --output. The choices are in the order of an enumeration.
constexpr FlagSpec output_flag(std::string_view summary,
                               std::span<const std::string_view> choices = kReportFormats) {
  return {.name = "output",
          .letter = 'o',
          .kind = FlagKind::kChoice,
          .value_name = "FORMAT",
          .choices = choices,
          .fallback = "text",
          .summary = summary};
}

constexpr FlagSpec choice_flag(std::string_view name, std::string_view value_name,
                               std::span<const std::string_view> choices, std::string_view fallback,
                               std::string_view summary) {
  return {.name = name,
          .kind = FlagKind::kChoice,
          .value_name = value_name,
          .choices = choices,
          .fallback = fallback,
          .summary = summary};
}

constexpr FlagSpec count_flag(std::string_view name, std::string_view fallback,
                              std::string_view summary) {
  return {.name = name,
          .kind = FlagKind::kCount,
          .value_name = "N",
          .fallback = fallback,
          .summary = summary};
}

constexpr FlagSpec bytes_flag(std::string_view name, std::string_view fallback,
                              std::string_view summary) {
  return {.name = name,
          .kind = FlagKind::kBytes,
          .value_name = "SIZE",
          .fallback = fallback,
          .summary = summary};
}

inline constexpr FlagSpec kMaxDepthFlag =
    count_flag("max-depth", "10000", "refuse documents nested deeper");
// Of commands that may be given more than the machine can hold; the others have its default.
inline constexpr FlagSpec kMaxMemoryFlag =
    bytes_flag("max-memory", "4Gi", "stop when more memory would be needed; 0 means no limit");
inline constexpr OperandSpec kFileOperands{
    .usage = "[FILE|DIR|-]...", .at_most = kAnyNumber, .files = true};

// The enumerator that stands where the value stands among the choices.
template <typename Enum>
Enum chosen(const Arguments& args, std::string_view flag,
            std::span<const std::string_view> choices) {
  return static_cast<Enum>(std::ranges::find(choices, args.text(flag)) - choices.begin());
}

// The operands, or "-" when there are none. Code::kUsage when that would wait for a person to type.
Result<std::vector<std::string>> inputs_or_stdin(const Arguments& args, const Io& io);

// Says why the command cannot go on: something that it was given cannot be used.
ExitCode refused(const Error& error, Io& io);
// The same, with the code that fits the error: somebody else may have refused.
ExitCode failed(const Error& error, Io& io);

}  // namespace strake::cli
