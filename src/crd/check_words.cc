#include "crd/check_words.h"

#include <array>
#include <iterator>

#include "base/same_text.h"

namespace strake::crd {
namespace {

struct Name {
  std::string_view text;
  Word word;
};

// Sorted by length: a lookup compares only names as long as the one it looks for.
constexpr Name kNames[] = {
    {"id", Word::kId},
    {"not", Word::kNot},
    {"type", Word::kType},
    {"$ref", Word::kRef},
    {"items", Word::kItems},
    {"title", Word::kTitle},
    {"allOf", Word::kAllOf},
    {"anyOf", Word::kAnyOf},
    {"oneOf", Word::kOneOf},
    {"$schema", Word::kSchemaUrl},
    {"default", Word::kDefault},
    {"pattern", Word::kPattern},
    {"nullable", Word::kNullable},
    {"properties", Word::kProperties},
    {"description", Word::kDescription},
    {"definitions", Word::kDefinitions},
    {"uniqueItems", Word::kUniqueItems},
    {"dependencies", Word::kDependencies},
    {"additionalItems", Word::kAdditionalItems},
    {"patternProperties", Word::kPatternProperties},
    {"additionalProperties", Word::kAdditionalProperties},
    {"x-kubernetes-map-type", Word::kMapType},
    {"x-kubernetes-list-type", Word::kListType},
    {"x-kubernetes-validations", Word::kValidations},
    {"x-kubernetes-list-map-keys", Word::kListMapKeys},
    {"x-kubernetes-int-or-string", Word::kIntOrString},
    {"x-kubernetes-embedded-resource", Word::kEmbeddedResource},
    {"x-kubernetes-preserve-unknown-fields", Word::kPreserveUnknown},
};

constexpr std::size_t kLongest = std::end(kNames)[-1].text.size();

// For each length, the first name of that length.
constexpr auto kFirstOfLength = [] {
  std::array<std::uint8_t, kLongest + 2> first{};
  std::size_t at = 0;
  for (std::size_t length = 0; length < first.size(); ++length) {
    while (at < std::size(kNames) && kNames[at].text.size() < length) ++at;
    first[length] = static_cast<std::uint8_t>(at);
  }
  return first;
}();

Word word_of(std::string_view key) {
  if (key.size() > kLongest) return Word::kOther;
  for (std::size_t i = kFirstOfLength[key.size()]; i < kFirstOfLength[key.size() + 1]; ++i) {
    // The first letter tells most of them apart without a call.
    if (kNames[i].text[0] == key[0] && same_text(kNames[i].text, key)) return kNames[i].word;
  }
  return Word::kOther;
}

}  // namespace

Words Words::of(const value::Value& schema) {
  Words out;
  if (!schema.is_object()) return out;
  for (const value::Member& member : schema.members()) out = out | word_of(member.key);
  return out;
}

}  // namespace strake::crd
