#pragma once
// What became of each part of an object on its way in: was it sent, was it null, did a default take
// its place. Keys that were pruned have no entry.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::validate {

struct Presence {
  std::string pointer;  // RFC 6901, in the object: "" is the object itself
  bool seen = false;
  bool was_null = false;
  bool default_applied = false;
  friend bool operator==(const Presence&, const Presence&) = default;
};

// Pointers on whose segments a selection ends: /spec/a selects /spec/a/b, and not /spec/ab.
struct PresenceOptions {
  bool on = false;
  std::vector<std::string> include;  // none means everything
  std::vector<std::string> exclude;  // wins
  bool selects(std::string_view pointer) const;
};
// Code::kUsage when a prefix is no JSON pointer.
Result<> check_prefixes(const PresenceOptions& options);

// Whether a null that was sent at the path, and is gone, is one that the schema knows: its key was
// not pruned.
using KnownNull = std::function<bool(const FieldPath&)>;

// In document order. `settled` is what `sent` became, with the defaults. False when there was too
// much to list: what is there then is the beginning.
bool presence_of(const value::Value& sent, const value::Value& settled, const KnownNull& known_null,
                 const PresenceOptions& options, std::vector<Presence>& out);

// The places where defaults stand in `settled` that were not sent: the outermost of each.
std::vector<std::string> defaulted_places(const value::Value& sent, const value::Value& settled);

// What was sent, without the keys that were pruned: defaults vanish, nulls stay. Text is not
// copied.
value::Value preserved(const value::Value& sent, const value::Value& settled,
                       const KnownNull& known_null, Arena& arena);

}  // namespace strake::validate
