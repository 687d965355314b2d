// Any bytes as a file of resources: what is formatted is written and read like any other.
#include <cstdint>
#include <string>
#include <string_view>

#include "kustomize/edit/format_resource.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto documents = yaml_edit::read_layout({reinterpret_cast<const char*>(data), size});
  if (!documents) return 0;
  for (yaml_edit::LayoutDocument& document : *documents)
    static_cast<void>(kustomize::format_resource(document.root).has_value());
  const std::string once = yaml_edit::write_layout(*documents);
  static_cast<void>(yaml_edit::read_layout(once).has_value());
  return 0;
}
