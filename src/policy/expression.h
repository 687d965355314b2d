#pragma once
// Expressions of admission policies, compiled in the environment of kube-apiserver 1.36: object,
// oldObject, request, namespaceObject, params, authorizer, and the variables of the policy, which
// see those before them.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/eval/program.h"
#include "cel/value/shape.h"
#include "policy/types.h"

namespace strake::policy {

// The place of each among the variables of a program.
enum class Slot : std::uint8_t {
  kObject,
  kOldObject,
  kNamespace,
  kRequest,
  kParams,
  kAuthorizer,
  kRequestResource,
  kVariables,
};
inline constexpr std::size_t kSlots = 8;

struct Expression {
  std::string text;
  std::optional<cel::Program> program;
  std::string fault = {};      // why there is none
  bool fault_is_ours = false;  // not the text's: a program could not be made of it
  bool empty() const { return text.empty(); }
};

// What an expression may name beside the object and the request.
struct Offered {
  bool params = false;
  bool authorizer = true;
  bool variables = true;
  bool patches = false;  // Object{} and JSONPatch{}
};

// What an expression must give.
enum class Gives : std::uint8_t {
  kBool,
  kString,
  kStringOrNull,
  kAny,
  kObject,       // an apply configuration
  kJsonPatches,  // a list of JSONPatch
};

// Types of the objects, where they are known: null stands for dyn. Must outlive the compiler.
struct KnownTypes {
  const cel::Type* object = nullptr;
  const cel::Type* params = nullptr;
};

// Compiles the expressions of one policy. Programs need it, so it must outlive them.
class Compiler {
 public:
  explicit Compiler(KnownTypes known = {}) : known_(known) {}

  // Texts that are stored already may use what this version of Kubernetes has; new ones only what
  // the version before it had, so that a server can be rolled back.
  Expression compile(std::string_view text, Gives gives, const Offered& offered, bool stored) const;
  // The same for a variable, which later expressions may name.
  Expression compile_variable(std::string_view name, std::string_view text, const Offered& offered,
                              bool stored);
  // What is wrong with the text, whatever it gives, in the words of the CEL compiler alone; empty
  // when nothing is.
  std::string check(std::string_view text, const Offered& offered) const;
  // The same of a variable, which later texts may name all the same.
  void check_variable(std::string_view name, std::string_view text, const Offered& offered);

 private:
  // Declares the variable of that name in the types, unless they are null.
  Expression compile(std::string_view text, Gives gives, const Offered& offered, bool stored,
                     Types* declare_in, std::string_view name) const;

  KnownTypes known_;
  Types types_;
  PatchTypes patch_types_{types_};
};

}  // namespace strake::policy
