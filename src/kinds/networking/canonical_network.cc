#include "kinds/networking/canonical_network.h"

#include <fmt/format.h>

#include "base/ip_address.h"
#include "base/quote.h"
#include "kinds/ip_fields.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void check_canonical_cidr(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  FieldErrors found;
  check_cidr(text, at, found);
  const auto network = parse_ip_prefix_sloppily(text);
  if (found.empty() && network) {
    const std::string canonical = network->masked().to_string();
    if (canonical != text) {
      found.push_back(
          FieldError::invalid(at, Value::string(text),
                              fmt::format("must be in canonical form ({})", quote(canonical))));
    }
  }
  errors.append(std::move(found));
}

std::string_view cidr_family(std::string_view text) {
  const auto network = parse_ip_prefix_sloppily(text);
  if (!network) return {};
  return network->address.unmapped().v4 ? kIpv4 : kIpv6;
}

}  // namespace strake::kinds
