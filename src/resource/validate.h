#pragma once
// The second half of every write: a settled object is judged by every rule of the API server, in
// its order.
#include <cstdint>
#include <string>
#include <vector>

#include "resource/kind.h"
#include "resource/rule_runner.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::resource {

struct Verdict {
  value::FieldErrors errors;
  std::vector<std::string> warnings;
  std::int64_t rule_cost = 0;  // of the schema's rules, in units of CEL
};

// `rules` may be null: then the schema's rules are not run.
Verdict validate_create(const value::Value& object, const Kind& kind, const RuleRunner* rules);
Verdict validate_update(const value::Value& object, const value::Value& old, const Kind& kind,
                        const RuleRunner* rules);
// A write of the status subresource: only the status part is judged by the schema.
Verdict validate_status_update(const value::Value& object, const value::Value& old,
                               const Kind& kind, const RuleRunner* rules);

}  // namespace strake::resource
