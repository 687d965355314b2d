#pragma once
// Which admission plugins a server asks.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::admission {

// The plugins that a server asks, by the names of --enable-admission-plugins and
// --disable-admission-plugins of kube-apiserver 1.36.
class PluginChoice {
 public:
  PluginChoice() = default;  // all of them
  // Fails with kUsage for names that are no plugins, and for plugins that Strake does not have or
  // cannot leave out.
  static Result<PluginChoice> parse(std::span<const std::string> enabled,
                                    std::span<const std::string> disabled);

  bool has(std::string_view name) const;

 private:
  std::vector<std::string> disabled_;
};

}  // namespace strake::admission
