#pragma once
// What the API server decides about an object that is written: metadata that it fills in, wipes,
// carries over from the object that is replaced, counts and refuses, and what becomes of the status
// of custom resources. These rules exist here only: the server, the offline checker and the tests
// that play recordings all call them. Objects are decoded and settled (settle.h), and edited in
// place.
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::resource {

// Sets a member of metadata, making metadata when there is none.
void set_meta(value::Value& object, std::string_view key, value::Value v, Arena& arena);
void remove_meta(value::Value& object, std::string_view key);

// Puts the object into the namespace that the request names, or outside of all when its kind is not
// namespaced. False when the object names another namespace.
[[nodiscard]] bool settle_namespace(value::Value& object, bool namespaced, std::string_view wanted,
                                    Arena& arena);

// Whether the name is to be made from metadata.generateName.
bool needs_generated_name(const value::Value& object);
// The start of generateName that leaves room for a suffix of five characters, with the suffix.
std::string generated_name(std::string_view generate_name, std::string_view suffix);

// Whether the object names the version that it replaces. On a create that is refused, once
// everything else has been accepted and unless it is a dry run.
bool names_resource_version(const value::Value& object);

// What only a server can give to a new object. Where there is none (offline), the fields are left
// out of the object.
struct Birth {
  std::string_view uid = {};
  std::string_view time = {};  // RFC 3339, whole seconds
  bool keeps_generation = false;
};
// Wipes what clients may not say of a new object, and fills in the rest.
void fill_new(value::Value& object, const Birth& birth, Arena& arena);

// Metadata that an update may not change is that of the object it replaces.
void carry_over(value::Value& object, const value::Value& old, Arena& arena);
// Counts the change in metadata.generation: one outside of metadata and of the members that the
// endpoint resets.
void count_change(value::Value& object, const value::Value& old,
                  std::span<const std::string> resets, Arena& arena);

// Custom resources: a status that has an endpoint of its own is written there and nowhere else.
void prepare_create(value::Value& object, bool status_subresource);
void prepare_update(value::Value& object, const value::Value& old, bool status_subresource,
                    Arena& arena);
// A write of that endpoint: takes the status, the owners of fields and the version that is
// replaced; everything else stays as it was.
void prepare_status(value::Value& object, const value::Value& old, Arena& arena);

}  // namespace strake::resource
