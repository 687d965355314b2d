#include "api/filters/warnings.h"

#include <unordered_set>

#include "base/utf8.h"

namespace strake::api {
namespace {

// The warnings of an answer, each text once. Once they pass 4096 characters together, each is cut
// to 256, and they end with 4096, as in kube-apiserver 1.36.
std::vector<std::string_view> shown_warnings(const std::vector<std::string>& warnings) {
  constexpr std::size_t kMostTogether = 4096;
  constexpr std::size_t kMostEach = 256;
  std::vector<std::string_view> texts;
  std::unordered_set<std::string_view> seen;
  std::size_t total = 0;
  for (const std::string& warning : warnings) {
    if (total > kMostTogether) break;  // there are more than enough
    if (!seen.insert(warning).second) continue;
    texts.push_back(warning);
    total += utf8::count(warning);
  }
  if (total <= kMostTogether) return texts;
  const auto cut = [](std::string_view text) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < kMostEach && end < text.size(); ++i)
      end += utf8::decode(text.substr(end)).width;
    return text.substr(0, end);
  };
  std::vector<std::string_view> out;
  seen.clear();
  total = 0;
  for (const std::string& warning : warnings) {
    const std::string_view text = cut(warning);
    if (!seen.insert(text).second) continue;
    total += utf8::count(text);
    if (total > kMostTogether) break;
    out.push_back(text);
  }
  return out;
}

// As in kube-apiserver 1.36, a text that is empty or has control characters is not sent at all.
bool can_be_sent(std::string_view text) {
  if (text.empty()) return false;
  for (std::string_view rest = text; !rest.empty();) {
    const utf8::Decoded c = utf8::decode(rest);
    const bool is_control = c.code_point < 0x20 || (c.code_point >= 0x7f && c.code_point < 0xa0);
    const bool is_broken = c.code_point == utf8::kReplacement && c.width == 1;
    if (is_control || is_broken) return false;
    rest.remove_prefix(c.width);
  }
  return true;
}

// 299 - "text": quotes and backslashes are escaped.
void add_warnings(http::Response& response, const std::vector<std::string>& warnings) {
  for (const std::string_view warning : shown_warnings(warnings)) {
    if (!can_be_sent(warning)) continue;
    std::string text = "299 - \"";
    for (const char c : warning) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    response.headers.add("Warning", text + "\"");
  }
}

}  // namespace

void WarningStage::leave(Call& call, http::Response& response) {
  add_warnings(response, call.warnings);
}

}  // namespace strake::api
