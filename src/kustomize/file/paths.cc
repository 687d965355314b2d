#include "kustomize/file/paths.h"

#include <vector>

namespace strake::kustomize {

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

std::string clean_path(std::string_view path) {
  const bool rooted = is_absolute(path);
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!rooted) {
      parts.push_back(part);
    }
  }
  std::string out(rooted ? "/" : "");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += '/';
    out += parts[i];
  }
  return out.empty() ? "." : out;
}

std::string join_path(std::string_view a, std::string_view b) {
  if (a.empty()) return b.empty() ? std::string() : clean_path(b);
  if (b.empty()) return clean_path(a);
  return clean_path(std::string(a).append(1, '/').append(b));
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return path;
  return path.size() == 1 ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

bool is_in_or_below(std::string_view path, std::string_view folder) {
  if (folder == "/" || path == folder) return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace strake::kustomize
