#include <gtest/gtest.h>

#include "kinds/pods/check_test_pods.h"

namespace strake::kinds::testing {
namespace {

struct Case {
  std::string_view what;
  std::string pod;
  std::string_view errors;
};

void expect_errors(std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(errors_of_pod(one.pod), one.errors) << one.what;
}

std::string init_with(std::string_view members) {
  return pod_with(
      std::string(R"("initContainers":[{"name":"i","image":"i","imagePullPolicy":"Never",
      "terminationMessagePolicy":"File",)") +
      std::string(members) + "}]");
}

TEST(ContainerChecks, TakeAPlainContainer) {
  EXPECT_EQ(errors_of_pod(pod_with("")), "");
  EXPECT_EQ(errors_of_template(pod_with("")), "");
}

TEST(ContainerChecks, WantNamesImagesAndPolicies) {
  expect_errors({
      {"nothing at all", pod_with(R"("containers":[{}])"),
       "spec.containers[0].name: Required value; spec.containers[0].image: Required value; "
       "spec.containers[0].terminationMessagePolicy: Required value; "
       "spec.containers[0].imagePullPolicy: Required value"},
      {"unknown policies",
       container_with(R"("imagePullPolicy":"Often","terminationMessagePolicy":"<a>")"),
       R"(spec.containers[0].terminationMessagePolicy: Unsupported value: "\u003ca\u003e": )"
       R"(supported values: "File", "FallbackToLogsOnError"; )"
       R"(spec.containers[0].imagePullPolicy: Unsupported value: "Often": )"
       R"(supported values: "Always", "IfNotPresent", "Never")"},
      {"an image with a space, in a pod", container_with(R"("image":"i ")"),
       R"(spec.containers[0].image: Invalid value: "i ": must not have leading or trailing )"
       "whitespace"},
  });
  EXPECT_EQ(errors_of_template(container_with(R"("image":" ")")), "");
}

TEST(ContainerChecks, WantNamesThatDiffer) {
  const std::string twin =
      R"({"name":"c","image":"i","imagePullPolicy":"Always","terminationMessagePolicy":"File"})";
  expect_errors({
      {"two containers", pod_with(R"("containers":[)" + twin + "," + twin + "]"),
       R"(spec.containers[1].name: Duplicate value: "c")"},
      {"an init container like a container", pod_with(R"("initContainers":[)" + twin + "]"),
       R"(spec.initContainers[0].name: Duplicate value: "c")"},
  });
}

TEST(ContainerChecks, WantGoodPorts) {
  expect_errors({
      {"no number", container_with(R"("ports":[{"protocol":"TCP"}])"),
       "spec.containers[0].ports[0].containerPort: Required value"},
      {"numbers out of range",
       container_with(R"("ports":[{"containerPort":-1,"hostPort":65536,"protocol":"TCP"}])"),
       "spec.containers[0].ports[0].containerPort: Invalid value: -1: must be between 1 and 65535, "
       "inclusive; spec.containers[0].ports[0].hostPort: Invalid value: 65536: must be between 1 "
       "and 65535, inclusive"},
      {"two of one name",
       container_with(R"("ports":[{"name":"a","containerPort":1,"protocol":"TCP"},
                                  {"name":"a","containerPort":2,"protocol":"ICMP"}])"),
       R"(spec.containers[0].ports[1].name: Duplicate value: "a"; )"
       R"(spec.containers[0].ports[1].protocol: Unsupported value: "ICMP": )"
       R"(supported values: "SCTP", "TCP", "UDP")"},
      {"one port of the host twice",
       container_with(
           R"("ports":[{"containerPort":1,"hostPort":9,"hostIP":"1.2.3.4","protocol":"TCP"},
                       {"containerPort":2,"hostPort":9,"hostIP":"1.2.3.4","protocol":"TCP"},
                       {"containerPort":2,"hostPort":9,"protocol":"TCP"}])"),
       R"(spec.containers[0].ports[1].hostPort: Duplicate value: "TCP/1.2.3.4/9")"},
  });
}

