#include "provider/names/quote_briefly.h"

#include "base/quote.h"

namespace strake::provider {

std::string quote_briefly(std::string_view text) {
  constexpr std::size_t kShown = 64;
  std::string out = quote(text.substr(0, kShown));
  if (text.size() > kShown) out += "...";
  return out;
}

}  // namespace strake::provider
