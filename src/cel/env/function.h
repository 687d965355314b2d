#pragma once
// Functions of CEL as data: an overload is a signature, a function pointer and its cost. Libraries
// group them.
//
//   Library library("example");
//   library.function("size").global("size_string", {&types::string}, &types::integer,
//   size_of_string)
//                           .member("string_size", {&types::string}, &types::integer,
//                           size_of_string);
//
// A Library owns everything it declares and must outlive environments that use it; it is immutable
// once in use.
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/value/type.h"
#include "cel/value/value.h"

namespace strake::cel {

class TimeZones;
struct Expr;
class MacroContext;

// What a call site keeps from planning to evaluation, such as a compiled regular expression.
struct Prepared {
  virtual ~Prepared() = default;
};

struct EvalContext {
  Arena& arena;
  const Prepared* prepared = nullptr;  // of the call being made, or null

  Value error(std::string_view message) const { return Value::error(message, arena); }
};

// Gets arguments whose kinds fit the overload's parameters (the receiver first); errors never reach
// it unless the overload is lenient.
using Function = Value (*)(EvalContext& context, std::span<const Value> args);
// What one call cost at run time, from what it was given and gave back. Null in an overload
// means 1.
using RuntimeCost = std::uint64_t (*)(std::span<const Value> args, const Value& result);
// Called while planning with the arguments that are constants (null for others). May return
// nothing.
using Prepare = std::unique_ptr<Prepared> (*)(std::span<const Value* const> args);

struct Overload {
  std::string_view id;
  bool member = false;
  bool lenient = false;                 // takes error arguments too
  std::span<const Type* const> params;  // of a member: the receiver first
  const Type* result = &types::dyn;
  std::span<const Type* const> type_params;  // those that occur in it
  Function function = nullptr;
  RuntimeCost cost = nullptr;
  Prepare prepare = nullptr;

  // Whether the kinds of these values fit the parameters.
  bool accepts(std::span<const Value> args) const;
};

struct FunctionDecl {
  std::string_view name;
  std::vector<const Overload*> overloads;
};

// Rewrites a call while parsing. Returns the replacement, null to keep the call, and reports
// through the context.
using Expander = Expr* (*)(MacroContext& context, Expr* target, std::span<Expr* const> args);

struct Macro {
  std::string_view name;
  bool member = false;
  int arguments = 0;  // -1: any number
  Expander expand = nullptr;
};

// A name that stands for a value: an enum constant, a type name.
struct Constant {
  std::string_view name;
  const Type* type = nullptr;
  Value value;
};

class Library {
 public:
  explicit Library(std::string_view name);
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  class FunctionBuilder {
   public:
    FunctionBuilder& global(std::string_view id, std::initializer_list<const Type*> params,
                            const Type* result, Function function);
    FunctionBuilder& member(std::string_view id, std::initializer_list<const Type*> params,
                            const Type* result, Function function);
    // These speak of the overload added last.
    FunctionBuilder& lenient();
    FunctionBuilder& cost(RuntimeCost cost);
    FunctionBuilder& prepare(Prepare prepare);

   private:
    friend class Library;
    FunctionBuilder(Library& library, FunctionDecl& function)
        : library_(library), function_(function) {}
    FunctionBuilder& add(bool member, std::string_view id,
                         std::initializer_list<const Type*> params, const Type* result,
                         Function function);
    Library& library_;
    FunctionDecl& function_;
    Overload* last_ = nullptr;
  };

  FunctionBuilder function(std::string_view name);
  void macro(Macro macro) { macros_.push_back(macro); }
  void constant(std::string_view name, const Type* type, Value value);
  // A type expressions may name: constant `name` of type type(T).
  void type_name(std::string_view name, const Type* type);

  TypeFactory& types() { return types_; }
  std::string_view name() const { return name_; }
  const std::deque<FunctionDecl>& functions() const { return functions_; }
  std::span<const Macro> macros() const { return macros_; }
  std::span<const Constant> constants() const { return constants_; }

 private:
  std::string name_;
  Arena arena_;
  TypeFactory types_{arena_};
  std::deque<FunctionDecl> functions_;
  std::deque<Overload> overloads_;
  std::vector<Macro> macros_;
  std::vector<Constant> constants_;
};

}  // namespace strake::cel
