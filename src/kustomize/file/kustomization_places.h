#pragma once
// Where in the text of a kustomization things stand, for errors and for origins: asked of the
// document that the build has read, so the text is parsed once. A line is 0 when it is not known.
#include <cstdint>
#include <string>
#include <string_view>

#include "value/document.h"

namespace strake::kustomize {

// The line that a message of decoding is about: `unknown field "x"`, `cannot unmarshal number into
// Go struct field Label.labels.pairs of type string`. The value was read with positions.
std::uint32_t line_of_decode_error(const value::Value& root, std::string_view message);

class KustomizationPlaces {
 public:
  // The document was read from the text, with positions.
  KustomizationPlaces(std::string text, value::Document document)
      : text_(std::move(text)), document_(std::move(document)) {}

  const value::Value& root() const { return document_.root(); }

  // The line of a field; with `entry`, of the first entry in its list that is this text or has it
  // in one of its own fields (a name, a path).
  std::uint32_t line_of_field(std::string_view field, std::string_view entry = {}) const;

  // The line of the file for a line of a text that the kustomization holds itself, such as a patch:
  // an entry of the field, or its member `patch`. Where the two do not run alike (folded texts,
  // quoted ones of several lines) it is the line that the text starts on.
  std::uint32_t line_of_text(std::string_view field, std::size_t index, std::uint32_t line) const;

 private:
  bool is_alias(const Position& at) const;
  bool is_literal(const Position& at) const;

  std::string text_;
  value::Document document_;
};

}  // namespace strake::kustomize
