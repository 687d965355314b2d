#pragma once
// Which kinds live in a namespace, as far as the schemas of the build know.
#include <string_view>

namespace strake::kustomize {

class Scopes {
 public:
  virtual ~Scopes() = default;
  // False for kinds that nothing is known of. Asking may load a schema.
  virtual bool is_cluster_scoped(std::string_view api_version, std::string_view kind) = 0;
};

}  // namespace strake::kustomize
