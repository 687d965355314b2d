// Paths inside a schema, as selectable fields and the fieldPath of rules write them.
#include <vector>

#include "crd/check_parts.h"

namespace strake::crd {
namespace {

using value::Value;

// '.', '[' and ']' stand alone; a text in single quotes is one token with its quotes; so is
// everything between.
std::vector<std::string_view> tokens_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    std::size_t length = path.size();
    if (path[0] == '\'') {
      for (std::size_t i = 1; i < path.size(); ++i) {
        if (path[i] == '\'' && path[i - 1] != '\\') {
          length = i + 1;
          break;
        }
      }
    } else if (const std::size_t stop = path.find_first_of(".[]"); stop != std::string_view::npos) {
      length = stop == 0 ? 1 : stop;
    }
    out.push_back(path.substr(0, length));
    path.remove_prefix(length);
  }
  return out;
}

Result<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size() || text[i + 1] == '\n') {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'a': out += '\a'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'v': out += '\v'; break;
      case '\'': out += '\''; break;
      case '\\': out += '\\'; break;
      default:
        return fail(Code::kInvalid, "invalid string literal: invalid escape char \\{}", text[i]);
    }
  }
  return out;
}

class Follower {
 public:
  explicit Follower(const SchemaView& schema) { out_.schema = &schema.value(); }

  // A step below additionalProperties: true has no schema, and nothing can be followed from there
  // on.
  Result<> step(std::string_view name) {
    const Value* properties = nullptr;
    const Value* more = nullptr;
    if (out_.schema != nullptr) {
      properties = out_.schema->find("properties");
      more = out_.schema->find("additionalProperties");
    }
    if (properties != nullptr) {
      out_.path.push_field(name);
      out_.schema = properties->find(name);
      if (out_.schema == nullptr) return fail(Code::kInvalid, "does not refer to a valid field");
    } else if (more != nullptr) {
      out_.path.push_key(name);
      out_.schema = more->is_object() ? more : nullptr;
    } else {
      return fail(Code::kInvalid, "does not refer to a valid field");
    }
    return {};
  }

  FollowedPath take() { return std::move(out_); }

 private:
  FollowedPath out_;
};

}  // namespace

Result<FollowedPath> follow_path(std::string_view path, const SchemaView& schema,
                                 bool allow_brackets) {
  Follower follower(schema);
  const std::vector<std::string_view> tokens = tokens_of(path);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    const bool at_end = i + 1 == tokens.size();
    if (token == ".") {
      if (at_end) return fail(Code::kInvalid, "unexpected end of JSON path");
      STRAKE_CHECK(follower.step(tokens[++i]));
    } else if (token == "[") {
      if (!allow_brackets) return fail(Code::kInvalid, "array notation is not allowed");
      if (at_end) return fail(Code::kInvalid, "unexpected end of JSON path");
      const std::string_view quoted = tokens[++i];
      if (quoted.size() < 2 || quoted.front() != '\'' || quoted.back() != '\'') {
        return fail(Code::kInvalid, "expected single quoted string but got {}", quoted);
      }
      STRAKE_TRY(const std::string name, unescape(quoted.substr(1, quoted.size() - 2)));
      STRAKE_CHECK(follower.step(name));
      if (i + 1 == tokens.size()) return fail(Code::kInvalid, "unexpected end of JSON path");
      if (tokens[++i] != "]") return fail(Code::kInvalid, "expected ] but got {}", tokens[i]);
    } else {
      return fail(Code::kInvalid, "expected [ or . but got: {}", token);
    }
  }
  return follower.take();
}

}  // namespace strake::crd
