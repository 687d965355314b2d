#pragma once
// The walk behind translate.h: one translator for one schema.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "pulumi/package.h"
#include "pulumi/translate.h"
#include "value/value.h"

namespace strake::pulumi {

// Work on what is skipped in the end counts too, though not as much as what is written.
inline constexpr std::size_t kMaxVisits = 400'000;
inline constexpr std::string_view kTooLarge = "schema too large";

class Translator {
 public:
  // Nothing when the node was skipped, which has been told; an error when it may not be.
  using Translated = Result<std::optional<value::Value>>;

  Translator(const Package& package, std::string_view component, const TranslateOptions& options,
             Arena& arena, Skips& skips)
      : package_(package), component_(component), options_(options), arena_(arena), skips_(skips) {}

  // An object of the resource's inputProperties or properties. `root` is the first step of paths.
  Translated translate_resource(const value::Value& resource, std::string_view properties,
                                std::string_view required, std::string_view root);

 private:
  enum class Place : std::uint8_t { kInline, kTypeEntry };
  class Below;  // a step of the path, for as long as it lives

  Translated node(const value::Value& node, Place place);
  Translated by_type(const value::Value& node, Place place);
  Translated by_ref(std::string_view ref);
  Translated array(const value::Value& node);
  Translated object(const value::Value& node, Place place);
  Translated map(const value::Value* element);
  // `properties` may be null: then there are none.
  Translated object_of(const value::Value* properties, const value::Value* required);
  Translated constant(const value::Value& node, Place place);

  // Description, enum and default of the node, put over those that are there.
  Translated annotated(const value::Value& node, value::Value out);
  Result<std::optional<std::vector<value::Value>>> enum_values(const value::Value& list,
                                                               std::string_view type);
  void settle_default(const value::Value* given, value::Value& out);
  void hint_list_type(value::Value& array_schema);
  void hint_rule(const value::Value& property, value::Value& out);

  // unions.cc
  Translated one_of(const value::Value& node);
  Result<std::optional<std::vector<value::Value>>> branches(const value::Value& list);
  std::optional<value::Value> scalar_union(std::span<const value::Value> branches);
  Translated object_union(const value::Value& node, std::span<const value::Value> list,
                          std::span<const value::Value> branches);
  std::optional<value::Value> merged_property(const value::Value& a, const value::Value& b);

  Translated skip(std::string reason);
  void tell(std::string path, std::string reason);
  std::unexpected<Error> refuse(std::string_view construct) const;
  Result<> count(std::size_t bytes);  // one more node, and text that is written out

  const Package& package_;
  std::string_view component_;
  const TranslateOptions& options_;
  Arena& arena_;
  Skips& skips_;
  std::string path_;
  std::size_t depth_ = 0;
  std::size_t visits_ = 0;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
  std::size_t rules_ = 0;
  std::size_t repeated_ = 0;                    // arrays and maps that are open
  std::vector<const value::Value*> open_refs_;  // targets that are being translated
};

}  // namespace strake::pulumi
