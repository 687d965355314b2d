#include "ops/kom/ref_base.h"

#include "kustomize/file/paths.h"

namespace strake::ops {

std::string ref_base_of_file(std::string_view path) {
  std::string folder(kustomize::folder_of(path));
  if (!folder.ends_with('/')) folder += '/';
  return "file://" + folder;
}

}  // namespace strake::ops
