#pragma once
// The inputs (or outputs) of a component as a structural schema. What cannot be said in one is left
// out and told; what may not be left out is an error.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "pulumi/package.h"
#include "value/value.h"

namespace strake::pulumi {

// Bounds on what one component may become; past them it is "schema too large".
inline constexpr std::size_t kMaxSchemaDepth = 200;
inline constexpr std::size_t kMaxSchemaNodes = 100'000;

enum class Unions : std::uint8_t {
  kSkip,
  kIntOrString,  // one type and enums of it, or numbers with strings
  kStructural,   // besides, objects merged under conditions that tell the branches apart
  kAny,          // anything goes
};

struct TranslateOptions {
  Unions unions = Unions::kSkip;
  bool const_as_enum = false;
  bool any_untyped = false;       // pulumi.json#/Any and #/Json admit scalars too
  bool list_types = false;        // x-kubernetes-list-type where the schema suggests one
  bool transition_rules = false;  // fields whose change replaces the resource may not change
};

// Something left out, and why.
struct Skip {
  std::string path;  // spec.list[]
  std::string reason;
  bool operator==(const Skip&) const = default;
};

struct Skips {
  std::vector<Skip> list;  // sorted when translation is over, also when it failed
  std::size_t untold = 0;  // more of them than a list can hold
};

// {type: object, properties, required?} in the arena; strings point into the package. Fails with
// Code::kUnsupported for what may not be skipped (exit 3), Code::kInvalid when nothing is left.
Result<value::Value> translate_inputs(const Package& package, std::string_view component,
                                      const TranslateOptions& options, Arena& arena, Skips& skips);
// The same for what the component gives back; nothing in it is required, and nothing left is an
// object of anything.
Result<value::Value> translate_outputs(const Package& package, std::string_view component,
                                       const TranslateOptions& options, Arena& arena, Skips& skips);

}  // namespace strake::pulumi
