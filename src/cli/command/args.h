#pragma once
// Flags and operands: described as data, parsed into values. The parsing library is seen by args.cc
// only.
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cli {

enum class FlagKind : std::uint8_t {
  kSwitch,  // on when given; --flag=false turns it off
  kText,
  kTexts,   // may be given several times, and all values count
  kChoice,  // one of `choices`
  kCount,   // a whole number, not negative
  kBytes,   // a whole number of bytes, or with a suffix: 64Ki, 10M
};

struct FlagSpec {
  std::string_view name;  // without the dashes
  char letter = '\0';     // short form, if there is one
  FlagKind kind = FlagKind::kSwitch;
  std::string_view value_name;  // FORMAT; empty for switches
  std::span<const std::string_view> choices;
  std::string_view fallback;  // the value when the flag is not given; empty when there is none
  std::string_view summary;   // no full stop
};

struct OperandSpec {
  std::string_view usage;  // "[FILE|DIR|-]..."
  std::size_t at_least = 0;
  std::size_t at_most = 0;
  bool files = false;                         // for completion
  std::span<const std::string_view> choices;  // when only these make sense
};
inline constexpr std::size_t kAnyNumber = SIZE_MAX;

// Asking for a flag that the specification does not name is our own mistake, and ends the process.
class Arguments {
 public:
  bool given(std::string_view flag) const;
  bool on(std::string_view flag) const;                // kSwitch
  std::string_view text(std::string_view flag) const;  // kText, kChoice: the value or the fallback
  const std::vector<std::string>& texts(std::string_view flag) const;  // kTexts, in their order
  std::uint64_t number(std::string_view flag) const;                   // kCount, kBytes: likewise
  const std::vector<std::string>& operands() const { return operands_; }

  // Flags that are not given here, but there, are those from there. Both know the same flags.
  void fill_from(const Arguments& others);
  // The flags that two know and that differ in their values, whether given or not.
  std::vector<std::string> differences(const Arguments& others) const;

 private:
  friend Result<Arguments> parse_arguments(std::span<const FlagSpec>, const OperandSpec&,
                                           std::span<const std::string>);
  struct Parsed {
    bool given = false;
    bool on = false;
    std::string text;
    std::vector<std::string> texts;
    std::uint64_t number = 0;
    bool same_value(const Parsed& other) const {
      return on == other.on && text == other.text && texts == other.texts;
    }
  };
  const Parsed& find(std::string_view flag) const;

  std::map<std::string, Parsed, std::less<>> flags_;
  std::vector<std::string> operands_;
};

// Code::kUsage, saying what was meant where that can be guessed. The last of several equal flags
// wins, except for kTexts; after `--` everything is an operand.
Result<Arguments> parse_arguments(std::span<const FlagSpec> flags, const OperandSpec& operands,
                                  std::span<const std::string> args);

// `: did you mean "fmt"?`, or nothing when no candidate is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace strake::cli
