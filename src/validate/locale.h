#pragma once
// The languages that reports are written in.
#include <cstdint>
#include <string_view>

namespace strake::validate {

enum class Locale : std::uint8_t { kEnglish, kJapanese };
// By its language: "ja", "ja-JP", "ja_JP.UTF-8". English for every other.
Locale locale_of(std::string_view name);

}  // namespace strake::validate
