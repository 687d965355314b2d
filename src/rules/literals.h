#pragma once
// Literals that are judged before an expression runs.
#include <optional>
#include <string>

#include "cel/ast.h"
#include "cel/source.h"

namespace strake::rules {

// Literals of lists and maps in a checked tree whose parts are of several types, but for those that
// format is given.
cel::Issues check_literals(const cel::Ast& ast);

// Why a program could not be made of the tree: a pattern of find or findAll that is none.
std::optional<std::string> find_pattern_fault(const cel::Ast& ast);

}  // namespace strake::rules