TEST(ContainerChecks, WantOneSourceOfAVariable) {
  expect_errors({
      {"no name", container_with(R"("env":[{"value":"x"}])"),
       "spec.containers[0].env[0].name: Required value"},
      {"a name with =", container_with(R"("env":[{"name":"a=b"}])"),
       R"(spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name )"
       "must consist only of printable ASCII characters other than '='"},
      {"no source", container_with(R"("env":[{"name":"a","valueFrom":{}}])"),
       R"(spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: )"
       "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"},
      {"a label with a bad key",
       container_with(R"("env":[{"name":"a","valueFrom":{"fieldRef":{"apiVersion":"v1",
                                 "fieldPath":"metadata.labels['-']"}}}])"),
       R"(spec.containers[0].env[0].valueFrom.fieldRef: Invalid value: "-": name part must consist )"
       "of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
       "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
       "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"},
      {"a subscript where there is none",
       container_with(R"("env":[{"name":"a","valueFrom":{"fieldRef":{"apiVersion":"v1",
                                 "fieldPath":"spec.nodeName['x']"}}}])"),
       R"(spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: )"
       R"("spec.nodeName['x']": error converting fieldPath: field label does not support )"
       "subscript: spec.nodeName['x']"},
      {"a field that volumes may have",
       container_with(R"("env":[{"name":"a","valueFrom":{"fieldRef":{"apiVersion":"v1",
                                 "fieldPath":"metadata.labels"}}}])"),
       R"(spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: )"
       R"("metadata.labels": supported values: "metadata.name", "metadata.namespace", )"
       R"("metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", )"
       R"("status.hostIPs", "status.podIP", "status.podIPs")"},
      {"another version",
       container_with(R"("env":[{"name":"a","valueFrom":{"fieldRef":{"apiVersion":"v2",
                                 "fieldPath":"metadata.name"}}}])"),
       R"(spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": )"
       "error converting fieldPath: unsupported pod version: v2"},
      {"the old name of a field",
       container_with(R"("env":[{"name":"a","valueFrom":{"fieldRef":{"apiVersion":"v1",
                                 "fieldPath":"spec.host"}}}])"),
       ""},
      {"divisors", container_with(R"("env":[
           {"name":"a","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"2"}}},
           {"name":"b","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"1m"}}},
           {"name":"c","valueFrom":{"resourceFieldRef":{"resource":"requests.hugepages-2Mi",
                                                        "divisor":"3"}}}])"),
       R"(spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: )"
       R"("limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource; )"
       R"(spec.containers[0].env[2].valueFrom.resourceFieldRef.divisor: Invalid value: )"
       R"("requests.hugepages-2Mi": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, )"
       "1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource"},
      {"a key of a ConfigMap",
       container_with(
           R"("env":[{"name":"a","valueFrom":{"configMapKeyRef":{"name":"m","key":".."}}}])"),
       "spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Invalid value: \"..\": must not "
       "be "
       "'..'"},
      {"a file in a volume that is none",
       volume_with(R"("hostPath":{"path":"/x"}}],"containers":[{"name":"c","image":"i",
           "imagePullPolicy":"Always","terminationMessagePolicy":"File","env":[{"name":"a",
           "valueFrom":{"fileKeyRef":{"volumeName":"v","path":"../x","key":"k"}}}])"),
       R"(spec.containers[0].env[0].valueFrom.fileKeyRef.path: Invalid value: "../x": must not )"
       R"(contain '..'; spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: )"
       R"("v": referenced volume must be of type emptyDir)"},
      {"envFrom of two", container_with(R"("envFrom":[{"prefix":"p","configMapRef":{"name":"m"},
                                                       "secretRef":{"name":""}}])"),
       R"(spec.containers[0].envFrom[0].secretRef.name: Required value; )"
       R"(spec.containers[0].envFrom: Invalid value: "": may not have more than one field )"
       "specified at a time"},
  });
}

TEST(ContainerChecks, WantMountsOfVolumesThatAreThere) {
  const auto mounted = [](std::string_view members) {
    return volume_with(std::string(R"("emptyDir":{}}],"containers":[{"name":"c","image":"i",
        "imagePullPolicy":"Always","terminationMessagePolicy":"File",)") +
                       std::string(members));
  };
  expect_errors({
      {"a good one", mounted(R"("volumeMounts":[{"name":"v","mountPath":"/a"}])"), ""},
      {"paths", mounted(R"("volumeMounts":[{"name":"v","mountPath":"/a","subPath":"/b"},
                                  {"name":"v","mountPath":"/a","subPath":"c","subPathExpr":"../d"}])"),
       R"(spec.containers[0].volumeMounts.subPath: Invalid value: "/b": must be a relative path; )"
       R"(spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique; )"
       R"(spec.containers[0].volumeMounts[1].subPathExpr: Invalid value: "../d": subPathExpr and )"
       R"(subPath are mutually exclusive; spec.containers[0].volumeMounts.subPathExpr: Invalid )"
       R"(value: "../d": must not contain '..')"},
      {"a device that is no claim", mounted(R"("volumeDevices":[{"name":"v","devicePath":"/a"}])"),
       R"(spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source )"
       "type of PersistentVolumeClaim or Ephemeral for block mode"},
      {"one as both", mounted(R"("volumeMounts":[{"name":"v","mountPath":"/a"}],
                  "volumeDevices":[{"name":"v","devicePath":"/a"}])"),
       R"(spec.containers[0].volumeMounts[0].name: Invalid value: "v": must not already exist in )"
       R"(volumeDevices; spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/a": must )"
       R"(not already exist as a path in volumeDevices; spec.containers[0].volumeDevices[0].name: )"
       R"(Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral )"
       R"(for block mode; spec.containers[0].volumeDevices[0].name: Invalid value: "v": must not )"
       R"(already exist in volumeMounts; spec.containers[0].volumeDevices[0].devicePath: Invalid )"
       R"(value: "/a": must not already exist as a path in volumeMounts)"},
  });
}

