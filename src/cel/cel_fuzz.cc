// Any bytes as an expression: parsed, checked, planned and, when small, evaluated over a document
// within a cost limit.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cel/compile.h"
#include "cel/lib/library.h"
#include "cel/value/format_value.h"
#include "value/json_reader.h"

namespace {

using namespace strake;
using namespace strake::cel;

constexpr std::size_t kMaxText = 4096;
constexpr std::uint32_t kMaxEvaluatedNodes = 300;

const Environment& environment() {
  static const Library* const kLibraries[] = {
      &standard_library(), &optionals_library(), &strings_library(),      &lists_library(),
      &sets_library(),     &math_library(),      &two_variable_library(), &encoders_library(),
      &bindings_library(), &block_library()};
  static const Environment env(kLibraries);
  return env;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data),
                              size < kMaxText ? size : kMaxText);
  static const value::Document document =
      value::read_json(
          R"({"s":"text","n":3,"f":1.5,"l":["a","b",""],"m":{"k":"v"},"o":[{"x":1},{"x":2}],"z":null})")
          .value();
  static const Variable variables[] = {{"self"}, {"n", &types::integer}, {"s", &types::string}};
  const Scope scope{.environment = &environment(), .variables = variables};
  auto ast = parse(text, environment());
  if (!ast) {
    if (ast.error().to_string().empty()) std::abort();
    return 0;
  }
  Arena arena;
  const Value values[] = {Value::from_node(document.root(), nullptr, arena), Value::integer(7),
                          Value::string("\xC3\xA9t\xC3\xA9")};
  auto evaluate = [&] {
    if (ast->last_id > kMaxEvaluatedNodes) return;
    CostTracker cost{.limit = 10'000};
    const Program program = plan(*ast, scope);  // the result may point into it
    const Value result = program.evaluate({.variables = values, .cost = &cost}, arena);
    if (to_literal(result, arena).empty()) std::abort();
  };
  evaluate();  // unchecked trees meet values of every type
  if (const auto checked = check(*ast, scope); !checked) {
    if (checked.error().to_string(ast->source).empty()) std::abort();
    return 0;
  }
  evaluate();
  return 0;
}
