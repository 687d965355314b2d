#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kAdmissionregistrationV1 = R"(
package io.k8s.api.admissionregistration.v1 group admissionregistration.k8s.io version v1
string PatchType
struct ApplyConfiguration
  expression? string
struct JSONPatch
  expression? string
kind MutatingAdmissionPolicy since:1.36
  spec? MutatingAdmissionPolicySpec
kind MutatingAdmissionPolicyBinding since:1.36
  spec? MutatingAdmissionPolicyBindingSpec
struct MutatingAdmissionPolicyBindingSpec
  policyName? string
  paramRef? *ParamRef
  matchResources? *MatchResources
struct MutatingAdmissionPolicySpec
  paramKind? *ParamKind
  matchConstraints? *MatchResources
  variables? []Variable atomic
  mutations? []Mutation atomic
  failurePolicy? *FailurePolicyType
  matchConditions? []MatchCondition map:name merge:name
  reinvocationPolicy? ReinvocationPolicyType
struct Mutation
  patchType PatchType
  applyConfiguration? *ApplyConfiguration
  jsonPatch? *JSONPatch
)";

constinit const std::string_view kAdmissionregistrationV1alpha1 = R"(
package io.k8s.api.admissionregistration.v1alpha1 group admissionregistration.k8s.io version v1alpha1
string FailurePolicyType
string MatchPolicyType
string ParameterNotFoundActionType
string PatchType
struct ApplyConfiguration
  expression? string
struct JSONPatch
  expression? string
struct MatchCondition
  name string
  expression string
struct MatchResources atomic
  namespaceSelector? *meta.LabelSelector
  objectSelector? *meta.LabelSelector
  resourceRules? []NamedRuleWithOperations atomic
  excludeResourceRules? []NamedRuleWithOperations atomic
  matchPolicy? *MatchPolicyType
kind MutatingAdmissionPolicy since:1.32 deprecated:1.35 removed:1.38
  spec? MutatingAdmissionPolicySpec
kind MutatingAdmissionPolicyBinding since:1.32 deprecated:1.35 removed:1.38
  spec? MutatingAdmissionPolicyBindingSpec
struct MutatingAdmissionPolicyBindingSpec
  policyName? string
  paramRef? *ParamRef
  matchResources? *MatchResources
struct MutatingAdmissionPolicySpec
  paramKind? *ParamKind
  matchConstraints? *MatchResources
  variables? []Variable atomic
  mutations? []Mutation atomic
  failurePolicy? *FailurePolicyType
  matchConditions? []MatchCondition map:name merge:name
  reinvocationPolicy? admissionregistration/v1.ReinvocationPolicyType
struct Mutation
  patchType PatchType
  applyConfiguration? *ApplyConfiguration
  jsonPatch? *JSONPatch
struct NamedRuleWithOperations atomic
  resourceNames? []string atomic
  operations? []admissionregistration/v1.OperationType atomic in:RuleWithOperations
  apiGroups? []string atomic in:RuleWithOperations.Rule
  apiVersions? []string atomic in:RuleWithOperations.Rule
  resources? []string atomic in:RuleWithOperations.Rule
  scope? *admissionregistration/v1.ScopeType in:RuleWithOperations.Rule
struct ParamKind atomic
  apiVersion? string
  kind? string
struct ParamRef atomic
  name? string
  namespace? string
  selector? *meta.LabelSelector since:1.28
  parameterNotFoundAction? *ParameterNotFoundActionType since:1.28
struct Variable
  name string
  expression string
)";

constinit const std::string_view kAdmissionregistrationV1beta1 = R"(
package io.k8s.api.admissionregistration.v1beta1 group admissionregistration.k8s.io version v1beta1
string FailurePolicyType
string MatchPolicyType
string ParameterNotFoundActionType
string PatchType
struct ApplyConfiguration
  expression? string
struct JSONPatch
  expression? string
struct MatchCondition
  name string
  expression string
struct MatchResources atomic
  namespaceSelector? *meta.LabelSelector
  objectSelector? *meta.LabelSelector
  resourceRules? []NamedRuleWithOperations atomic
  excludeResourceRules? []NamedRuleWithOperations atomic
  matchPolicy? *MatchPolicyType
kind MutatingAdmissionPolicy since:1.34 deprecated:1.37 removed:1.40 use:admissionregistration.k8s.io/v1/MutatingAdmissionPolicy
  spec? MutatingAdmissionPolicySpec
kind MutatingAdmissionPolicyBinding since:1.34 deprecated:1.37 removed:1.40 use:admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding
  spec? MutatingAdmissionPolicyBindingSpec
struct MutatingAdmissionPolicyBindingSpec
  policyName? string
  paramRef? *ParamRef
  matchResources? *MatchResources
struct MutatingAdmissionPolicySpec
  paramKind? *ParamKind
  matchConstraints? *MatchResources
  variables? []Variable atomic
  mutations? []Mutation atomic
  failurePolicy? *FailurePolicyType
  matchConditions? []MatchCondition map:name merge:name
  reinvocationPolicy? admissionregistration/v1.ReinvocationPolicyType
struct Mutation
  patchType PatchType
  applyConfiguration? *ApplyConfiguration
  jsonPatch? *JSONPatch
struct NamedRuleWithOperations atomic
  resourceNames? []string atomic
  operations? []admissionregistration/v1.OperationType atomic in:RuleWithOperations
  apiGroups? []string atomic in:RuleWithOperations.Rule
  apiVersions? []string atomic in:RuleWithOperations.Rule
  resources? []string atomic in:RuleWithOperations.Rule
  scope? *admissionregistration/v1.ScopeType in:RuleWithOperations.Rule
struct ParamKind atomic
  apiVersion? string
  kind? string
struct ParamRef atomic
  name? string
  namespace? string
  selector? *meta.LabelSelector
  parameterNotFoundAction? *ParameterNotFoundActionType
struct Variable atomic
  name string
  expression string
)";
// clang-format on

}  // namespace strake::kinds::types
