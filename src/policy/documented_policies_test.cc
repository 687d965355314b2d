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
    {"only those that the parameter names, and any without one", R"y(
paramKind: {apiVersion: v1, kind: ConfigMap}
variables:
- {name: allowed, expression: "params == null ? [] : params.data.storageClasses.split(',')"}
validations:
- expression: params == null || object.spec.storageClassName in variables.allowed
  messageExpression: "object.spec.storageClassName + ' is not one of ' + variables.allowed.join(', ')"
)y",
     "{object: {spec: {storageClassName: fast}}, params: {data: {storageClasses: 'fast,slow'}}}",
     "{object: {spec: {storageClassName: free}}, params: {data: {storageClasses: 'fast,slow'}}}",
     "free is not one of fast, slow"},
    {"no privileged containers of any sort", R"y(
variables:
- name: containers
  expression: >-
    object.spec.containers + (has(object.spec.initContainers) ? object.spec.initContainers : []) +
    (has(object.spec.ephemeralContainers) ? object.spec.ephemeralContainers : [])
- name: bad
  expression: >-
    variables.containers.filter(c, has(c.securityContext) && has(c.securityContext.privileged) &&
    c.securityContext.privileged).map(c, c.name)
validations:
- expression: size(variables.bad) == 0
  messageExpression: "'privileged: ' + variables.bad.join(', ')"
)y",
     "object: {spec: {containers: [{name: a}]}}",
     "object: {spec: {containers: [{name: a}], initContainers: [{name: b, securityContext: "
     "{privileged: true}}]}}",
     "privileged: b"},
    {"images by digest", R"y(
validations:
- expression: object.spec.containers.all(c, c.image.matches('@sha256:[a-f0-9]{64}$'))
  messageExpression: >-
    'without a digest: ' + object.spec.containers.filter(c, !c.image.matches('@sha256:')).map(c, c.image)[0]
)y",
     "object: {spec: {containers: [{image: "
     "'x/a@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'}]}}",
     "object: {spec: {containers: [{image: 'x/a:latest'}]}}", "without a digest: x/a:latest"},
    {"host paths of one folder", R"y(
validations:
- expression: >-
    !has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath) || v.hostPath.path.startsWith('/srv/'))
  message: only below /srv
)y",
     "object: {spec: {volumes: [{hostPath: {path: /srv/a}}, {emptyDir: {}}]}}",
     "object: {spec: {volumes: [{hostPath: {path: /etc}}]}}", "only below /srv"},
    {"a field that may be set once", R"y(
validations:
- expression: oldObject == null || !has(oldObject.spec.owner) || object.spec.?owner == oldObject.spec.?owner
  message: owner is immutable once set
)y",
     "{object: {spec: {owner: a}}, oldObject: {spec: {}}}",
     "{object: {spec: {}}, oldObject: {spec: {owner: a}}}", "owner is immutable once set"},
};

// The expressions that the documentation of CEL in Kubernetes shows, and its libraries. All are
// true of the object.
struct LibraryUse {
  std::string_view expression;
  std::string_view object;
};

