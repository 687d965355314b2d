#pragma once
// Where in the text of a kustomization a thing stands that an error is about. Asked only once there
// is one, so the text is read anew. A line is 0 when it cannot be told.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace strake::kustomize {

// The line of a field; with `entry`, of the first entry in its list that is this text or has it in
// one of its own fields (a name, a path).
std::uint32_t line_of_field(std::string_view text, std::string_view field,
                            std::string_view entry = {});

// The line that a message of decoding is about: `unknown field "x"`, `cannot unmarshal number into
// Go struct field Label.labels.pairs of type string`.
std::uint32_t line_of_decode_error(std::string_view text, std::string_view message);

// Where the texts stand that a kustomization holds itself, such as patches. It is read when the
// first line is asked for.
class InlineTexts {
 public:
  explicit InlineTexts(std::string kustomization);
  ~InlineTexts();

  // The line of the file for a line of the text that is an entry of the field, or its member
  // `patch`. Where the two do not run alike (folded texts, quoted ones of several lines) it is the
  // line that the text starts on.
  std::uint32_t line_of(std::string_view field, std::size_t index, std::uint32_t line) const;

 private:
  struct Read;
  std::string text_;
  mutable std::unique_ptr<const Read> read_;
};

}  // namespace strake::kustomize
