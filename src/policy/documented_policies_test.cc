// Policies as people publish them: the examples of the Kubernetes documentation, typed anew, on
// objects that they are meant for and on others.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/check_expressions.h"
#include "policy/validating_policy.h"
#include "value/yaml_reader.h"

namespace strake::policy {
namespace {

struct Example {
  std::string_view name;
  std::string_view spec;
  std::string_view accepted;  // object, oldObject, params, namespace as members
  std::string_view refused;
  std::string_view message;
};

constexpr Example kExamples[] = {
    {"at most five replicas", R"y(
validations:
- expression: object.spec.replicas <= 5
)y",
     "object: {spec: {replicas: 5}}", "object: {spec: {replicas: 6}}",
     "failed expression: object.spec.replicas <= 5"},
    {"replicas by parameter", R"y(
paramKind: {apiVersion: rules.example.com/v1, kind: ReplicaLimit}
validations:
- expression: object.spec.replicas <= params.maxReplicas
  messageExpression: "'object.spec.replicas must be no greater than ' + string(params.maxReplicas)"
)y",
     "{object: {spec: {replicas: 3}}, params: {maxReplicas: 3}}",
     "{object: {spec: {replicas: 4}}, params: {maxReplicas: 3}}",
     "object.spec.replicas must be no greater than 3"},
    {"images of one registry, by environment", R"y(
variables:
- name: environment
  expression: "'environment' in namespaceObject.metadata.labels ? namespaceObject.metadata.labels['environment'] : 'prod'"
- name: exempt
  expression: "has(object.metadata.labels) && 'exempt' in object.metadata.labels && object.metadata.labels['exempt'] == 'true'"
- name: containers
  expression: object.spec.template.spec.containers
- name: containersToCheck
  expression: variables.containers.filter(c, c.image.contains('example.com/'))
validations:
- expression: variables.exempt || variables.containersToCheck.all(c, c.image.startsWith(variables.environment + '.'))
  messageExpression: "'only ' + variables.environment + ' images are allowed in namespace ' + namespaceObject.metadata.name"
)y",
     R"({object: {metadata: {labels: {a: b}}, spec: {template: {spec: {containers: [{image: test.example.com/a}, {image: other/b}]}}}},
         namespace: {metadata: {name: apps, labels: {environment: test}}}})",
     R"({object: {metadata: {}, spec: {template: {spec: {containers: [{image: prod.example.com/a}]}}}},
         namespace: {metadata: {name: apps, labels: {environment: test}}}})",
     "only test images are allowed in namespace apps"},
    {"containers that do not run as root", R"y(
validations:
- expression: >-
    object.spec.template.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.runAsNonRoot) &&
    c.securityContext.runAsNonRoot)
  message: all containers must set runAsNonRoot to true
  reason: Forbidden
)y",
     "object: {spec: {template: {spec: {containers: [{securityContext: {runAsNonRoot: true}}]}}}}",
     "object: {spec: {template: {spec: {containers: [{securityContext: {}}, {}]}}}}",
     "all containers must set runAsNonRoot to true"},
    {"a label that stays", R"y(
validations:
- expression: oldObject == null || object.metadata.labels['team'] == oldObject.metadata.labels['team']
  messageExpression: "'team is ' + oldObject.metadata.labels['team']"
)y",
     "{object: {metadata: {labels: {team: a}}}, oldObject: {metadata: {labels: {team: a}}}}",
     "{object: {metadata: {labels: {team: b}}}, oldObject: {metadata: {labels: {team: a}}}}",
     "team is a"},
    {"quantities", R"y(
validations:
- expression: >-
    object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits &&
    quantity(c.resources.limits['memory']).compareTo(quantity('1Gi')) <= 0)
  message: at most 1Gi
)y",
     "object: {spec: {containers: [{resources: {limits: {memory: 512Mi}}}]}}",
     "object: {spec: {containers: [{resources: {limits: {memory: 2Gi}}}]}}", "at most 1Gi"},
    {"hosts and addresses", R"y(
validations:
- expression: object.spec.rules.all(r, r.host.matches('^[a-z]+\\.example\\.com$') && isURL('https://' + r.host))
  message: hosts
- expression: object.spec.addresses.all(a, isIP(a) && cidr('10.0.0.0/8').containsIP(ip(a)))
  message: addresses
)y",
     "object: {spec: {rules: [{host: a.example.com}], addresses: [10.1.2.3]}}",
     "object: {spec: {rules: [{host: a.example.com}], addresses: [11.1.2.3]}}", "addresses"},
};

std::vector<std::string> denials(const Example& example, std::string_view told) {
  const value::Document policy = value::read_yaml(fmt::format("spec:\n{}",
                                                              [&] {
                                                                std::string out;
                                                                for (const char c : example.spec) {
                                                                  out += c;
                                                                  if (c == '\n') out += "  ";
                                                                }
                                                                return out;
                                                              }()))
                                     .value();
  value::FieldErrors errors;
  check_validating_expressions({.spec = policy.root().get("spec")}, FieldPath() / "spec", errors);
  EXPECT_TRUE(errors.empty()) << example.name << ": " << value::aggregate(errors);
  const value::Document given = value::read_yaml(told).value();
  const auto part = [&](std::string_view key) { return given.root().find(key); };
  Arena arena;
  const Judgement judgement = ValidatingPolicy(policy.root())
                                  .judge({.object = part("object"),
                                          .old_object = part("oldObject"),
                                          .namespace_object = part("namespace"),
                                          .params = part("params")},
                                         arena);
  std::vector<std::string> out;
  for (const Decision& one : judgement.decisions) {
    if (one.denied) out.push_back(one.message);
  }
  return out;
}

TEST(DocumentedPolicies, JudgeAsTheirAuthorsMeantThemTo) {
  for (const Example& example : kExamples) {
    EXPECT_THAT(denials(example, example.accepted), ::testing::IsEmpty()) << example.name;
    EXPECT_THAT(denials(example, example.refused),
                ::testing::ElementsAre(std::string(example.message)))
        << example.name;
  }
}

}  // namespace
}  // namespace strake::policy