constexpr LibraryUse kLibraryUses[] = {
    {"object.minReplicas <= object.replicas && object.replicas <= object.maxReplicas",
     "{minReplicas: 1, replicas: 2, maxReplicas: 3}"},
    {"'Available' in object.stateCounts", "{stateCounts: {Available: 1}}"},
    {"(object.list1.size() == 0) != (object.list2.size() == 0)", "{list1: [], list2: [1]}"},
    {"object.envars.filter(e, e.name == 'MY_ENV').all(e, e.value.matches('^[a-zA-Z]*$'))",
     "{envars: [{name: MY_ENV, value: abc}, {name: other, value: '1'}]}"},
    {"object.health.startsWith('ok')", "{health: ok then}"},
    {"object.widgets.exists(w, w.key == 'x' && w.foo < 10)",
     "{widgets: [{key: y, foo: 1}, {key: x, foo: 9}]}"},
    {"type(object.v) == string ? object.v == '99%' : object.v == 42", "{v: 99%}"},
    {"type(object.v) == string ? object.v == '99%' : object.v == 42", "{v: 42}"},
    {"object.set1.all(e, !(e in object.set2))", "{set1: [1, 2], set2: [3]}"},
    {"object.names.size() == object.details.size() && object.names.all(n, n in object.details)",
     "{names: [a], details: {a: {}}}"},
    {"size(object.clusters.filter(c, c.name == object.primary)) == 1",
     "{clusters: [{name: a}, {name: b}], primary: a}"},
    {"timestamp(object.created) + duration(object.ttl) < timestamp(object.expired)",
     "{created: '2024-01-01T00:00:00Z', ttl: 1h, expired: '2024-01-01T02:00:00Z'}"},
    // Lists.
    {"object.names.isSorted() && object.numbers.sum() == 6 && object.numbers.max() == 3",
     "{names: [a, b], numbers: [1, 3, 2]}"},
    {"object.names.indexOf('b') == 1 && object.names.lastIndexOf('b') == 2", "{names: [a, b, b]}"},
    {"sets.contains(object.a, [1, 2]) && sets.intersects(object.a, [9, 3]) && "
     "sets.equivalent(object.a, [3, 2, 1])",
     "{a: [1, 2, 3]}"},
    // Regular expressions.
    {"object.text.find('[0-9]+') == '12' && object.text.findAll('[0-9]+').size() == 2",
     "{text: a12b34}"},
    // URLs.
    {"url(object.u).getHostname() == 'example.com' && url(object.u).getPort() == '8080' && "
     "url(object.u).getQuery()['a'][0] == '1'",
     "{u: 'https://example.com:8080/x?a=1'}"},
    {"isURL(object.u) && !isURL('../x')", "{u: 'https://[::1]/'}"},
    // Addresses.
    {"ip(object.a).family() == 4 && ip(object.b).isLoopback() && !isIP('1.2.3')",
     "{a: 10.0.0.1, b: '::1'}"},
    {"cidr(object.c).containsCIDR('10.1.0.0/16') && cidr(object.c).prefixLength() == 8",
     "{c: 10.0.0.0/8}"},
    // Quantities.
    {"quantity(object.q).isGreaterThan(quantity('200M')) && "
     "quantity(object.q).add(1000).compareTo(quantity(object.q)) == 1 && isQuantity('1.3Gi')",
     "{q: 1Gi}"},
    // Formats and versions.
    {"!format.dns1123Label().validate(object.good).hasValue() && "
     "format.dns1123Label().validate(object.bad).hasValue()",
     "{good: my-name, bad: My_Name}"},
    {"semver(object.v).isGreaterThan(semver('1.2.2')) && semver(object.v).minor() == 2 && "
     "!isSemver('1.2')",
     "{v: 1.2.3}"},
    // Texts and optional values.
    {"'%s-%d'.format([object.a, 3]) == 'x-3' && object.a.upperAscii() == 'X' && "
     "object.?b.orValue('none') == 'none'",
     "{a: x}"},
    {"object.m.all(k, v, k.size() == v) && object.l.exists(i, e, i == 1 && e == 'b')",
     "{m: {ab: 2, abc: 3}, l: [a, b]}"},
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

TEST(DocumentedPolicies, HaveTheLibrariesOfKubernetes) {
  for (const LibraryUse& one : kLibraryUses) {
    const std::string spec =
        fmt::format("\nvalidations:\n- expression: >-\n    {}\n", one.expression);
    Example whole{
        .name = one.expression, .spec = spec, .accepted = {}, .refused = {}, .message = {}};
    EXPECT_THAT(denials(whole, fmt::format("object: {}", one.object)), ::testing::IsEmpty())
        << one.expression;
    const std::string negated =
        fmt::format("\nvalidations:\n- expression: >-\n    !({})\n", one.expression);
    whole.spec = negated;
    EXPECT_EQ(denials(whole, fmt::format("object: {}", one.object)).size(), 1u) << one.expression;
  }
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
