// Scheduling, names, DNS, annotations and warnings of pods.
#include <gtest/gtest.h>

#include <algorithm>

#include "kinds/pods/check_test_pods.h"

namespace strake::kinds::testing {
namespace {

TEST(PodSpecChecks, WantPoliciesAndAGracePeriod) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("restartPolicy":"","dnsPolicy":"Bogus",
                "terminationGracePeriodSeconds":null,"containers":[])")),
            "spec.terminationGracePeriodSeconds: Required value; spec.containers: Required value; "
            R"(spec.restartPolicy: Required value; spec.dnsPolicy: Unsupported value: "Bogus": )"
            R"(supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")");
}

TEST(PodSpecChecks, WantAffinityThatCanBeMet) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("affinity":{"nodeAffinity":{
        "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{
          "matchExpressions":[{"key":"a","operator":"Gt","values":[]},
                              {"key":"a","operator":"In","values":["-"]}],
          "matchFields":[{"key":"metadata.name","operator":"In","values":["a","b"]},
                         {"key":"x","operator":"Exists"}]}]},
        "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":0,"preference":{
          "matchExpressions":[{"key":"a","operator":"In","values":["-"]}]}}]}})")),
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
            "nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified "
            "single value when `operator` is 'Lt' or 'Gt'; "
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
            R"(nodeSelectorTerms[0].matchExpressions[1].values[0]: Invalid value: "-": a valid )"
            "label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
            "and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
            "'my_value',  or '12345', regex used for validation is "
            "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'); "
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
            "nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value "
            "when `operator` is 'In' or 'NotIn' for node field selector; "
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
            R"(nodeSelectorTerms[0].matchFields[1].operator: Invalid value: "Exists": not a valid )"
            "selector operator; "
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
            R"(nodeSelectorTerms[0].matchFields[1].key: Invalid value: "x": not a valid field )"
            "selector key; "
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: "
            "Invalid value: 0: must be in the range 1-100");
}

TEST(PodSpecChecks, LetAStoredPodKeepBadValuesInItsAffinity) {
  const std::string pod = pod_with(R"("affinity":{"nodeAffinity":{
        "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{
          "matchExpressions":[{"key":"a","operator":"In","values":["-"]}]}]}},
      "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"k",
          "labelSelector":{"matchExpressions":[{"key":"a","operator":"In","values":["-"]}]}}]}})");
  EXPECT_NE(errors_of_template(pod), "");
  EXPECT_EQ(errors_of_change(pod, pod), "");
}

TEST(PodSpecChecks, WantLabelKeysApartFromTheSelector) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("affinity":{"podAffinity":{
        "requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"k",
          "matchLabelKeys":["a","b"],"mismatchLabelKeys":["b"],
          "labelSelector":{"matchLabels":{"a":"x"},
            "matchExpressions":[{"key":"a","operator":"Exists"}]}}]}})")),
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0][0]: "
            R"(Invalid value: "a": exists in both matchLabelKeys and labelSelector; )"
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]."
            R"(matchLabelKeys[1]: Invalid value: "b": exists in both matchLabelKeys and )"
            "mismatchLabelKeys");
}

TEST(PodSpecChecks, WantOneSpreadConstraintOfAKind) {
  EXPECT_EQ(
      errors_of_pod(pod_with(R"("topologySpreadConstraints":[
        {"maxSkew":1,"topologyKey":"k","whenUnsatisfiable":"DoNotSchedule","minDomains":0,
         "nodeTaintsPolicy":"Bogus"},
        {"maxSkew":1,"topologyKey":"k","whenUnsatisfiable":"DoNotSchedule"}])")),
      "spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "
      R"("{k, DoNotSchedule}"; spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: )"
      "must be greater than zero; spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported "
      R"(value: "Bogus": supported values: "Honor", "Ignore")");
}

