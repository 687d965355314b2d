#pragma once
// The answer of a webhook to the review that it was sent, such as an AdmissionReview: read as a
// client of Go reads it, in the words of kube-apiserver 1.36. What the review says is for the
// caller.
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "meta/shape.h"
#include "value/document.h"

namespace strake::kube {

struct ReviewForm {
  std::string_view group;
  std::string_view kind;
  std::string_view version;  // of what was sent: v1 or v1beta1
  std::string_view scheme;   // where that client looks for kinds, for messages
  const meta::Shape& shape;  // of the review
  std::size_t most_nodes;
};

// An object of that shape. An answer that does not say what it is is taken for the review, and so
// is a Status that says Success.
std::expected<value::Document, std::string> read_review_answer(std::string_view text,
                                                               const ReviewForm& form);

// The message of a Status that says Failure; nothing for any other text.
std::optional<std::string> failure_message(std::string_view text);

}  // namespace strake::kube
