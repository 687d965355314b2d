#include "provider/names/setting_list.h"

namespace strake::provider {

std::vector<std::string> split_setting_list(std::string_view text) {
  constexpr std::string_view kBetween = ", \t\r\n";
  std::vector<std::string> out;
  for (;;) {
    const std::size_t start = text.find_first_not_of(kBetween);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find_first_of(kBetween));
    out.emplace_back(word);
    text.remove_prefix(word.size());
  }
}

}  // namespace strake::provider