TEST(PodSpecChecks, WantTolerationsOfTaintsThatMayBe) {
  EXPECT_EQ(
      errors_of_pod(pod_with(R"("tolerations":[{"operator":"Exists"},
                {"key":"a","value":"b","effect":"Bogus"},{"key":"a","value":"-","operator":"Equal"}])")),
      R"(spec.tolerations[1].effect: Unsupported value: "Bogus": supported values: )"
      R"("NoSchedule", "PreferNoSchedule", "NoExecute"; spec.tolerations[2].operator: Invalid )"
      R"(value: "-": a valid label must be an empty string or consist of alphanumeric )"
      "characters, '-', '_' or '.', and must start and end with an alphanumeric character "
      "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
}

TEST(PodSpecChecks, LetAStoredPodCompareInTolerations) {
  const std::string pod = pod_with(R"("tolerations":[{"key":"a","operator":"Gt","value":"1"}])");
  EXPECT_EQ(errors_of_change(pod, pod), "");
  EXPECT_EQ(
      errors_of_change(pod, pod_with(R"("tolerations":[{"key":"a","operator":"Lt","value":"01"},
          {"key":"a","operator":"Lt","value":"9223372036854775808"}])")),
      R"(t.spec.tolerations[0].value: Invalid value: "01": must be a valid decimal integer in )"
      R"(canonical form; t.spec.tolerations[1].value: Invalid value: "9223372036854775808": )"
      R"(strconv.ParseInt: parsing "9223372036854775808": value out of range)");
}

TEST(PodSpecChecks, WantNamesThatDnsTakes) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("hostname":"a.b","subdomain":"","hostnameOverride":"a",
                "setHostnameAsFQDN":true,"activeDeadlineSeconds":2147483648,
                "preemptionPolicy":"Bogus","priorityClassName":"","runtimeClassName":""  )")),
            "spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is "
            "true; spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and "
            R"(2147483647, inclusive; spec.hostname: Invalid value: "a.b": must not contain dots; )"
            R"(spec.runtimeClassName: Invalid value: "": a lowercase RFC 1123 subdomain must )"
            "consist of lower case alphanumeric characters, '-' or '.', and must start and end "
            "with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            R"('[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); )"
            R"(spec.preemptionPolicy: Unsupported value: "Bogus": supported values: )"
            R"("PreemptLowerPriority", "Never")");
  EXPECT_EQ(errors_of_pod(pod_with(R"("dnsPolicy":"None","dnsConfig":{})")),
            "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver "
            "when `dnsPolicy` is None");
  EXPECT_EQ(errors_of_pod(pod_with(R"("dnsConfig":{"searches":[".","_a.b_c.","a..b"]})")),
            R"(spec.dnsConfig.searches[2]: Invalid value: "a..b": a lowercase RFC 1123 subdomain )"
            "must consist of lower case alphanumeric characters, '_', '-' or '.', and must start "
            "and end with an alphanumeric character (e.g. 'example.com', regex used for validation "
            R"(is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*'))");
}

TEST(PodSpecChecks, LetATemplateLeaveOutPortsOfTheHost) {
  const std::string pod = container_with(R"("ports":[{"containerPort":80,"protocol":"TCP"}])");
  const std::string with_network = pod_with(R"("hostNetwork":true,
      "containers":[{"name":"c","image":"i","imagePullPolicy":"Always",
      "terminationMessagePolicy":"File","ports":[{"containerPort":80,"protocol":"TCP"}]}])");
  EXPECT_EQ(errors_of_pod(pod), "");
  EXPECT_EQ(errors_of_template(with_network), "");
  EXPECT_EQ(errors_of_pod(with_network),
            "spec.containers[0].ports[0].hostPort: Invalid value: 0: must match `containerPort` "
            "when `hostNetwork` is true");
}

