#include "api/filters/exposure.h"

#include "api/verbs/respond.h"

namespace strake::api {
namespace {

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

Passage ExposureStage::enter(Call& call) {
  if (exposure_.is_whole(call.request)) return {};
  call.narrowed = true;
  const std::string_view path = call.info.path;
  const bool hidden = call.info.is_resource ? !exposure_.shows(call.info.group)
                      : is_below(path, "/api")
                          ? !exposure_.shows("")
                          : is_below(path, "/openid") || is_below(path, "/.well-known");
  if (hidden) return not_found_page();
  return {};
}

}  // namespace strake::api
