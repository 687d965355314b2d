#include "cel/lib/regex.h"

namespace strake::cel {
namespace {

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

}  // namespace

PreparedRegex::PreparedRegex(std::string_view pattern)
    : regex(re2::StringPiece(pattern.data(), pattern.size()), quiet()) {}

// Called by the planner for constant patterns, once per program. A pattern that does not compile is
// left to the call, which fails with an error value only when it is reached.
std::unique_ptr<Prepared> prepare_regex(std::span<const Value* const> args) {
  if (args.size() < 2 || args[1] == nullptr || !args[1]->is(Kind::kString)) return nullptr;
  auto out = std::make_unique<PreparedRegex>(args[1]->as_text());
  if (!out->regex.ok()) return nullptr;
  return out;
}

CallRegex::CallRegex(const EvalContext& context, std::string_view pattern) {
  if (context.prepared != nullptr) {
    regex_ = &static_cast<const PreparedRegex*>(context.prepared)->regex;
  } else {
    own_.emplace(pattern);
    regex_ = &own_->regex;
  }
}

std::string CallRegex::error() const {
  const std::string message = regex_->error();
  // RE2 writes `reason: text`; Go's regexp, whose words these must be, puts the text in backquotes.
  const std::size_t colon = message.find(": ");
  if (colon == std::string::npos) return "error parsing regexp: " + message;
  return "error parsing regexp: " + message.substr(0, colon) + ": `" + message.substr(colon + 2) +
         "`";
}

}  // namespace strake::cel
