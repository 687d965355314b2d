#pragma once
// What expressions are compiled against. An Environment is built once from libraries and shared by
// every thread; a Scope adds the variables of one place where expressions are used.
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cel/env/function.h"
#include "cel/value/type.h"
#include "cel/value/value.h"

namespace strake::cel {

struct CompileLimits {
  std::uint32_t recursion = 250;        // of each grammar rule
  std::uint32_t code_points = 100'000;  // of the expression
  std::uint32_t syntax_errors = 30;     // recoveries before giving up
  std::uint32_t nodes = 200'000;        // of the syntax tree after macros
};

struct EnvironmentOptions {
  CompileLimits limits;
  bool optional_syntax = true;        // a.?b, a[?k], [?x]
  bool escaped_identifiers = true;    // a.`b-c`
  bool homogeneous_literals = false;  // list and map literals of mixed types are refused
  // Literal texts of durations, timestamps and regular expressions that would fail are refused when
  // checking.
  bool validate_literals = false;
  bool macros = true;
  // has(x.f), x.?f and the like on a value without fields: an error, or simply not there as in
  // Kubernetes.
  bool error_on_bad_presence_test = true;
};

// Object types that are not shapes: messages with fields by name.
class TypeProvider {
 public:
  virtual ~TypeProvider() = default;
  // The type of that full name, or null.
  virtual const Type* find_type(std::string_view name) const = 0;
  // The declared type of a field of the type of that full name, or null.
  virtual const Type* find_field(std::string_view type, std::string_view field) const = 0;
  // An enum constant of that full name.
  virtual std::optional<std::int64_t> find_enum(std::string_view name) const = 0;
  // A struct literal: the fields that are to be set, in order of appearance.
  struct FieldValue {
    std::string_view name;
    Value value;
  };
  virtual Value make(std::string_view type, std::span<const FieldValue> fields,
                     Arena& arena) const = 0;
};

class Environment {
 public:
  // Later libraries add overloads to the functions of earlier ones. Libraries must outlive the
  // environment.
  explicit Environment(std::span<const Library* const> libraries, EnvironmentOptions options = {});

  const EnvironmentOptions& options() const { return options_; }
  const FunctionDecl* find_function(std::string_view name) const;
  const Macro* find_macro(std::string_view name, bool member, std::size_t arguments) const;
  const Constant* find_constant(std::string_view name) const;
  // Whether a constant's or function's dotted name starts with this segment.
  bool starts_dotted_name(std::string_view first_segment) const;

 private:
  EnvironmentOptions options_;
  std::unordered_map<std::string_view, FunctionDecl> functions_;
  std::unordered_map<std::string_view, std::vector<Macro>> macros_;
  std::unordered_map<std::string_view, Constant> constants_;
  std::unordered_set<std::string_view> first_segments_;
};

struct Variable {
  std::string_view name;
  const Type* type = &types::dyn;
};

// Everything it points at must outlive compilation. A program needs the environment and provider
// later too.
struct Scope {
  const Environment* environment = nullptr;
  std::string_view container{};
  std::span<const Variable> variables{};
  const TypeProvider* types = nullptr;
};

// The names that `name` may mean inside a container: in `a.b`, x is a.b.x, a.x, then x.
std::vector<std::string> candidate_names(std::string_view container, std::string_view name);

}  // namespace strake::cel