TEST(PodAnnotationChecks, WantProfilesOfContainersThatAreThere) {
  EXPECT_EQ(
      errors_of_pod(pod_with("", R"("name":"p","annotations":{
          "kubernetes.io/config.mirror":"x","controller.kubernetes.io/pod-deletion-cost":"+1",
          "seccomp.security.alpha.kubernetes.io/pod":"localhost//a",
          "container.apparmor.security.beta.kubernetes.io/c":"bogus"})")),
      R"(metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set )"
      R"(spec.nodeName if mirror pod annotation is set; )"
      R"(metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": )"
      R"(must be a 32bit integer; metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: )"
      R"(Invalid value: "/a": must be a relative path; )"
      R"(metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Invalid value: )"
      R"("bogus": invalid AppArmor profile name: "bogus")");
}

TEST(PodAnnotationChecks, WantFieldsThatSayTheSame) {
  EXPECT_EQ(
      errors_of_pod(pod_with(
          R"("securityContext":{"seccompProfile":{"type":"RuntimeDefault"},
                                "appArmorProfile":{"type":"Localhost","localhostProfile":"a"}})",
          R"("name":"p","annotations":{"seccomp.security.alpha.kubernetes.io/pod":"docker/default",
             "container.apparmor.security.beta.kubernetes.io/c":"localhost/b"})")),
      "spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor "
      "profile in annotation and field must match");
}

TEST(PodAnnotationChecks, ReadTolerations) {
  const auto errors = [](std::string_view text) {
    return errors_of_pod(
        pod_with("", R"("annotations":{"scheduler.alpha.kubernetes.io/tolerations":")" +
                         std::string(text) + R"("})"));
  };
  EXPECT_EQ(errors(R"([{\"operator\":\"Exists\"}])"), "");
  EXPECT_EQ(errors(R"([{\"operator\":\"Bogus\",\"key\":\"a\"}])"),
            "metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: "
            R"(Unsupported value: "Bogus": supported values: "Equal", "Exists")");
  EXPECT_EQ(errors("{}"),
            R"(metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": )"
            "json: cannot unmarshal object into Go value of type []core.Toleration");
  EXPECT_EQ(errors("x"),
            R"(metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": )"
            "invalid character 'x' looking for beginning of value");
}

TEST(PodSpecChecks, WantSchedulingGatesOnce) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("schedulingGates":[{"name":"a"},{"name":"a"}])")),
            R"(spec.schedulingGates[1]: Duplicate value: "a")");
}

TEST(PodWarnings, TellOfPortsThatOverlap) {
  EXPECT_EQ(warnings_of_pod(container_with(R"("ports":[
        {"name":"a","containerPort":80,"protocol":"TCP","hostIP":"1.2.3.4"},
        {"containerPort":80,"protocol":"TCP","hostPort":8080},
        {"name":"a","containerPort":80,"protocol":"TCP","hostPort":8080,"hostIP":"1.2.3.4"},
        {"containerPort":80,"protocol":"UDP"}])")),
            "spec.containers[0].ports[0]: hostIP set without hostPort: {Name:a HostPort:0 "
            "ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}\n"
            "spec.containers[0].ports[1]: overlapping port definition with "
            "spec.containers[0].ports[0]\n"
            "spec.containers[0].ports[2]: overlapping port definition with "
            "spec.containers[0].ports[0]\n"
            "spec.containers[0].ports[2]: dangerously ambiguous port definition with "
            "spec.containers[0].ports[1]\n"
            "spec.containers[0].ports[2]: duplicate port name \"a\" with "
            "spec.containers[0].ports[0], services and probes that select ports by name will use "
            "spec.containers[0].ports[0]");
}

