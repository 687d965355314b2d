#include "schema/loose/issue.h"

#include <fmt/format.h>

#include "value/json_writer.h"

namespace strake::schema::loose {

std::string_view to_string(IssueCode code) {
  switch (code) {
    case IssueCode::kInvalidType: return "invalid_type";
    case IssueCode::kRequired: return "required";
    case IssueCode::kUnknownKey: return "unknown_key";
    case IssueCode::kDuplicateItem: return "duplicate_item";
    case IssueCode::kTooSmall: return "too_small";
    case IssueCode::kTooBig: return "too_big";
    case IssueCode::kNotMultiple: return "not_multiple";
    case IssueCode::kTooShort: return "too_short";
    case IssueCode::kTooLong: return "too_long";
    case IssueCode::kPattern: return "pattern";
    case IssueCode::kInvalidEnum: return "invalid_enum";
    case IssueCode::kInvalidFormat: return "invalid_format";
    case IssueCode::kUnionAmbiguous: return "union_ambiguous";
    case IssueCode::kNoMatch: return "no_match";
    case IssueCode::kNotAllowed: return "not_allowed";
    case IssueCode::kDiscriminatorMissing: return "discriminator_missing";
    case IssueCode::kDiscriminatorUnknown: return "discriminator_unknown";
    case IssueCode::kParseError: return "parse_error";
    case IssueCode::kTruncated: return "truncated";
    case IssueCode::kBufferExceeded: return "buffer_exceeded";
    case IssueCode::kSchemaInvalid: return "schema_invalid";
  }
  return "";
}

std::string Issue::to_json() const {
  std::string out = fmt::format(R"({{"code":"{}","severity":"{}","path":)", to_string(code),
                                severity == Severity::kError ? "error" : "warning");
  value::write_json_string(path.to_pointer(), out);
  const auto text = [&](std::string_view name, const std::string& field) {
    if (field.empty()) return;
    fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
    value::write_json_string(field, out);
  };
  text("fieldPath", path.to_k8s());
  text("message", message);
  text("hint", hint);
  if (!params.empty() || !branch.empty()) {
    out += ",\"params\":{";
    bool first = true;
    if (!branch.empty()) {
      out += "\"branch\":[";
      for (std::size_t i = 0; i < branch.size(); ++i) {
        if (i > 0) out += ',';
        out += branch[i].to_json();
      }
      out += ']';
      first = false;
    }
    for (const auto& [name, json] : params) {
      if (!first) out += ',';
      first = false;
      value::write_json_string(name, out);
      out += ':';
      out += json;
    }
    out += '}';
  }
  text("schemaPath", schema_path);
  out += '}';
  return out;
}

}  // namespace strake::schema::loose
