#include "kube/pods/command_end.h"

#include <charconv>

#include "base/quote.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {

std::optional<unsigned> exit_code_of(const value::Value& status) {
  if (value::text_of(status, "reason") != "NonZeroExitCode") return std::nullopt;
  for (const value::Value& cause : status.get("details").get("causes").items()) {
    if (value::text_of(cause, "reason") != "ExitCode") continue;
    const std::string_view text = value::text_of(cause, "message");
    unsigned code = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    if (error == std::errc() && end == text.data() + text.size() && code <= UINT8_MAX) return code;
  }
  return std::nullopt;
}

Result<int> command_end(std::string_view status) {
  const Result<value::Document> read = value::read_json(status);
  if (!read || !read->root().is_object())
    return fail(Code::kParse, "the end of the command is no Status: {}", quote(status));
  if (value::text_of(read->root(), "status") == "Success") return 0;
  if (const auto code = exit_code_of(read->root())) return static_cast<int>(*code);
  return fail(Code::kInternal, "{}", value::text_of(read->root(), "message"));
}

}  // namespace strake::kube
