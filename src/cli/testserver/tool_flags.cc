#include "cli/testserver/tool_flags.h"

#include <fmt/format.h>

#include <algorithm>

namespace strake::cli {

Result<ToolArguments> ToolArguments::read(std::string_view tool, std::span<const ToolFlag> flags,
                                          std::span<const std::string> args) {
  ToolArguments out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::string_view word = args[i];
    if (!word.starts_with('-')) return fail(Code::kUsage, "unknown command \"{}\"", word);
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto flag = std::ranges::find(flags, name, &ToolFlag::name);
    if (flag == flags.end()) return fail(Code::kUsage, "unknown flag: --{}", name);
    std::string value;
    if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else if (flag->is_switch) {
      value = "true";
    } else if (++i < args.size()) {
      value = args[i];
    } else {
      return fail(Code::kUsage, "flag needs an argument: --{}", name);
    }
    const bool plain = !flag->plain.empty() && value == flag->plain;
    if (flag->use == ToolFlag::Use::kRefused && !plain)
      return fail(Code::kUsage, "--{}={} is not supported by strake as {}", name, value, tool);
    if (flag->use == ToolFlag::Use::kIgnored && !plain)
      out.warnings_.push_back(fmt::format("--{} makes no difference here", name));
    out.values_.emplace(name, std::move(value));
  }
  return out;
}

std::string ToolArguments::text(std::string_view flag, std::string_view fallback) const {
  const auto [begin, end] = values_.equal_range(flag);
  return begin == end ? std::string(fallback) : std::prev(end)->second;
}

std::vector<std::string> ToolArguments::texts(std::string_view flag) const {
  const auto [begin, end] = values_.equal_range(flag);
  std::vector<std::string> out;
  for (auto at = begin; at != end; ++at) out.push_back(at->second);
  return out;
}

std::string list_flags(std::span<const ToolFlag> flags) {
  std::string out;
  for (const ToolFlag& flag : flags) {
    if (flag.use != ToolFlag::Use::kRefused)
      out += fmt::format("      --{}{}\n", flag.name, flag.is_switch ? "" : " string");
  }
  return out;
}

}  // namespace strake::cli
