#pragma once
// Built-in resources from what differs between them: all else follows from the declared type.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/describe.h"
#include "kinds/resource.h"

namespace strake::kinds {

// What an object can be asked for, in the order of discovery.
extern const std::vector<Verb> kObjectVerbs;

struct ResourceEntry {
  std::string_view type;  // full name
  std::string plural;
  const BuiltinStrategy* strategy = nullptr;
  bool namespaced = true;
  std::vector<std::string> short_names{};
  std::vector<std::string> categories{};
  bool keeps_generation = false;
  bool unconditional_update = false;
  bool create_on_update = false;
  bool returns_deleted = false;
  std::optional<Review> review{};
  std::string storage_folder{};  // the plural unless given
  std::vector<Subresource> subresources{};
  std::vector<Verb> verbs = kObjectVerbs;
};

std::shared_ptr<Resource> make_resource(ResourceEntry entry);

// `resets` are the members of the object that a write of its status leaves alone.
Subresource status_subresource(const Type& type, std::vector<std::string> resets);
// autoscaling/v1 Scale.
Subresource scale_subresource();

}  // namespace strake::kinds
