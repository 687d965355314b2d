#pragma once
// The keywords of a JSON schema as a set of bits. Most schemas have two or three of forty: one look
// at the members tells a walk which of its many checks have anything to look at.
#include <cstdint>
#include <string_view>

#include "value/value.h"

namespace strake::crd {

enum class Word : std::uint8_t {
  kRef,
  kSchemaUrl,
  kAdditionalItems,
  kAdditionalProperties,
  kAllOf,
  kAnyOf,
  kDefault,
  kDefinitions,
  kDependencies,
  kDescription,
  kId,
  kItems,
  kNot,
  kNullable,
  kOneOf,
  kPattern,
  kPatternProperties,
  kProperties,
  kTitle,
  kType,
  kUniqueItems,
  kEmbeddedResource,
  kIntOrString,
  kListMapKeys,
  kListType,
  kMapType,
  kPreserveUnknown,
  kValidations,
  kOther,  // of no interest to the checks
};

class Words {
 public:
  constexpr Words() = default;
  constexpr Words(Word word) : bits_(std::uint64_t{1} << static_cast<unsigned>(word)) {}
  // Those of a schema; none when it is no object.
  static Words of(const value::Value& schema);

  constexpr bool has(Word word) const { return any(Words(word)); }
  constexpr bool any(Words other) const { return (bits_ & other.bits_) != 0; }
  friend constexpr Words operator|(Words a, Words b) {
    Words out;
    out.bits_ = a.bits_ | b.bits_;
    return out;
  }

 private:
  std::uint64_t bits_ = 0;
};

constexpr Words operator|(Word a, Word b) { return Words(a) | Words(b); }

// The junctors, inside of which other rules hold.
inline constexpr Words kJunctors = Word::kAllOf | Word::kAnyOf | Word::kOneOf | Word::kNot;

}  // namespace strake::crd
