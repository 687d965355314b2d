// Any text as a package schema: what is translated is a CRD that a server takes, reads back from
// its text, and comes out the same a second time.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "crd/check.h"
#include "pulumi/test_convert.h"
#include "value/yaml_reader.h"

using namespace strake;

namespace {

void check_text(const std::string& text) {
  auto document = value::read_yaml(text);
  STRAKE_ASSERT(document.has_value());
  auto crd = crd::Crd::read(std::move(*document));
  STRAKE_ASSERT(crd.has_value());
  crd->prepare_for_create();
  STRAKE_ASSERT(crd::check_create(*crd).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto package =
      pulumi::Package::read(std::string(reinterpret_cast<const char*>(data), size));
  if (!package) return 0;
  using pulumi::Unions;
  const pulumi::ConvertOptions all_options[] = {
      {},
      {.translate = {.unions = Unions::kStructural,
                     .const_as_enum = true,
                     .any_untyped = true,
                     .list_types = true,
                     .transition_rules = true},
       .status = true},
      {.translate = {.unions = Unions::kAny}},
  };
  std::size_t count = 0;
  for (const std::string_view token : package->components()) {
    if (++count > 4) break;
    for (const pulumi::ConvertOptions& options : all_options) {
      const auto made = pulumi::convert_component(*package, token, options);
      if (!made) continue;
      check_text(made->crd);
      STRAKE_ASSERT(pulumi::convert_component(*package, token, options)->crd == made->crd);
    }
  }
  return 0;
}
