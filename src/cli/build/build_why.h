#pragma once
// Answers about where the fields of a build's result come from.
#include <string>
#include <string_view>

#include "base/result.h"
#include "kustomize/build.h"

namespace strake::cli {

// All fields of all resources, with who set them.
std::string render_provenance(const kustomize::BuildResult& result);

// `resource` is kind/name, in any case, or namespace/kind/name; `field` a path like
// .spec.containers[0].image. Code::kUsage when there is no such resource, several, or no such
// field.
Result<std::string> explain_field(const kustomize::BuildResult& result, std::string_view resource,
                                  std::string_view field);

// A file as seen from the current folder, when it is near.
std::string shown_file(const std::string& file);

}  // namespace strake::cli
