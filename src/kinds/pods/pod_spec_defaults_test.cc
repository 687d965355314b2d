#include <gtest/gtest.h>

#include <string>

#include "kinds/derive.h"
#include "kinds/pods/pod_defaults.h"
#include "kinds/pods/pod_spec.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

// Decoded by the type, with defaults, as JSON.
std::string with_defaults(std::string_view type, std::string_view json,
                          void (*apply)(Value&, Arena&)) {
  auto document = value::read_json(json);
  if (!document) return "bad JSON";
  Value& root = document->root();
  const auto read = meta::read_shape(root, shape_of(described_type(type)), document->arena());
  if (!read) return read.error().message();
  apply(root, document->arena());
  return value::to_json(root);
}

std::string container(const std::string& json) {
  const std::string spec = with_defaults(
      "io.k8s.api.core.v1.PodSpec", R"({"containers":[)" + json + "]}", apply_pod_spec_defaults);
  return spec.substr(0, spec.rfind(R"(],"dnsPolicy")")).substr(15);
}

std::string volume(const std::string& json) {
  const std::string spec = with_defaults("io.k8s.api.core.v1.PodSpec",
                                         R"({"volumes":[)" + json + "]}", apply_pod_spec_defaults);
  const std::size_t at = spec.find(R"("volumes":[)");
  return at == std::string::npos ? spec : spec.substr(at + 11, spec.size() - at - 13);
}

std::string pod_spec(const std::string& json) {
  const std::string pod =
      with_defaults("io.k8s.api.core.v1.Pod", R"({"spec":)" + json + "}", apply_pod_defaults);
  const std::size_t at = pod.find(R"("spec":)");
  return pod.substr(at + 7, pod.rfind(R"(,"status":)") - at - 7);
}

constexpr const char* kPolicies =
    R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File")";

TEST(PodSpecDefaults, FillInWhatEverySpecHas) {
  EXPECT_EQ(
      with_defaults("io.k8s.api.core.v1.PodSpec", R"({"containers":[]})", apply_pod_spec_defaults),
      R"({"containers":[],"dnsPolicy":"ClusterFirst","restartPolicy":"Always",)"
      R"("schedulerName":"default-scheduler","securityContext":{},)"
      R"("terminationGracePeriodSeconds":30})");
}

TEST(PodSpecDefaults, KeepBothNamesOfTheAccountInStep) {
  const auto accounts = [](std::string_view json) {
    const std::string spec =
        with_defaults("io.k8s.api.core.v1.PodSpec", json, apply_pod_spec_defaults);
    const std::size_t at = spec.find(R"("serviceAccount")");
    return at == std::string::npos ? "" : spec.substr(at, spec.find(R"(,"termination)") - at);
  };
  EXPECT_EQ(accounts("{}"), "");
  EXPECT_EQ(accounts(R"({"serviceAccount":"a"})"),
            R"("serviceAccount":"a","serviceAccountName":"a")");
  EXPECT_EQ(accounts(R"({"serviceAccount":"a","serviceAccountName":"b"})"),
            R"("serviceAccount":"b","serviceAccountName":"b")");
}

TEST(PodSpecDefaults, PullTheLatestImageAlways) {
  EXPECT_EQ(
      container(R"({"name":"c","image":"nginx"})"),
      std::string(R"({"image":"nginx","imagePullPolicy":"Always","name":"c","resources":{},)") +
          kPolicies + "}");
  EXPECT_EQ(container(R"({"name":"c","image":"nginx:1"})"),
            std::string(R"({"image":"nginx:1","imagePullPolicy":"IfNotPresent","name":"c",)") +
                R"("resources":{},)" + kPolicies + "}");
}

TEST(PodSpecDefaults, RoundAmountsToThousandths) {
  EXPECT_EQ(
      container(
          R"({"name":"c","image":"a:1","resources":{"limits":{"cpu":"0.0001","memory":"1024Mi"}}})"),
      std::string(R"({"image":"a:1","imagePullPolicy":"IfNotPresent","name":"c",)") +
          R"("resources":{"limits":{"cpu":"1m","memory":"1Gi"}},)" + kPolicies + "}");
}

TEST(PodSpecDefaults, FillInProbesPortsAndReferences) {
  EXPECT_EQ(
      container(R"({"name":"c","image":"a:1","ports":[{"containerPort":1}],
          "livenessProbe":{"httpGet":{"port":1},"periodSeconds":5},"readinessProbe":{"grpc":{"port":1}},
          "lifecycle":{"preStop":{"httpGet":{"port":"a","scheme":"HTTPS"}}},
          "env":[{"name":"a","valueFrom":{"fieldRef":{"fieldPath":"b"}}},
                 {"name":"b","valueFrom":{"fileKeyRef":{"key":"k","path":"p","volumeName":"v"}}}]})"),
      std::string(
          R"({"env":[{"name":"a","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"b"}}},)") +
          R"({"name":"b","valueFrom":{"fileKeyRef":{"key":"k","optional":false,"path":"p",)"
          R"("volumeName":"v"}}}],"image":"a:1","imagePullPolicy":"IfNotPresent",)"
          R"("lifecycle":{"preStop":{"httpGet":{"path":"/","port":"a","scheme":"HTTPS"}}},)"
          R"("livenessProbe":{"failureThreshold":3,"httpGet":{"path":"/","port":1,"scheme":"HTTP"},)"
          R"("periodSeconds":5,"successThreshold":1,"timeoutSeconds":1},"name":"c",)"
          R"("ports":[{"containerPort":1,"protocol":"TCP"}],)"
          R"("readinessProbe":{"failureThreshold":3,"grpc":{"port":1,"service":""},)"
          R"("periodSeconds":10,"successThreshold":1,"timeoutSeconds":1},"resources":{},)" +
          kPolicies + "}");
}

