#pragma once
// Which namespaces there are, and which of them are going away: asked for by every create in one.
#include <optional>
#include <string_view>

#include "api/cache/informer.h"

namespace strake::api {

enum class NamespacePhase { kActive, kTerminating };

class NamespaceInformer final : public Informer<NamespacePhase> {
 public:
  explicit NamespaceInformer(Hub& hub);
  // Nothing when there is no such namespace.
  std::optional<NamespacePhase> phase_of(std::string_view name);
};

}  // namespace strake::api
