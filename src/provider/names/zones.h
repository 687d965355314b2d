#pragma once
// Availability zones in two vocabularies: "<region>-<index>", which is recommended in declarations,
// and the provider's own index. Both are accepted everywhere; drivers convert where they ask the
// provider or answer.
#include <span>
#include <string>
#include <string_view>

#include "provider/failure.h"

namespace strake::provider {

// "japaneast-1" and "1" are "1". What does not end in "-<digits>" stays as it is.
std::string native_zone(std::string_view zone);
// "1" is "japaneast-1" in japaneast. What is no such index stays as it is.
std::string neutral_zone(std::string_view location, std::string_view native);
// Whether both are the same zones, in whichever order and vocabulary.
bool same_zones(std::span<const std::string> a, std::span<const std::string> b);

// A zone is the value of a label: 1 to 63 characters. Fails with kValidation.
Outcome<> check_zone(std::string_view zone);

}  // namespace strake::provider
