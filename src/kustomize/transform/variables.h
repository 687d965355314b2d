#pragma once
// The deprecated field `vars`: $(NAME) in known fields becomes the value of another field.
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/tree/field_spec.h"
#include "kustomize/tree/resource_set.h"

namespace strake::kustomize {

class VariableSet {
 public:
  // Those of one kustomization, bound to resources that are there now. Fails with kConflict when a
  // name was met before, or a reference fits several resources.
  Result<> add(const std::vector<Variable>& variables, ResourceSet& set);
  // Those of a base.
  Result<> add(const VariableSet& below);
  // Puts the values in. Fails with kNotFound for a variable whose field is not there.
  Result<> resolve(ResourceSet& set, const FieldSpecs& specs, BuildContext& context) const;

 private:
  Result<> insert(Variable variable);

  std::map<std::string, Variable> variables_;
};

}  // namespace strake::kustomize
