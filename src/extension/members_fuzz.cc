// Any text as the file of --aggregate: what is read has what each member needs, and what is refused
// is refused with a message.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "extension/members.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto members = extension::read_members(text, "/etc")) {
    for (const extension::Member& one : *members) {
      STRAKE_ASSERT(!one.name.empty());
      STRAKE_ASSERT(one.kubeconfig.empty() != one.server.empty());
      STRAKE_ASSERT(one.server.empty() == one.ca_file.empty());
      STRAKE_ASSERT(one.kubeconfig.empty() || one.kubeconfig.starts_with('/'));
    }
  } else {
    STRAKE_ASSERT(!members.error().message().empty());
  }
  return 0;
}
