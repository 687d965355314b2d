#pragma once
// Flags of other tools (kube-apiserver, etcd) as test harnesses pass them: --name=value, --name
// value, and --name alone for switches; etcd takes one dash as well. Each flag that the tool has is
// known by name: what is used, what cannot matter to tests, and what would change the meaning.
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cli {

struct ToolFlag {
  enum class Use : std::uint8_t {
    kUsed,
    kIgnored,  // with a warning, unless the value is `plain`
    kRefused,  // unless the value is `plain`
  };
  std::string_view name;
  Use use = Use::kIgnored;
  bool is_switch = false;
  std::string_view plain = {};  // the value that asks for what is done anyway
};

class ToolArguments {
 public:
  // Fails with kUsage in the words of kube-apiserver 1.36 for flags that the tool does not have,
  // and in our own for those that are refused.
  static Result<ToolArguments> read(std::string_view tool, std::span<const ToolFlag> flags,
                                    std::span<const std::string> args);

  bool given(std::string_view flag) const { return values_.contains(flag); }
  // The last one, or the fallback.
  std::string text(std::string_view flag, std::string_view fallback = {}) const;
  std::vector<std::string> texts(std::string_view flag) const;
  // What is not done, a line for each flag.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::multimap<std::string, std::string, std::less<>> values_;
  std::vector<std::string> warnings_;
};

// A line for each flag, as the help of these tools has them: harnesses look for flags there.
std::string list_flags(std::span<const ToolFlag> flags);

}  // namespace strake::cli