TEST(PodWarnings, TellOfFilesThatOverlap) {
  EXPECT_EQ(warnings_of_pod(pod_with(R"("volumes":[
        {"name":"v","configMap":{"name":"m","items":[{"path":"a/b"},{"path":"a-b"},{"path":"a/"},
                                                     {"path":"a/b"}]}},
        {"name":"w","projected":{"sources":[{},{"secret":{"name":"s","items":[{"path":"t"}]}},
          {"serviceAccountToken":{"path":"t/u"}}]}}])")),
            R"(volume "v" (ConfigMap "m"): overlapping paths: "a" with "a/b")"
            "\n"
            R"(volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a/b")"
            "\n"
            R"(volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a")"
            "\n"
            R"(volume "w" (Projected) has no sources provided)"
            "\n"
            R"(volume "w" (Projected): overlapping paths: "t/u" (ServiceAccountToken) with "t" )"
            R"((Secret "s"))");
}

TEST(PodWarnings, TellOfSelectorsThatMatchNothing) {
  EXPECT_EQ(warnings_of_template(pod_with(R"("affinity":{
        "nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
          "preference":{"matchExpressions":[{"key":"beta.kubernetes.io/os","operator":"In",
                                             "values":["-"]}]}}]},
        "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
          "podAffinityTerm":{"topologyKey":"k"}}]}},
      "topologySpreadConstraints":[{"topologyKey":"beta.kubernetes.io/arch"}])")),
            "t.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]."
            "preference.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; "
            "use \"kubernetes.io/os\" instead\n"
            "t.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]."
            "preference.matchExpressions[0].values[0]: - is invalid, a valid label must be an "
            "empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
            "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
            "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\n"
            "t.spec.topologySpreadConstraints[0].topologyKey: beta.kubernetes.io/arch is "
            "deprecated since v1.14; use \"kubernetes.io/arch\" instead\n"
            "t.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in "
            "matching no pod\n"
            "t.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]."
            "podAffinityTerm.labelSelector: a null labelSelector results in matching no pod");
}

TEST(PodWarnings, TellOfAnnotationsThatMeanNothing) {
  const std::string pod =
      pod_with(R"("securityContext":{"appArmorProfile":{"type":"RuntimeDefault"}})",
               R"("annotations":{"container.apparmor.security.beta.kubernetes.io/c":"unconfined",
                        "container.seccomp.security.alpha.kubernetes.io/c":"x"})");
  EXPECT_EQ(warnings_of_template(pod),
            "t.metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: "
            "non-functional in v1.27+; use the \"seccompProfile\" field instead\n"
            "t.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated "
            "since v1.30; use the \"appArmorProfile\" field instead");
  EXPECT_EQ(warnings_of_pod(pod),
            "metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: "
            "non-functional in v1.27+; use the \"seccompProfile\" field instead");
}

TEST(PodWarnings, TellOfRepeatsAndOddAddresses) {
  EXPECT_EQ(warnings_of_pod(pod_with(R"j("hostAliases":[{"ip":"1.2.3.4"},{"ip":"1.2.3.4"},
        {"ip":"::01"}],"overhead":{"memory":"1m"},"containers":[{"name":"c","env":[
        {"name":"A"},{"name":"A","value":"$(A)x"},{"name":"A","value":"$(A)"}]}])j")),
            "spec.hostAliases[1].ip: duplicate ip \"1.2.3.4\"\n"
            "spec.overhead[memory]: fractional byte value \"1m\" is invalid, must be an integer\n"
            "spec.containers[0].env[2]: hides previous definition of \"A\", which may be dropped "
            "when using apply\n"
            "spec.hostAliases[2].ip: IPv6 address \"::01\" should be in RFC 5952 canonical format "
            "(\"::1\")");
}

TEST(PodWarnings, EndWhereNoMoreAreSent) {
  std::string ports;
  for (int i = 0; i < 1000; ++i)
    ports += std::string(i == 0 ? "" : ",") + R"({"containerPort":1,"protocol":"TCP"})";
  const std::string warnings = warnings_of_pod(container_with(R"("ports":[)" + ports + "]"));
  EXPECT_LT(std::ranges::count(warnings, '\n'), 100);
}

}  // namespace
}  // namespace strake::kinds::testing
