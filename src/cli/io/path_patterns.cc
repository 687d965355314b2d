#include "cli/io/path_patterns.h"

#include <fnmatch.h>

#include <algorithm>

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& path) {
  std::vector<std::string> out;
  for (const fs::path& part : path) {
    if (!part.empty() && part != "/" && part != ".") out.push_back(part.string());
  }
  return out;
}

bool matches_name(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

using Parts = std::span<const std::string>;

// Whether the pattern matches the path, or a folder on the way to it.
bool matches_front(Parts pattern, Parts path) {
  if (pattern.empty()) return true;
  if (pattern.front() == "**") {
    // At the end it means everything inside, and not the folder itself.
    if (pattern.size() == 1) return !path.empty();
    for (std::size_t skip = 0; skip <= path.size(); ++skip) {
      if (matches_front(pattern.subspan(1), path.subspan(skip))) return true;
    }
    return false;
  }
  return !path.empty() && matches_name(pattern.front(), path.front()) &&
         matches_front(pattern.subspan(1), path.subspan(1));
}

}  // namespace

PathPatterns::PathPatterns(std::span<const std::string> patterns, const fs::path& folder) {
  for (std::string text : patterns) {
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    if (text.empty()) continue;
    Pattern& pattern = patterns_.emplace_back();
    pattern.anywhere = text.find('/') == std::string::npos && text != "**";
    if (pattern.anywhere) {
      pattern.parts = {text};
    } else {
      pattern.parts = names_in((folder / text).lexically_normal());
    }
  }
}

bool PathPatterns::match(const fs::path& path) const {
  return match(path, names_in(path.lexically_normal()).size());
}

bool PathPatterns::match_last(const fs::path& path) const { return match(path, 1); }

bool PathPatterns::match(const fs::path& path, std::size_t names) const {
  if (patterns_.empty()) return false;
  std::error_code error;
  const std::vector<std::string> parts = names_in(fs::absolute(path, error).lexically_normal());
  const Parts own = Parts(parts).last(std::min(names, parts.size()));
  return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
    if (!pattern.anywhere) return matches_front(pattern.parts, parts);
    return std::ranges::any_of(
        own, [&](const std::string& name) { return matches_name(pattern.parts[0], name); });
  });
}

}  // namespace strake::cli
