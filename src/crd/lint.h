#pragma once
// What there is to say about a CRD before it meets a server: what the server would refuse, and what
// it would take although the author can hardly have meant it. Every remark has a stable code;
// docs/crd-lint.md has a section for each.
//
//   std::vector<RuleCost> costs;
//   CrdRules compiler(&costs);
//   for (const Lint& one : lint(crd, unknown, {.compiler = &compiler})) ...
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "crd/crd.h"
#include "crd/rule_compiler.h"

namespace strake::crd {

struct LintCode {
  std::string_view code;
  bool refused = false;    // the server would not take such a CRD
  bool by_default = true;  // looked for unless asked otherwise
  std::string_view summary;
};
// All there are, sorted by code.
std::span<const LintCode> lint_codes();
const LintCode* find_lint_code(std::string_view code);  // null when there is none

struct Lint {
  const LintCode* code = nullptr;
  FieldPath path;       // in the CRD as it was written
  std::string message;  // for refusals the server's own words
  std::string hint;     // what to do; may be empty
};

struct LintOptions {
  RuleCompiler* compiler = nullptr;  // without one, rules are checked for form only
  // Which codes are wanted; the default ones when empty.
  std::function<bool(const LintCode&)> wanted;
};

// The CRD as Crd::read gave it, prepared for creation; `unknown` are the fields that were dropped
// then. Refusals come first, in the server's order, then the rest in the order of the schemas. A
// schema that all versions share is looked at once.
std::vector<Lint> lint(const Crd& crd, std::span<const std::string> unknown,
                       const LintOptions& options = {});

}  // namespace strake::crd
