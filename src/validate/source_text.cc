#include "validate/source_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "validate/extent.h"

namespace strake::validate {
namespace {

constexpr std::size_t kFragmentLength = 80;
constexpr std::size_t kLongestSide = 64 << 10;

}  // namespace

// Many findings may be on one line of megabytes, so only so much of it is looked through for each.
std::string_view line_at(std::string_view text, std::uint64_t offset) {
  const auto at = static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size()));
  const std::size_t low = at > kLongestSide ? at - kLongestSide : 0;
  const std::string_view front = text.substr(low, at - low);
  const std::size_t before = front.rfind('\n');
  if (before == std::string_view::npos && low > 0) return {};
  const std::size_t start = before == std::string_view::npos ? 0 : low + before + 1;
  const std::string_view behind = text.substr(at, kLongestSide);
  const std::size_t end = behind.find('\n');
  if (end == std::string_view::npos && at + behind.size() < text.size()) return {};
  std::string_view line =
      text.substr(start, end == std::string_view::npos ? end : at + end - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string fragment_at(std::string_view text, std::uint64_t offset, std::uint64_t length) {
  if (offset >= text.size()) return {};
  text = text.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  text = text.substr(0, text.find_first_of("\r\n"));
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kFragmentLength && bytes < text.size(); ++i)
    bytes += utf8::decode(text.substr(bytes)).width;
  return utf8::replace_invalid(text.substr(0, bytes));
}

void show_place(Finding& finding, const Position& at, std::string_view text, bool container) {
  finding.position = at;
  finding.source_line = line_at(text, at.offset);
  finding.length = extent_at(text, at.offset, container);
  finding.fragment = fragment_at(text, at.offset, finding.length);
}

void show_place(Finding& finding, const value::Document& document, const FieldPath& path,
                std::string_view text) {
  if (finding.fault.at_key) return show_place(finding, document.key_position(path), text);
  FieldPath nearest = path;
  const value::Value* there = document.at(nearest);
  while (there == nullptr && !nearest.empty()) {
    nearest.pop();
    there = document.at(nearest);
  }
  const bool container = there != nullptr && (there->is_object() || there->is_array());
  show_place(finding, document.position(path), text, container);
}

}  // namespace strake::validate
