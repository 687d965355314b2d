#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kAdmissionregistrationV1 = R"(
package io.k8s.api.admissionregistration.v1 group admissionregistration.k8s.io version v1
string PatchType
struct ApplyConfiguration
  expression? string #1
struct JSONPatch
  expression? string #1
kind MutatingAdmissionPolicy since:1.36
  spec? MutatingAdmissionPolicySpec #2
kind MutatingAdmissionPolicyBinding since:1.36
  spec? MutatingAdmissionPolicyBindingSpec #2
struct MutatingAdmissionPolicyBindingSpec
  policyName? string #1
  paramRef? *ParamRef #2
  matchResources? *MatchResources #3
struct MutatingAdmissionPolicySpec
  paramKind? *ParamKind #1
  matchConstraints? *MatchResources #2
  variables? []Variable #3 atomic
  mutations? []Mutation #4 atomic
  failurePolicy? *FailurePolicyType #5
  matchConditions? []MatchCondition #6 map:name merge:name
  reinvocationPolicy? ReinvocationPolicyType #7
struct Mutation
  patchType PatchType #2
  applyConfiguration? *ApplyConfiguration #3
  jsonPatch? *JSONPatch #4
)";

constinit const std::string_view kAdmissionregistrationV1alpha1 = R"(
package io.k8s.api.admissionregistration.v1alpha1 group admissionregistration.k8s.io version v1alpha1
string FailurePolicyType
string MatchPolicyType
string ParameterNotFoundActionType
string PatchType
struct ApplyConfiguration
  expression? string #1
struct JSONPatch
  expression? string #1
struct MatchCondition
  name string #1
  expression string #2
struct MatchResources atomic
  namespaceSelector? *meta.LabelSelector #1
  objectSelector? *meta.LabelSelector #2
  resourceRules? []NamedRuleWithOperations #3 atomic
  excludeResourceRules? []NamedRuleWithOperations #4 atomic
  matchPolicy? *MatchPolicyType #7
kind MutatingAdmissionPolicy since:1.32 deprecated:1.35 removed:1.38
  spec? MutatingAdmissionPolicySpec #2
kind MutatingAdmissionPolicyBinding since:1.32 deprecated:1.35 removed:1.38
  spec? MutatingAdmissionPolicyBindingSpec #2
struct MutatingAdmissionPolicyBindingSpec
  policyName? string #1
  paramRef? *ParamRef #2
  matchResources? *MatchResources #3
struct MutatingAdmissionPolicySpec
  paramKind? *ParamKind #1
  matchConstraints? *MatchResources #2
  variables? []Variable #3 atomic
  mutations? []Mutation #4 atomic
  failurePolicy? *FailurePolicyType #5
  matchConditions? []MatchCondition #6 map:name merge:name
  reinvocationPolicy? admissionregistration/v1.ReinvocationPolicyType #7
struct Mutation
  patchType PatchType #2
  applyConfiguration? *ApplyConfiguration #3
  jsonPatch? *JSONPatch #4
struct NamedRuleWithOperations atomic
  resourceNames? []string #1 atomic
  operations? []admissionregistration/v1.OperationType #2.1 atomic in:RuleWithOperations
  apiGroups? []string #2.2.1 atomic in:RuleWithOperations.Rule
  apiVersions? []string #2.2.2 atomic in:RuleWithOperations.Rule
  resources? []string #2.2.3 atomic in:RuleWithOperations.Rule
  scope? *admissionregistration/v1.ScopeType #2.2.4 in:RuleWithOperations.Rule
struct ParamKind atomic
  apiVersion? string #1
  kind? string #2
struct ParamRef atomic
  name? string #1
  namespace? string #2
  selector? *meta.LabelSelector #3 since:1.28
  parameterNotFoundAction? *ParameterNotFoundActionType #4 since:1.28
struct Variable
  name string #1
  expression string #2
)";

constinit const std::string_view kAdmissionregistrationV1beta1 = R"(
package io.k8s.api.admissionregistration.v1beta1 group admissionregistration.k8s.io version v1beta1
string FailurePolicyType
string MatchPolicyType
string ParameterNotFoundActionType
string PatchType
struct ApplyConfiguration
  expression? string #1
struct JSONPatch
  expression? string #1
struct MatchCondition
  name string #1
  expression string #2
struct MatchResources atomic
  namespaceSelector? *meta.LabelSelector #1
  objectSelector? *meta.LabelSelector #2
  resourceRules? []NamedRuleWithOperations #3 atomic
  excludeResourceRules? []NamedRuleWithOperations #4 atomic
  matchPolicy? *MatchPolicyType #7
kind MutatingAdmissionPolicy since:1.34 deprecated:1.37 removed:1.40 use:admissionregistration.k8s.io/v1/MutatingAdmissionPolicy
  spec? MutatingAdmissionPolicySpec #2
kind MutatingAdmissionPolicyBinding since:1.34 deprecated:1.37 removed:1.40 use:admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding
  spec? MutatingAdmissionPolicyBindingSpec #2
struct MutatingAdmissionPolicyBindingSpec
  policyName? string #1
  paramRef? *ParamRef #2
  matchResources? *MatchResources #3
struct MutatingAdmissionPolicySpec
  paramKind? *ParamKind #1
  matchConstraints? *MatchResources #2
  variables? []Variable #3 atomic
  mutations? []Mutation #4 atomic
  failurePolicy? *FailurePolicyType #5
  matchConditions? []MatchCondition #6 map:name merge:name
  reinvocationPolicy? admissionregistration/v1.ReinvocationPolicyType #7
struct Mutation
  patchType PatchType #2
  applyConfiguration? *ApplyConfiguration #3
  jsonPatch? *JSONPatch #4
struct NamedRuleWithOperations atomic
  resourceNames? []string #1 atomic
  operations? []admissionregistration/v1.OperationType #2.1 atomic in:RuleWithOperations
  apiGroups? []string #2.2.1 atomic in:RuleWithOperations.Rule
  apiVersions? []string #2.2.2 atomic in:RuleWithOperations.Rule
  resources? []string #2.2.3 atomic in:RuleWithOperations.Rule
  scope? *admissionregistration/v1.ScopeType #2.2.4 in:RuleWithOperations.Rule
struct ParamKind atomic
  apiVersion? string #1
  kind? string #2
struct ParamRef atomic
  name? string #1
  namespace? string #2
  selector? *meta.LabelSelector #3
  parameterNotFoundAction? *ParameterNotFoundActionType #4
struct Variable atomic
  name string #1
  expression string #2
)";
// clang-format on

}  // namespace strake::kinds::types
