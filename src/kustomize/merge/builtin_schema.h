#pragma once
// The built-in table as a Swagger document, so that it and documents of users go one way.
#include <cstdint>
#include <optional>
#include <string_view>

#include "value/document.h"

namespace strake::kustomize {

// {definitions: {...}}, made on first use and shared.
const value::Document& builtin_schema();

enum class Scope : std::uint8_t { kNamespaced, kCluster };
// Nothing for kinds that the table does not know.
std::optional<Scope> builtin_scope(std::string_view api_version, std::string_view kind);

}  // namespace strake::kustomize
