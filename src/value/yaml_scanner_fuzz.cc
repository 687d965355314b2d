// Any bytes: the fast scanner must emit what libyaml emits or decline, and the parser made of both
// must be indistinguishable from libyaml alone.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "value/yaml_scanner_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 16) return 0;
  // On the heap and to the byte, so that a read past the end is seen.
  const std::vector<char> copy(data, data + size);
  const std::string_view text(copy.data(), copy.size());
  const auto check = strake::value::internal::check_scanner(text);
  if (check.fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", check.fault.c_str());
  std::abort();
}
