#pragma once
// The entries of metadata.managedFields, read and written.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "patch/field_set.h"
#include "value/value.h"

namespace strake::patch {

// Who owns which fields. Texts live in an arena.
struct Owner {
  std::string_view manager;
  bool applied = false;  // by server-side apply
  std::string_view api_version;
  std::string_view subresource;
  std::string_view time;  // RFC 3339; empty when there is none
  FieldSet fields;

  // Two entries with one identity are one. The version counts only for updates: what is applied is
  // one whole, whatever version it was last applied in.
  bool same_as(const Owner& other) const;
  // The identity as kube-apiserver 1.36 writes it, which is what it sorts by.
  std::string identity() const;
  std::int64_t seconds() const;  // of the time; 0 when there is none
};
using Owners = std::vector<Owner>;

// Of canonical metadata.managedFields; null when there are none. Of entries with one identity the
// last counts. Fails with kInvalid when any of them cannot be read.
Result<Owners> read_owners(const value::Value* managed_fields, Arena& arena);
// In the order of the API: by operation, time, manager, version and subresource.
value::Value write_owners(Owners owners, Arena& arena);

Owner* find_owner(Owners& owners, const Owner& like);
void remove_owner(Owners& owners, const Owner& like);

}  // namespace strake::patch
