#include "ops/kom/local_references.h"

#include <algorithm>

#include "base/quote.h"
#include "kustomize/file/paths.h"

namespace strake::ops {
namespace {

constexpr std::string_view kFileBase = "file://";
constexpr std::string_view kFilePrefix = "file:";

bool leads_upwards(std::string_view path) {
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (path.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::string ref_base_of_file(std::string_view path) {
  std::string folder(kustomize::folder_of(path));
  if (!folder.ends_with('/')) folder += '/';
  return std::string(kFileBase) + folder;
}

std::optional<std::string_view> file_reference(std::string_view compose) {
  if (!compose.starts_with(kFilePrefix) || compose.contains('\n')) return {};
  return compose.substr(kFilePrefix.size());
}

provider::Outcome<std::string> local_reference(std::string_view ref_base, std::string_view path) {
  using provider::FailureClass;
  if (!ref_base.starts_with(kFileBase))
    return provider::refuse(FailureClass::kValidation,
                            "local file {} cannot be used: only an app that the app file declares "
                            "may refer to files",
                            quote(path));
  if (path.empty() || kustomize::is_absolute(path) || leads_upwards(path) || path.contains('\0'))
    return provider::refuse(FailureClass::kValidation,
                            "local file {} must be a relative path without \"..\"", quote(path));
  return kustomize::join_path(ref_base.substr(kFileBase.size()), path);
}

}  // namespace strake::ops
