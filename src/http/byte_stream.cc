#include "http/byte_stream.h"

#include <fmt/format.h>

#include "base/result.h"

namespace strake::http {

Exchange<std::string> read_all(BodyReader& body, std::size_t max_bytes) {
  std::string all;
  while (true) {
    STRAKE_CO_TRY(std::string part, co_await body.next());
    if (part.empty()) co_return all;
    if (part.size() > max_bytes - all.size()) {
      co_return failed(Fault::kTooLarge,
                       fmt::format("the body is larger than {} bytes", max_bytes));
    }
    if (all.empty()) {
      all = std::move(part);
    } else {
      all += part;
    }
  }
}

}  // namespace strake::http
