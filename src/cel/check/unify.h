#pragma once
// Type inference: type variables, what may stand for what, and substitution. One Unifier serves one
// check.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/value/type.h"

namespace strake::cel {

class Unifier {
 public:
  explicit Unifier(Arena& arena) : arena_(arena), make_(arena) {}

  const Type* new_variable();
  // The type with its parameters replaced by fresh variables; `fresh` runs parallel to `params`.
  const Type* instantiate(const Type* type, std::span<const Type* const> params,
                          std::span<const Type* const> fresh);
  // Whether values of one may stand for values of the other. Binds variables when so, and only
  // then.
  bool assignable(const Type* a, const Type* b);
  bool assignable(std::span<const Type* const> a, std::span<const Type* const> b);
  // The type with bound variables replaced, and unbound ones by dyn if so asked.
  const Type* substitute(const Type* type, bool unbound_to_dyn);
  // Which of two assignable types takes in the other.
  static const Type* most_general(const Type* a, const Type* b);

 private:
  struct Undo {
    std::uint32_t variable;
    const Type* previous;
  };
  bool assign(const Type* a, const Type* b);
  bool assign_all(std::span<const Type* const> a, std::span<const Type* const> b);
  struct Substitution {
    bool valid;
    bool bound;
  };
  Substitution stands_for(const Type* type, const Type* variable);
  bool occurs(const Type* variable, const Type* within) const;
  const Type* binding(const Type* variable) const;
  void bind(const Type* variable, const Type* to);
  template <typename Rewrite>
  const Type* rebuild(const Type* type, Rewrite rewrite);

  Arena& arena_;
  TypeFactory make_;
  std::vector<const Type*> bindings_;
  std::vector<Undo> undo_;
};

}  // namespace strake::cel
