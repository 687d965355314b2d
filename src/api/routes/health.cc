#include "api/routes/health.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/verbs/respond.h"
#include "base/quote.h"

namespace strake::api {
namespace {

constexpr std::string_view kForInformation = "failed, for information only: reason withheld";

}  // namespace

bool Health::is_health_path(std::string_view path) {
  if (!path.starts_with('/')) return false;
  path.remove_prefix(1);
  const std::string_view name = path.substr(0, path.find('/'));
  return name == "healthz" || name == "livez" || name == "readyz";
}

std::optional<http::Response> Health::serve(std::string_view path, const http::Query& query) const {
  if (!is_health_path(path)) return std::nullopt;
  path.remove_prefix(1);
  const std::size_t slash = path.find('/');
  const std::string_view name = path.substr(0, slash);
  if (slash != std::string_view::npos && slash + 1 < path.size()) {
    const std::string_view wanted = path.substr(slash + 1);
    for (const Check& check : checks_) {
      if (check.name != wanted || (check.for_information && name != "readyz")) continue;
      const Result<> outcome = check.run();
      if (outcome) return text_response(200, "ok");
      if (check.for_information) return text_response(200, std::string(kForInformation));
      return text_response(500,
                           fmt::format("internal server error: {}\n", outcome.error().message()));
    }
    return std::nullopt;
  }
  std::vector<std::string_view> excluded = query.get_all("exclude");
  std::string lines;
  bool good = true;
  for (const Check& check : checks_) {
    if (check.for_information && name != "readyz") continue;
    const auto found = std::find(excluded.begin(), excluded.end(), check.name);
    if (found != excluded.end()) {
      excluded.erase(found);
      lines += fmt::format("[+]{} excluded: ok\n", check.name);
      continue;
    }
    const bool passed = check.run().has_value();
    if (!passed && check.for_information) {
      lines += fmt::format("[+]{} {}\n", check.name, kForInformation);
      continue;
    }
    good = good && passed;
    // What went wrong is in the log: strangers may ask here.
    lines += passed ? fmt::format("[+]{} ok\n", check.name)
                    : fmt::format("[-]{} failed: reason withheld\n", check.name);
  }
  if (!excluded.empty()) {
    std::string unknown;
    for (const std::string_view one : excluded)
      unknown += (unknown.empty() ? "" : ", ") + quote(one);
    lines +=
        fmt::format("warn: some health checks cannot be excluded: no matches for {}\n", unknown);
  }
  if (!good) return text_response(500, fmt::format("{}{} check failed\n", lines, name));
  if (!query.get("verbose")) return text_response(200, "ok");
  return text_response(200, fmt::format("{}{} check passed\n", lines, name));
}

}  // namespace strake::api
