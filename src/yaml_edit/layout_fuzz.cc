// Any bytes as a YAML file: reading and writing it must not fail badly. Whether what is written
// says the same is asked by whoever writes a file, and such a file is left alone.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "yaml_edit/layout.h"

using namespace strake::yaml_edit;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto documents = read_layout({reinterpret_cast<const char*>(data), size});
  if (!documents) return 0;
  const std::string once = write_layout(*documents);
  const auto again = read_layout(once);
  if (!again || again->size() != documents->size()) return 0;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    // The same is the same both ways.
    const LayoutNode& there = (*again)[i].root;
    const LayoutNode& here = (*documents)[i].root;
    if (same_layout(there, here) != same_layout(here, there)) std::abort();
  }
  return 0;
}
