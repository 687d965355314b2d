#include <gtest/gtest.h>

#include "kinds/pods/check_test_pods.h"

namespace strake::kinds::testing {
namespace {

TEST(ResourceChecks, KeepRequestsWithinLimits) {
  EXPECT_EQ(errors_of_pod(container_with(
                R"("resources":{"limits":{"cpu":"1","example.com/a":"2","memory":"-1"},
                                "requests":{"cpu":"1500m","example.com/a":"1"}})")),
            R"(spec.containers[0].resources.limits[memory]: Invalid value: "-1": must be greater )"
            R"(than or equal to 0; spec.containers[0].resources.requests: Invalid value: "1500m": )"
            R"(must be less than or equal to cpu limit of 1; )"
            R"(spec.containers[0].resources.requests: Invalid value: "1": must be equal to )"
            "example.com/a limit of 2");
}

TEST(ResourceChecks, WantWholeHugePages) {
  EXPECT_EQ(errors_of_pod(container_with(
                R"("resources":{"limits":{"hugepages-2Mi":"4Mi","hugepages-x":"1"},
                                "requests":{"hugepages-2Mi":"4Mi","hugepages-x":"1"}})")),
            R"(spec.containers[0].resources.limits[hugepages-x]: Invalid value: "1": 1 is not )"
            "positive integer multiple of hugepages-x; "
            R"(spec.containers[0].resources.requests[hugepages-x]: Invalid value: "1": 1 is not )"
            "positive integer multiple of hugepages-x; spec.containers[0].resources: Forbidden: "
            "HugePages require cpu or memory");
}

TEST(ResourceChecks, LetAStoredPodKeepPartsOfPages) {
  const std::string pod =
      container_with(R"("resources":{"limits":{"cpu":"1","hugepages-2Mi":"3Mi"}})");
  EXPECT_NE(errors_of_template(pod), "");
  EXPECT_EQ(errors_of_change(pod, pod), "");
}

TEST(ResourceChecks, KnowTheClaimsOfThePod) {
  EXPECT_EQ(
      errors_of_pod(pod_with(
          R"("resourceClaims":[{"name":"a","resourceClaimName":"x"},
                               {"name":"a","resourceClaimName":"x"},
                               {"name":"b","resourceClaimName":"x","resourceClaimTemplateName":"y"},
                               {"name":"B"}],
             "containers":[{"name":"c","image":"i","imagePullPolicy":"Always",
               "terminationMessagePolicy":"File","resources":{"claims":[
                 {"name":"a","request":"r"},{"name":"a","request":"r"},{"name":"a"},{"name":"a"},
                 {},{"name":"z"}]}}])")),
      R"(spec.resourceClaims[1].name: Duplicate value: "a"; spec.resourceClaims[2]: Invalid value: )"
      R"({"Name":"b","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of )"
      "`resourceClaimName` or `resourceClaimTemplateName` may be specified; "
      R"(spec.resourceClaims[3].name: Invalid value: "B": a lowercase RFC 1123 label must consist )"
      "of lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
      "character (e.g. 'my-name',  or '123-abc', regex used for validation is "
      R"('[a-z0-9]([-a-z0-9]*[a-z0-9])?'); spec.resourceClaims[3]: Invalid value: )"
      R"({"Name":"B","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one )"
      "of: `resourceClaimName`, `resourceClaimTemplateName`; "
      R"(spec.containers[0].resources.claims[1]: Duplicate value: "a/r"; )"
      R"(spec.containers[0].resources.claims[2]: Duplicate value: "a"; )"
      R"(spec.containers[0].resources.claims[3]: Duplicate value: "a"; )"
      "spec.containers[0].resources.claims[4]: Required value; "
      R"(spec.containers[0].resources.claims[5]: Not found: "z": must be one of the names in )"
      "pod.spec.resourceClaims: B, a, b");
}

TEST(ResourceChecks, HoldContainersToWhatThePodHas) {
  EXPECT_EQ(
      errors_of_pod(pod_with(
          R"("resources":{"limits":{"cpu":"1","hugepages-2Mi":"2Mi"},
                          "requests":{"cpu":"1","memory":"1Gi"}},
             "containers":[{"name":"c","image":"i","imagePullPolicy":"Always",
               "terminationMessagePolicy":"File",
               "resources":{"limits":{"cpu":"2"},"requests":{"cpu":"600m"}}}],
             "initContainers":[
               {"name":"s","image":"i","imagePullPolicy":"Always","restartPolicy":"Always",
                "terminationMessagePolicy":"File","resources":{"requests":{"cpu":"300m"}}},
               {"name":"d","image":"i","imagePullPolicy":"Always",
                "terminationMessagePolicy":"File","resources":{"requests":{"cpu":"800m"}}}])")),
      R"(spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to )"
      R"(aggregate container requests of 1100m; spec.resources.containers[0][cpu].limits: Invalid )"
      R"(value: "2": must be less than or equal to pod limits of 1)");
  EXPECT_EQ(errors_of_pod(pod_with(R"("resources":{"limits":{"storage":"1"},"claims":[]})")),
            "spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level; "
            R"(spec.resources.limits[storage]: Unsupported value: "storage": supported values: )"
            R"("cpu", "hugepages-", "memory")");
  EXPECT_EQ(errors_of_pod(pod_with(R"("os":{"name":"windows"},"resources":{}  )")),
            "spec.resources: Forbidden: may not be set for a windows pod");
}

TEST(ResourceChecks, TakeOverheadForLimits) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("overhead":{"cpu":"1","pods":"1"})")),
            R"(spec.overhead.limits[pods]: Invalid value: "pods": must be a standard resource for )"
            "containers");
}

}  // namespace
}  // namespace strake::kinds::testing
