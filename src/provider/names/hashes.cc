#include "provider/names/hashes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "provider/names/base36.h"

namespace strake::provider {

std::string short_hash(std::string_view input, std::size_t length) {
  Sha256::Digest number = sha256(input);
  // Long division by 36, a digit a round: at most 50 of them.
  std::string digits;  // lowest first
  while (std::ranges::any_of(number, [](std::uint8_t byte) { return byte != 0; })) {
    unsigned rest = 0;
    for (std::uint8_t& byte : number) {
      rest = rest * 256 + byte;
      byte = static_cast<std::uint8_t>(rest / 36);
      rest %= 36;
    }
    digits += kBase36Digits[rest];
  }
  if (digits.size() < length) digits.append(length - digits.size(), '0');
  std::ranges::reverse(digits);
  digits.resize(length);
  return digits;
}

Hashes hashes_of(std::string_view workspace, std::string_view provider, std::string_view cluster,
                 std::string_view app) {
  return {
      .workspace = short_hash(workspace),
      .provider = short_hash(fmt::format("{}:{}", workspace, provider)),
      .cluster = short_hash(fmt::format("{}:{}:{}", workspace, provider, cluster)),
      .app_id = short_hash(fmt::format("{}:{}:{}", workspace, provider, app)),
      .app_instance = short_hash(fmt::format("{}:{}:{}:{}", workspace, provider, cluster, app))};
}

Hashes hashes_of(const OwnerNames& owner) {
  return hashes_of(owner.workspace, owner.provider, owner.cluster, owner.app);
}

std::string content_hash(const std::map<std::string, std::string>& data) {
  std::string text;
  for (const auto& [key, value] : data) {
    text += key;
    text += '=';
    text += value;
    text += '\0';
  }
  return short_hash(text);
}

std::string pod_content_hash(std::span<const std::string> segments) {
  if (segments.empty()) return {};
  std::string text;
  for (const std::string& one : segments) text += one;
  return short_hash(text);
}

}  // namespace strake::provider
