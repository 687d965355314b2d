#pragma once
// ConversionReview: the question that a conversion webhook is sent, and what its answer says. Both
// as kube-apiserver 1.36 writes and reads them.
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "admission/webhook/hook.h"
#include "meta/gvk.h"
#include "value/document.h"

namespace strake::admission {

struct ConversionQuestion {
  std::string_view uid;
  ReviewVersion version = ReviewVersion::kV1;
  std::string_view to;  // "example.com/v2"
  std::span<const value::Document> objects;
};
std::string write_conversion_review(const ConversionQuestion& question);

// The converted objects, as a list. The error is a message, without the webhook's name.
std::expected<value::Document, std::string> read_conversion_review(std::string_view text,
                                                                   std::string_view uid,
                                                                   ReviewVersion version);

// Puts what must not change back into an object that was converted: of its metadata, a webhook may
// change labels and annotations alone. Says what is wrong with it, as behind "conversion webhook
// for ... returned "; nothing when it may be used.
std::optional<std::string> take_over(const value::Value& original, const meta::GroupVersion& to,
                                     value::Document& converted);

}  // namespace strake::admission
