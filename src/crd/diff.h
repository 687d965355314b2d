#pragma once
// What changes for users when one CRD takes the place of another, found by walking both schemas.
// docs/crd-diff.md says how each change is judged.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "crd/crd.h"
#include "crd/rule_compiler.h"

namespace strake::crd {

enum class Impact : std::uint8_t {
  kSafe,       // every object that was valid is valid, and means the same
  kRatcheted,  // new values are held to more; old ones are tolerated as long as they do not change
  kBreaking,   // objects, clients or the update itself may fail, or data is lost
};
std::string_view to_string(Impact impact);  // "safe", "ratcheted", "breaking"

struct Change {
  Impact impact = Impact::kSafe;
  std::string_view code;  // stable, for machines: "enum-narrowed"
  std::string version;    // whose schema it is in; empty when it is about the CRD
  std::string field;      // in an object: ".spec.env[].name", "." for all of it; empty likewise
  std::string message;    // "maximum lowered from 10 to 5"
  // Where it stands: in the new CRD, or in the old one when it is gone.
  FieldPath path;
  bool in_old = false;
};

// First what is about the CRD, then version by version in the new order, removed versions last.
// Prose (titles, descriptions, examples) and printer columns do not count as changes.
std::vector<Change> diff(const Crd& old, const Crd& next);

// Why the server would refuse to put the new CRD in the old one's place, or to create it when there
// is none: breaking changes with the code "crd-invalid". Both as Crd::read gave them. Without a
// compiler, rules are checked for form only.
std::vector<Change> refusals(const Crd* old, const Crd& next, RuleCompiler* compiler);

}  // namespace strake::crd
