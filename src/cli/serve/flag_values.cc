#include "cli/serve/flag_values.h"

#include <algorithm>

#include "base/go_duration.h"
#include "base/trim.h"

namespace strake::cli {

std::vector<std::string> read_list(const Arguments& args, std::string_view flag) {
  std::vector<std::string> out;
  for (const std::string& given : args.texts(flag)) {
    std::string_view rest = given;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (const std::string_view one = trim(rest.substr(0, comma)); !one.empty())
        out.emplace_back(one);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return out;
}

Result<std::chrono::nanoseconds> parse_time(const Arguments& args, std::string_view flag) {
  const auto time = parse_go_duration(args.text(flag));
  if (!time || time->count() < 0)
    return fail(Code::kUsage, "--{} wants a duration such as 30s, got \"{}\"", flag,
                args.text(flag));
  return *time;
}

}  // namespace strake::cli
