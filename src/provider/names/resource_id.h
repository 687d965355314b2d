#pragma once
// Resource IDs, which declared documents are known by: /ws/<workspace>/prv/<provider>/cls/<cluster>
// /app/<app>/box/<box>, from the left as far as the kind goes. An object of this class is always a
// whole chain of good names.
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "provider/failure.h"

namespace strake::provider {

class ResourceId {
 public:
  // Fails with kValidation, in the words of Kompox.
  static Outcome<ResourceId> parse(std::string_view text);

  std::string_view kind() const;        // "Workspace", "Provider", "Cluster", "App", "Box"
  std::string_view short_kind() const;  // "ws", "prv", "cls", "app", "box"
  std::string_view name() const;        // of the object itself
  // That of the object or of one that it belongs to; empty when it has none of that kind.
  std::string_view name_of(std::string_view short_kind) const;
  // Empty for a workspace.
  std::string_view parent() const;
  const std::string& text() const { return text_; }

  // Whether a document of that kind and metadata.name may have this ID. Fails with kValidation.
  Outcome<> check_document(std::string_view kind, std::string_view name) const;

  friend auto operator<=>(const ResourceId& a, const ResourceId& b) { return a.text_ <=> b.text_; }
  friend bool operator==(const ResourceId& a, const ResourceId& b) { return a.text_ == b.text_; }

 private:
  ResourceId() = default;

  struct Part {  // of text_
    std::size_t at = 0;
    std::size_t size = 0;
  };
  std::string text_;
  std::vector<Part> names_;  // one for each kind of the chain
};

}  // namespace strake::provider
