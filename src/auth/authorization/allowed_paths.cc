#include "auth/authorization/allowed_paths.h"

#include <algorithm>

namespace strake::auth {
namespace {

std::string_view without_slash(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace

Result<AllowedPaths> AllowedPaths::parse(const std::vector<std::string>& paths) {
  AllowedPaths out;
  for (const std::string& one : paths) {
    std::string_view path = without_slash(one);
    const std::size_t star = path.find('*');
    if (star == std::string_view::npos) {
      out.whole_.emplace_back(path);
    } else if (star + 1 == path.size()) {
      out.prefixes_.emplace_back(path.substr(0, star));
    } else {
      return fail(Code::kInvalid, "a * may only stand at the end of a path, got \"{}\"", one);
    }
  }
  return out;
}

bool AllowedPaths::allow(const api::RequestInfo& request) const {
  if (request.is_resource) return false;
  const std::string_view path = without_slash(request.path);
  return std::ranges::find(whole_, path) != whole_.end() ||
         std::ranges::any_of(prefixes_, [&](const auto& one) { return path.starts_with(one); });
}

}  // namespace strake::auth
