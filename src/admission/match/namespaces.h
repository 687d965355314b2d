#pragma once
// Namespaces by name, for selectors of their labels and for expressions that look at them.
#include <string_view>

#include "api/cache/hub.h"

namespace strake::admission {

class Namespaces {
 public:
  virtual ~Namespaces() = default;
  // Null when there is none. May be called from any thread.
  virtual api::ObjectPtr find(std::string_view name) const = 0;
};

class StoredNamespaces final : public Namespaces {
 public:
  // The hub must outlive it.
  explicit StoredNamespaces(api::Hub& hub);
  api::ObjectPtr find(std::string_view name) const override;

 private:
  const api::ResourceCache& cache_;
};

}  // namespace strake::admission
