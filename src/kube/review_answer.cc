#include "kube/review_answer.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using value::Document;
using value::Value;

constexpr std::size_t kMostStatusNodes = 100'000;

value::ReadOptions read_options(std::size_t most_nodes) {
  value::ReadOptions out = value::ReadOptions::as_api_server();
  out.limits.nodes = most_nodes;
  return out;
}

// Nothing when the answer is what was asked for, or says nothing about it.
std::optional<std::string> kind_fault(const Value& root, const ReviewForm& wanted) {
  if (!root.is_object())
    return "couldn't get version/kind; json parse error: json: cannot unmarshal into Go value";
  const std::string_view kind = value::text_of(root, "kind");
  const std::string_view api_version = value::text_of(root, "apiVersion");
  if (kind == "Status" && api_version == "v1") {
    if (value::text_of(root, "status") == "Success") return std::nullopt;
    return std::string(value::text_of(root, "message"));
  }
  const std::string full = fmt::format("{}/{}", wanted.group, wanted.version);
  const bool same_kind = kind.empty() || kind == wanted.kind;
  if (same_kind && (api_version.empty() || api_version == full)) return std::nullopt;
  const std::string_view other = wanted.version == "v1" ? "v1beta1" : "v1";
  if (same_kind && api_version == fmt::format("{}/{}", wanted.group, other)) {
    return fmt::format("converting ({}.{}) to ({}.{}): unknown conversion", other, wanted.kind,
                       wanted.version, wanted.kind);
  }
  return fmt::format("no kind {} is registered for version {} in scheme {}",
                     quote(kind.empty() ? wanted.kind : kind),
                     quote(api_version.empty() ? full : std::string(api_version)),
                     quote(wanted.scheme));
}

}  // namespace

std::expected<Document, std::string> read_review_answer(std::string_view text,
                                                        const ReviewForm& form) {
  Result<Document> read = value::read_json(text, read_options(form.most_nodes));
  if (!read) {
    return std::unexpected(
        fmt::format("couldn't get version/kind; json parse error: {}", read.error().message()));
  }
  Value& root = read->root();
  if (root.is_null()) root = Value::object({});
  if (auto fault = kind_fault(root, form)) return std::unexpected(*std::move(fault));
  if (const auto shaped = meta::read_shape(root, form.shape, read->arena(), {.from_text = true});
      !shaped) {
    return std::unexpected(shaped.error().message());
  }
  return *std::move(read);
}

std::optional<std::string> failure_message(std::string_view text) {
  const Result<Document> read = value::read_json(text, read_options(kMostStatusNodes));
  if (!read || !read->root().is_object()) return std::nullopt;
  const Value& root = read->root();
  const std::string_view version = value::text_of(root, "apiVersion");
  if (value::text_of(root, "kind") != "Status" || (!version.empty() && version != "v1") ||
      value::text_of(root, "status") != "Failure")
    return std::nullopt;
  return std::string(value::text_of(root, "message"));
}

}  // namespace strake::kube
