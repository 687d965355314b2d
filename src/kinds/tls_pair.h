#pragma once
// A first look at a certificate and its key in PEM form: whether each is there at all, in Go's
// words. What the blocks hold is not judged.
#include <optional>
#include <string>
#include <string_view>

namespace strake::kinds {

std::optional<std::string> tls_pair_fault(std::string_view certificate, std::string_view key);

}  // namespace strake::kinds