TEST(ContainerChecks, WantOneActionOfAProbe) {
  expect_errors({
      {"none", container_with(R"("livenessProbe":{"successThreshold":2,"periodSeconds":-1})"),
       "spec.containers[0].livenessProbe: Required value: must specify a handler type; "
       "spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or "
       "equal to 0; spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be "
       "1"},
      {"two", container_with(R"("readinessProbe":{"exec":{},"grpc":{"port":0},
                                           "terminationGracePeriodSeconds":0})"),
       "spec.containers[0].readinessProbe.exec.command: Required value; "
       "spec.containers[0].readinessProbe.grpc: Forbidden: may not specify more than 1 handler "
       "type; spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 0: "
       "must be greater than 0; spec.containers[0].readinessProbe.terminationGracePeriodSeconds: "
       "Invalid value: 0: must not be set for readinessProbes"},
      {"a hook that sleeps too long",
       container_with(R"("lifecycle":{"preStop":{"sleep":{"seconds":31}},"postStart":{}})"),
       "spec.containers[0].lifecycle.postStart: Required value: must specify a handler type; "
       "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and "
       "less than terminationGracePeriodSeconds (30)"},
      {"a hook that does not sleep", container_with(R"("lifecycle":{"preStop":{"sleep":{}}})"), ""},
  });
}

TEST(ContainerChecks, TellInitContainersFromSidecars) {
  constexpr std::string_view kProbe = R"("startupProbe":{"exec":{"command":["a"]},
                                         "successThreshold":1})";
  expect_errors({
      {"a probe of one that ends", init_with(kProbe),
       "spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without "
       "restartPolicy=Always"},
      {"a probe of a sidecar", init_with(std::string(kProbe) + R"(,"restartPolicy":"Always")"), ""},
      {"rules without a policy", init_with(R"("restartPolicyRules":[{"action":"Bogus"}])"),
       "spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when "
       "restart rules are used"},
      {"a restart on resize",
       init_with(R"("resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}])"),
       R"(spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": )"
       "must not be set to 'RestartContainer' for non-sidecar initContainers"},
  });
}

TEST(ContainerChecks, KnowRestartAndResizeRules) {
  expect_errors({
      {"rules", container_with(R"("restartPolicyRules":[{"action":"Restart","exitCodes":
                                  {"operator":"Bogus","values":[1]}}])"),
       "spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart "
       "rules are used; spec.containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported "
       R"(value: "Bogus": supported values: "In", "NotIn")"},
      {"resizes",
       container_with(R"("resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"},
                                         {"resourceName":"cpu"},{"resourceName":"gpu",
                                          "restartPolicy":"Bogus"}])"),
       R"(spec.containers[0].resizePolicy[1]: Duplicate value: "cpu"; )"
       R"(spec.containers[0].resizePolicy: Required value; spec.containers[0].resizePolicy: )"
       R"(Unsupported value: "gpu": supported values: "cpu", "memory"; )"
       R"(spec.containers[0].resizePolicy: Unsupported value: "Bogus": supported values: )"
       R"("NotRequired", "RestartContainer")"},
  });
}

TEST(ContainerChecks, KeepEphemeralContainersPlain) {
  const std::string pod = pod_with(R"("ephemeralContainers":[{"name":"c","image":" i",
      "imagePullPolicy":"Always","terminationMessagePolicy":"File","targetContainerName":"x",
      "ports":[],"resources":{},"lifecycle":{},"volumeMounts":[]}])");
  EXPECT_EQ(errors_of_template(pod),
            R"(t.spec.ephemeralContainers[0].image: Invalid value: " i": must not have leading or )"
            R"(trailing whitespace; t.spec.ephemeralContainers[0].name: Duplicate value: "c"; )"
            R"(t.spec.ephemeralContainers[0].targetContainerName: Not found: "x"; )"
            "t.spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral "
            "Container; t.spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an "
            "Ephemeral Container; t.spec.ephemeralContainers: Forbidden: ephemeral containers not "
            "allowed in pod template");
}

}  // namespace
}  // namespace strake::kinds::testing
