#pragma once
// The syntax tree. The parser makes it, macros already expanded; the checker writes types and
// references into it. Nodes live in the arena of their Ast. Every node has an id (1 to `last_id`,
// unique within the tree) and a place in the source.
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "cel/syntax/source.h"
#include "cel/value/type.h"
#include "cel/value/value.h"

namespace strake::cel {

struct Overload;
struct FunctionDecl;
struct Expr;

enum class ExprKind : std::uint8_t {
  kUnspecified,  // stands where the source could not be understood
  kLiteral,
  kIdent,
  kSelect,  // operand.name, or has(operand.name) when test_only
  kCall,
  kList,
  kMap,
  kStruct,
  kComprehension,
};

// An entry of a map literal, or a field of a struct literal.
struct Entry {
  std::uint32_t id = 0;
  std::uint32_t offset = 0;
  bool optional = false;
  Expr* key = nullptr;    // of a map
  std::string_view name;  // of a struct
  Expr* value = nullptr;
};

// range.fold(iter_var[, iter_var2], accu_var = init; while condition; step) gives result.
struct Comprehension {
  std::string_view iter_var;
  std::string_view iter_var2;  // empty for one-variable forms
  Expr* range = nullptr;
  std::string_view accu_var;
  Expr* init = nullptr;
  Expr* condition = nullptr;
  Expr* step = nullptr;
  Expr* result = nullptr;
};

// What the checker found an identifier or call to mean.
struct Reference {
  std::string_view name;                       // fully qualified; empty when there is none
  const Value* constant = nullptr;             // of an enum constant or type name
  std::span<const Overload* const> overloads;  // of a call: every one that may apply
};

struct Expr {
  ExprKind kind = ExprKind::kUnspecified;
  bool test_only = false;   // kSelect made by has()
  bool absolute = false;    // kIdent, kStruct: written with a leading dot
  std::uint16_t depth = 0;  // of operators and selections below it, which the parser bounds
  std::uint32_t id = 0;
  std::uint32_t offset = 0;              // in code points
  std::string_view name;                 // identifier, field, function, struct type
  Expr* target = nullptr;                // select operand, call receiver
  std::span<Expr*> args;                 // call arguments, list items
  std::span<const bool> optional_items;  // list items written [?x]; empty when there are none
  std::span<Entry> entries;
  Value literal;
  Comprehension* comprehension = nullptr;

  // Written by the checker.
  const Type* type = nullptr;
  Reference reference;
};

struct Ast {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  Source source;
  Expr* root = nullptr;
  std::uint32_t last_id = 0;
  bool checked = false;
};

}  // namespace strake::cel
