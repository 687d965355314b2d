#include "extension/service_name.h"

#include <fmt/format.h>

#include "meta/names.h"

namespace strake::extension {

Result<ServiceName> ServiceName::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  ServiceName out;
  if (slash != std::string_view::npos) {
    out.namespace_name = text.substr(0, slash);
    out.name = text.substr(slash + 1);
  }
  if (!meta::check_dns1123_label(out.namespace_name).empty() ||
      !meta::check_dns1123_label(out.name).empty())
    return fail(Code::kInvalid, "wants the NAMESPACE/NAME of a service, got \"{}\"", text);
  return out;
}

std::string ServiceName::to_string() const { return fmt::format("{}/{}", namespace_name, name); }
std::string ServiceName::host() const { return fmt::format("{}.{}.svc", name, namespace_name); }

}  // namespace strake::extension
