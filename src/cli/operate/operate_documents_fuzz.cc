// Any bytes as a node pool and as options: refused in words, or read again from what is printed.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "cli/operate/operate_documents.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto pool = cli::read_node_pool(text, "pool")) {
    cli::OrderedJson printed;
    cli::write_node_pool(*pool, printed);
    const auto again = cli::read_node_pool(printed.done(), "printed");
    STRAKE_ASSERT(again.has_value());
    STRAKE_ASSERT(*again == *pool);
  } else {
    STRAKE_ASSERT(!pool.error().message().empty());
  }
  if (const auto options = cli::read_options(text)) {
    cli::OrderedJson printed;
    printed.open_object().options("o", *options).close();
    STRAKE_ASSERT(!printed.done().empty());
  }
  return 0;
}
