// Any text as the specs of policies and as the object that they see: nothing may crash, and what
// was refused when it was written must not evaluate.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/check_expressions.h"
#include "policy/mutating_policy.h"
#include "policy/validating_policy.h"
#include "value/json_reader.h"

namespace strake::policy {
namespace {

void run(std::string_view text) {
  const auto document = value::read_json(text, value::ReadOptions::as_api_server());
  if (!document) return;
  const value::Value& root = document->root();
  const value::Value& spec = root.get("spec");
  value::FieldErrors errors;
  check_validating_expressions({.spec = spec, .before = &spec}, FieldPath() / "spec", errors);
  check_mutating_expressions({.spec = spec, .before = &spec}, FieldPath() / "spec", errors);
  const Inputs inputs{.object = &root.get("object"),
                      .old_object = &root.get("oldObject"),
                      .request = &root.get("request"),
                      .params = &root.get("params")};
  Arena arena;
  static_cast<void>(ValidatingPolicy(root).judge(inputs, arena));
  const MutatingPolicy mutating(root);
  for (std::size_t i = 0; i < mutating.mutations(); ++i)
    static_cast<void>(mutating.mutate(i, inputs, nullptr, arena));
}

}  // namespace
}  // namespace strake::policy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  strake::policy::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