TEST(PodSpecDefaults, DropWhatIsBehindGatesThatAreOff) {
  EXPECT_EQ(container(R"({"name":"c","image":"a:1","lifecycle":{"stopSignal":"SIGTERM"}})")
                .find("lifecycle"),
            std::string::npos);
  EXPECT_NE(container(R"({"name":"c","image":"a:1",
                "lifecycle":{"stopSignal":"SIGTERM","preStop":{"sleep":{"seconds":1}}}})")
                .find(R"("lifecycle":{"preStop":{"sleep":{"seconds":1}}})"),
            std::string::npos);
  EXPECT_EQ(volume(R"({"name":"v","projected":{"sources":[{"clusterTrustBundle":{"path":"p"}}]}})"),
            R"({"name":"v","projected":{"defaultMode":420,"sources":[{}]}})");
}

TEST(PodSpecDefaults, FillInEachSourceOfAVolume) {
  struct Case {
    const char* sent;
    const char* want;
  };
  const Case cases[] = {
      {R"({"name":"v"})", R"({"emptyDir":{},"name":"v"})"},
      {R"({"name":"v","secret":null})", R"({"emptyDir":{},"name":"v"})"},
      {R"({"name":"v","hostPath":{"path":"/a"}})",
       R"({"hostPath":{"path":"/a","type":""},"name":"v"})"},
      {R"({"name":"v","secret":{}})", R"({"name":"v","secret":{"defaultMode":420}})"},
      {R"({"name":"v","configMap":{"name":"a","defaultMode":0}})",
       R"({"configMap":{"defaultMode":0,"name":"a"},"name":"v"})"},
      {R"({"name":"v","downwardAPI":{"items":[{"path":"p","fieldRef":{"fieldPath":"f"}}]}})",
       R"({"downwardAPI":{"defaultMode":420,"items":[{"fieldRef":{"apiVersion":"v1","fieldPath":"f"},"path":"p"}]},"name":"v"})"},
      {R"({"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t"}},{"downwardAPI":{"items":[{"path":"p","fieldRef":{"fieldPath":"f"}}]}}]}})",
       R"({"name":"v","projected":{"defaultMode":420,"sources":[{"serviceAccountToken":{"expirationSeconds":3600,"path":"t"}},{"downwardAPI":{"items":[{"fieldRef":{"apiVersion":"v1","fieldPath":"f"},"path":"p"}]}}]}})"},
      {R"({"name":"v","iscsi":{"targetPortal":"t","iqn":"i","lun":1}})",
       R"({"iscsi":{"iqn":"i","iscsiInterface":"default","lun":1,"targetPortal":"t"},"name":"v"})"},
      {R"({"name":"v","rbd":{"monitors":["m"],"image":"i"}})",
       R"({"name":"v","rbd":{"image":"i","keyring":"/etc/ceph/keyring","monitors":["m"],"pool":"rbd","user":"admin"}})"},
      {R"({"name":"v","azureDisk":{"diskName":"d","diskURI":"u"}})",
       R"({"azureDisk":{"cachingMode":"ReadWrite","diskName":"d","diskURI":"u","fsType":"ext4","kind":"Shared","readOnly":false},"name":"v"})"},
      {R"({"name":"v","scaleIO":{"gateway":"g","system":"s","secretRef":{}}})",
       R"({"name":"v","scaleIO":{"fsType":"xfs","gateway":"g","secretRef":{},"storageMode":"ThinProvisioned","system":"s"}})"},
      {R"({"name":"v","image":{"reference":"a"}})",
       R"({"image":{"pullPolicy":"Always","reference":"a"},"name":"v"})"},
      {R"({"name":"v","image":{"reference":"a:1"}})",
       R"({"image":{"pullPolicy":"IfNotPresent","reference":"a:1"},"name":"v"})"},
  };
  for (const Case& one : cases) EXPECT_EQ(volume(one.sent), one.want);
}

