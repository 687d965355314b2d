#pragma once
// Patterns that name files and folders to leave out, as .gitignore has them: without a slash a
// pattern means a file or folder of that name anywhere, with one a path from the pattern's own
// folder. * and ? stay within a name, ** crosses folders. What lies below a folder that matches is
// out as well.
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace strake::cli {

class PathPatterns {
 public:
  PathPatterns() = default;
  // Paths with a slash start at `folder`, which is absolute.
  PathPatterns(std::span<const std::string> patterns, const std::filesystem::path& folder);

  bool empty() const { return patterns_.empty(); }
  // A path from the working folder, or an absolute one. A walk that has looked at the folders on
  // the way asks for the last name alone.
  bool match(const std::filesystem::path& path) const;
  bool match_last(const std::filesystem::path& path) const;

 private:
  struct Pattern {
    bool anywhere = false;           // one name, wherever it stands
    std::vector<std::string> parts;  // of an absolute path otherwise
  };
  bool match(const std::filesystem::path& path, std::size_t names) const;

  std::vector<Pattern> patterns_;
};

}  // namespace strake::cli
