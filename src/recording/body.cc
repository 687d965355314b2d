#include "recording/body.h"

#include <optional>

#include "base/sha256.h"
#include "base/utf8.h"
#include "kinds/protobuf.h"
#include "recording/normal_form.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::recording {
namespace {

using value::Document;

// Nothing when it is none of them, or would read differently once it was written again: keys that
// stand twice are kept as they were sent.
std::optional<Document> read_body(std::string_view content, std::string_view content_type) {
  value::ReadOptions options;
  options.limits = {.depth = 1000, .bytes = kMostDigestedBytes};
  options.numbers = value::NumberPolicy::kLiteral;
  Result<Document> out = Document();
  if (content_type.contains("protobuf")) {
    out = kinds::decode_protobuf(content);
  } else if (content_type.contains("yaml")) {
    out = value::read_yaml(content, options);
  } else {
    out = value::read_json(content, options);
  }
  if (!out || out->root().is_null()) return std::nullopt;
  return *std::move(out);
}

Body digest(const Document& document, std::size_t bytes) {
  return {
      .form = Body::Form::kDigest,
      .text = sha256_hex(normal_json(document.root(), {})),
      .bytes = bytes,
      .version = std::string(value::text_of(document.root().get("metadata"), "resourceVersion"))};
}

}  // namespace

Body make_body(std::string_view content, std::string_view content_type, Holds holds,
               std::size_t most_bytes) {
  if (content.empty()) return {};
  const Body left_out{.form = Body::Form::kDigest, .text = {}, .bytes = content.size()};
  if (content.size() > kMostDigestedBytes) return left_out;
  std::optional<Document> document = read_body(content, content_type);
  if (!document) {
    if (holds != Holds::kNothing) return left_out;
    if (content.size() > most_bytes)
      return {.form = Body::Form::kDigest, .text = sha256_hex(content), .bytes = content.size()};
    return {.form = utf8::is_valid(content) ? Body::Form::kText : Body::Form::kBytes,
            .text = std::string(content)};
  }
  mask(*document, holds);
  if (content.size() > most_bytes) return digest(*document, content.size());
  return {.form = Body::Form::kJson,
          .text = value::to_json(document->root(), {.escape_html = false})};
}

}  // namespace strake::recording
