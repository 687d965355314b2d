#pragma once
// What binds a policy: to which requests, with which parameters, to what effect.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admission/match/match.h"
#include "meta/gvk.h"
#include "meta/selectors.h"
#include "value/value.h"

namespace strake::admission {

// Where the parameters of a binding are.
struct ParamRef {
  std::string name;            // one object, or
  std::string namespace_name;  // empty for that of the request
  std::optional<Result<meta::LabelSelector>> selector;
  bool deny_missing = false;
};

struct Binding {
  explicit Binding(const value::Value& binding);

  std::string name;
  std::string policy;
  std::optional<Match> match;  // none for all that the policy is about
  std::optional<ParamRef> params;
  // validationActions
  bool denies = false;
  bool warns = false;
  bool audits = false;
  std::vector<std::string> actions;  // in their order
};

}  // namespace strake::admission
