// Admission policies offline.
#include <gmock/gmock.h>

#include "cli/validate/test_validate.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Validate, AsksAdmissionPoliciesWhereTheFieldStands) {
  const std::string file = garden("a", "  beds: 7\n");
  const std::string policies = folder_.write("policies/beds.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: beds}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  validations:
  - expression: object.spec.beds <= int(params.data.most)
    messageExpression: "'at most ' + params.data.most + ' beds'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec:
  policyName: beds
  validationActions: [Deny]
  paramRef: {name: limits, parameterNotFoundAction: Deny}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits}
data: {most: "5"}
)y");
  const Printed got = run({"-s", crd_, "--policies", policies, file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr(file + ":6:9: "));
  EXPECT_THAT(got.out, HasSubstr("ValidatingAdmissionPolicy 'beds' with binding 'few' denied "
                                 "request: at most 5 beds"));
  EXPECT_EQ(run({"-s", crd_, "--policies", policies, garden("b", "  beds: 5\n")}).code,
            ExitCode::kFine);
}

constexpr std::string_view kTidyBeds = R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: b-tidy}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  matchConditions:
  - {name: not-kept, expression: "!has(object.metadata.labels) || !('kept' in object.metadata.labels)"}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "Object{spec: Object.spec{beds: int(params.data.beds)}}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: all}
spec:
  policyName: b-tidy
  paramRef: {name: limits, parameterNotFoundAction: Deny}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a-few}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  validations:
  - expression: object.spec.beds <= 5
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits}
data: {beds: "BEDS"}
)y";

std::string tidy_beds(std::string_view beds) {
  std::string out(kTidyBeds);
  return out.replace(out.find("BEDS"), 4, beds);
}

TEST_F(Validate, ShowsPoliciesAnObjectAsOthersHaveChangedIt) {
  const std::string policies = folder_.write("policies/beds.yaml", tidy_beds("5"));
  EXPECT_EQ(run({"-s", crd_, "--policies", policies, garden("a", "  beds: 7\n")}).code,
            ExitCode::kFine);
  // What a policy leaves must be valid.
  const std::string many = folder_.write("many/beds.yaml", tidy_beds("5000"));
  const Printed got = run({"-s", crd_, "--policies", many, garden("a", "  beds: 7\n")});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("should be less than or equal to 100 (as MutatingAdmissionPolicy "
                                 "'b-tidy' leaves it)"));
  EXPECT_THAT(got.out, Not(HasSubstr("a-few")));
}

TEST_F(Validate, FindsNoFaultInWhatAPolicyMends) {
  const std::string policies = folder_.write("policies/beds.yaml", tidy_beds("5"));
  EXPECT_EQ(run({"-s", crd_, "--policies", policies, garden("a", "  beds: 700\n")}).code,
            ExitCode::kFine);
  // A server refuses unknown fields before it asks the policies.
  const Printed unknown = run({"-s", crd_, "--unknown=strict", "--policies", policies,
                               garden("a", "  beds: 700\n  bedz: 1\n")});
  EXPECT_EQ(unknown.code, ExitCode::kFindings);
  EXPECT_THAT(unknown.out, HasSubstr("bedz"));
  EXPECT_THAT(unknown.out, Not(HasSubstr("less than")));
}

TEST_F(Validate, SaysWhyAPolicyCannotChangeAnObject) {
  std::string text = tidy_beds("many");
  const std::string policies = folder_.write("policies/beds.yaml", text);
  const Printed got = run({"-s", crd_, "--policies", policies, garden("a", "  beds: 1\n")});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("policy 'b-tidy' with binding 'all' denied request: "));
  // Where it may fail, nothing is said.
  text.insert(text.find("  reinvocationPolicy"), "  failurePolicy: Ignore\n");
  const std::string ignored = folder_.write("ignored/beds.yaml", text);
  EXPECT_EQ(run({"-s", crd_, "--policies", ignored, garden("a", "  beds: 1\n")}).code,
            ExitCode::kFine);
}

TEST_F(Validate, ChangesNothingThatItPrintsButTheStoredForm) {
  const std::string policies = folder_.write("policies/beds.yaml", tidy_beds("5"));
  const std::string file = garden("a", "  beds: 7\n");
  EXPECT_THAT(run({"-s", crd_, "--policies", policies, "--print", file}).out, HasSubstr("beds: 5"));
  EXPECT_THAT(run({"-s", crd_, "--policies", policies, "--print", "--preserving", file}).out,
              HasSubstr("beds: 7"));
}

TEST_F(Validate, ShowsAnObjectAgainToAPolicyThatAsksForIt) {
  const std::string policies = folder_.write("policies/again.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: a-second}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: "object.spec.beds == 2 ? [JSONPatch{op: 'replace', path: '/spec/beds', value: 3}] : []"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: b-first}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: "object.spec.beds == 1 ? [JSONPatch{op: 'replace', path: '/spec/beds', value: 2}] : []"
)y");
  EXPECT_THAT(run({"-s", crd_, "--policies", policies, "--print", garden("a", "  beds: 1\n")}).out,
              HasSubstr("beds: 3"));
}

TEST_F(Validate, RefusesPoliciesThatAServerWould) {
  const std::string policies = folder_.write("policies/bad.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: bad}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}
  validations:
  - expression: object.spec.beds >
)y");
  const Printed got = run({"-s", crd_, "--policies", policies, garden("a", "  beds: 1\n")});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err, HasSubstr("ValidatingAdmissionPolicy \"bad\" is invalid: "
                                 "spec.validations[0].expression: Invalid value"));
}

}  // namespace
}  // namespace strake::cli
