#include "rules/field_path.h"

namespace strake::rules {
namespace {

std::optional<std::string> unescape_quoted(std::string_view text) {
  static constexpr std::string_view kLetters = "abfnrtv'\\";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v'\\";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const std::size_t at = kLetters.find(text[++i]);
    if (at == std::string_view::npos) return std::nullopt;
    out += kMeanings[at];
  }
  return out;
}

// A delimiter (. [ ]), a text in single quotes with its quotes, or what stands before the next
// delimiter.
std::string_view take_token(std::string_view& rest) {
  std::size_t length = 0;
  if (rest[0] == '\'') {
    for (length = 1; length < rest.size(); ++length) {
      if (rest[length] == '\'' && rest[length - 1] != '\\') break;
    }
    length = std::min(length + 1, rest.size());
  } else {
    length = std::min(rest.find_first_of(".[]"), rest.size());
    if (length == 0) length = 1;
  }
  const std::string_view token = rest.substr(0, length);
  rest.remove_prefix(length);
  return token;
}

class Resolver {
 public:
  Resolver(std::string_view text, const schema::Node& node) : rest_(text), node_(&node) {}

  std::optional<FieldPath> run() {
    while (!rest_.empty()) {
      const std::string_view start = take_token(rest_);
      const bool good = start == "." ? dotted() : start == "[" && quoted();
      if (!good) return std::nullopt;
    }
    return path_;
  }

 private:
  bool dotted() { return !rest_.empty() && step(take_token(rest_)); }

  bool quoted() {
    if (rest_.empty()) return false;
    const std::string_view token = take_token(rest_);
    if (token.size() < 2 || !token.starts_with('\'') || !token.ends_with('\'')) return false;
    const auto name = unescape_quoted(token.substr(1, token.size() - 2));
    if (!name || !step(*name)) return false;
    return !rest_.empty() && take_token(rest_) == "]";
  }

  bool step(std::string_view name) {
    if (node_ == nullptr) return false;
    if (!node_->properties.empty()) {
      path_.push_field(name);
      node_ = node_->property(name);
      return node_ != nullptr;
    }
    if (node_->additional == schema::Additional::kAbsent) return false;
    // The API server hangs the finished path below the node as if it were a name, so a key that
    // comes first gets a dot before its bracket.
    if (path_.empty()) {
      path_.push_field("[" + std::string(name) + "]");
    } else {
      path_.push_key(name);
    }
    node_ = node_->additional_schema.get();
    return true;
  }

  std::string_view rest_;
  const schema::Node* node_;
  FieldPath path_;
};

}  // namespace

std::optional<FieldPath> resolve_field_path(std::string_view text, const schema::Node& node) {
  return Resolver(text, node).run();
}

}  // namespace strake::rules
