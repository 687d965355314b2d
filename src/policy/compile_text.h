#pragma once
// The steps that all expressions of the server's own objects go through. Internal to policy.
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "cel/compile.h"

namespace strake::policy {

// Parses and checks: the faults as the compiler prints them, or a tree.
std::expected<cel::Ast, std::string> checked_tree(std::string_view text, const cel::Scope& scope);

// Why the type is not one of those wanted; empty when it is, or when any will do.
std::string type_fault(const cel::Type& type, std::span<const cel::Type* const> wanted);

}  // namespace strake::policy
