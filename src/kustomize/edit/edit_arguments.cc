#include "kustomize/edit/edit_arguments.h"

#include <algorithm>
#include <charconv>

#include "kustomize/config/image_name.h"

namespace strake::kustomize {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters and digits at both ends, also these between them.
bool is_key_part(std::string_view text, std::string_view between, std::size_t most) {
  if (text.empty() || text.size() > most) return false;
  if (!is_alphanumeric(text.front()) || !is_alphanumeric(text.back())) return false;
  return std::ranges::all_of(text, [&](char c) {
    return is_alphanumeric(c) || between.find(c) != std::string_view::npos;
  });
}

}  // namespace

bool is_annotation_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return is_key_part(key, "-_.", 63);
  const std::string_view prefix = key.substr(0, slash);
  return is_key_part(prefix, "-.", 253) && !(prefix[0] >= '0' && prefix[0] <= '9') &&
         is_key_part(key.substr(slash + 1), "-_.", 63);
}

Result<Image> parse_image_argument(std::string_view text) {
  const auto invalid = [] {
    return fail(Code::kUsage,
                "invalid format of image, use one of the following options:\n"
                "- <image>=<newimage>:<newtag>\n- <image>=<newimage>@<digest>\n"
                "- <image>=<newimage>:<newtag>@<digest>\n- <image>=<newimage>\n"
                "- <image>:<newtag>\n- <image>:<newtag>@<digest>\n- <image>@<digest>");
  };
  const std::size_t equals = text.find('=');
  const std::string_view key =
      equals == std::string_view::npos ? std::string_view() : text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? text : text.substr(equals + 1);
  const ImageParts parts = split_image(value);
  if (parts.name == text) return invalid();
  Image out;
  out.new_tag = parts.tag;
  out.digest = parts.digest;
  out.name = key.empty() ? parts.name : std::string(key);
  if (!key.empty()) out.new_name = parts.name;
  return out;
}

Result<Replica> parse_replica_argument(std::string_view text) {
  const std::size_t equals = text.find('=');
  Replica out;
  const std::string_view count =
      equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  const auto parsed = std::from_chars(count.data(), count.data() + count.size(), out.count);
  if (count.empty() || parsed.ec != std::errc() || parsed.ptr != count.data() + count.size()) {
    return fail(Code::kUsage,
                "invalid format of replica, use the following format: <name>=<count>");
  }
  out.name = text.substr(0, equals);
  return out;
}

Result<TextMap> parse_pairs(const std::vector<std::string>& texts, std::string_view what) {
  TextMap out;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == 0) {
      return fail(Code::kUsage, "invalid {}: '{}' (need k:v pair where v may be quoted)", what,
                  text);
    }
    if (colon == std::string::npos) {
      out[text] = "";
      continue;
    }
    std::string value = text.substr(colon + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    out[text.substr(0, colon)] = value;
  }
  return out;
}

}  // namespace strake::kustomize