TEST(PodTemplateDefaults, DropTheAnnotationsOfInitContainers) {
  EXPECT_EQ(with_defaults(
                "io.k8s.api.core.v1.PodTemplateSpec",
                R"({"metadata":{"annotations":{"pod.beta.kubernetes.io/init-containers":"a"}}})",
                apply_pod_template_defaults)
                .find("annotations"),
            std::string::npos);
}

TEST(PodDefaults, RequestWhatIsLimited) {
  EXPECT_EQ(
      pod_spec(R"({"containers":[{"name":"c","image":"a:1","resources":{
          "limits":{"cpu":"1","memory":"2","z":"3"},"requests":{"memory":"1"}}}]})"),
      std::string(R"({"containers":[{"image":"a:1","imagePullPolicy":"IfNotPresent","name":"c",)") +
          R"("resources":{"limits":{"cpu":"1","memory":"2","z":"3"},)"
          R"("requests":{"cpu":"1","memory":"1","z":"3"}},)" +
          kPolicies +
          R"(}],"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"restartPolicy":"Always",)"
          R"("schedulerName":"default-scheduler","securityContext":{},)"
          R"("terminationGracePeriodSeconds":30})");
}

TEST(PodDefaults, GiveHostPortsInTheNetworkOfTheHost) {
  const std::string spec = pod_spec(R"({"hostNetwork":true,"terminationGracePeriodSeconds":-5,
      "containers":[{"name":"c","image":"a","ports":[{"containerPort":80}]}]})");
  EXPECT_NE(spec.find(R"("ports":[{"containerPort":80,"hostPort":80,"protocol":"TCP"}])"),
            std::string::npos)
      << spec;
  EXPECT_NE(spec.find(R"("terminationGracePeriodSeconds":1)"), std::string::npos) << spec;
}

TEST(PodDefaults, FillInTheResourcesOfThePodFromThoseOfItsContainers) {
  const auto resources = [](const std::string& own, const std::string& containers) {
    const std::string spec = pod_spec(
        R"({"resources":)" + own + R"(,"containers":[{"name":"c","image":"a","resources":)" +
        containers +
        R"(}],"initContainers":[{"name":"i","image":"a","resources":{"requests":{"cpu":"3"}}}]})");
    const std::size_t at = spec.rfind(R"("resources":)");
    return spec.substr(at + 12, spec.find(R"(,"restartPolicy")") - at - 12);
  };
  EXPECT_EQ(resources(R"({"limits":{"cpu":"4"}})", R"({"requests":{"cpu":"1","memory":"1Mi"}})"),
            R"({"limits":{"cpu":"4"},"requests":{"cpu":"3","memory":"1Mi"}})");
  EXPECT_EQ(resources(R"({"limits":{"memory":"4"}})", R"({})"),
            R"({"limits":{"memory":"4"},"requests":{"cpu":"3","memory":"4"}})");
  EXPECT_EQ(resources(R"({"requests":{"cpu":"4"}})", R"({"limits":{"hugepages-2Mi":"2Mi"}})"),
            R"({"limits":{"hugepages-2Mi":"2Mi"},"requests":{"cpu":"4","hugepages-2Mi":"2Mi"}})");
  EXPECT_EQ(resources(R"({})", R"({"limits":{"cpu":"1"}})"), "{}");
}

TEST(PodDefaults, KeepTheAddressesOfThePodInStep) {
  const auto addresses = [](const std::string& json) {
    const std::string pod =
        with_defaults("io.k8s.api.core.v1.Pod", R"({"status":)" + json + "}", apply_pod_defaults);
    return pod.substr(pod.find(R"("status":)") + 9);
  };
  EXPECT_EQ(addresses(R"({"podIP":"1.2.3.4"})"),
            R"({"podIP":"1.2.3.4","podIPs":[{"ip":"1.2.3.4"}]}})");
  EXPECT_EQ(addresses(R"({"podIPs":[{"ip":"1.2.3.4"},{"ip":"::1"}]})"),
            R"({"podIP":"1.2.3.4","podIPs":[{"ip":"1.2.3.4"},{"ip":"::1"}]}})");
  EXPECT_EQ(addresses(R"({"podIP":"1.1.1.1","podIPs":[{"ip":"1.2.3.4"},{"ip":"::1"}]})"),
            R"({"podIP":"1.1.1.1","podIPs":[{"ip":"1.1.1.1"}]}})");
}

}  // namespace
}  // namespace strake::kinds
