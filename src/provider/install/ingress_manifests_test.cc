#include "provider/install/ingress_manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::provider {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using value::text_of;
using value::Value;

Cluster some_cluster() {
  Cluster out;
  out.name = "c";
  out.ingress = ClusterIngress{.namespace_name = "edge", .cert_email = "ops@example.test"};
  return out;
}

const Value& object_of(const std::vector<value::Document>& all, std::string_view kind) {
  for (const value::Document& one : all) {
    if (text_of(one.root(), "kind") == kind) return one.root();
  }
  static const Value kNothing;
  ADD_FAILURE() << "no " << kind;
  return kNothing;
}

// A value by a path with dots, as JSON.
std::string at(const Value& object, std::string_view path) {
  const Value* found = &object;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view step = path.substr(0, dot);
    found = found->is_array() ? &found->items()[std::stoul(std::string(step))] : &found->get(step);
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value::to_json(*found);
}

std::vector<std::string> arguments(const std::vector<value::Document>& all) {
  std::vector<std::string> out;
  for (const Value& one : object_of(all, "Deployment")
                              .get("spec")
                              .get("template")
                              .get("spec")
                              .get("containers")
                              .items()[0]
                              .get("args")
                              .items())
    out.emplace_back(one.as_string());
  return out;
}

TEST(IngressValues, FollowFromTheCluster) {
  const IngressValues plain = ingress_values(Cluster{.name = "c"});
  EXPECT_EQ(plain.namespace_name, "traefik");
  EXPECT_EQ(plain.service_account, "ingress-service-account");
  EXPECT_EQ(plain.cert_email, "noreply@example.com");
  EXPECT_EQ(ingress_values(some_cluster()).namespace_name, "edge");
  EXPECT_EQ(ingress_values(some_cluster()).cert_email, "ops@example.test");
}

TEST(IngressManifests, HaveTheEffectThatTheChartHas) {
  const auto all = ingress_manifests(ingress_values(some_cluster())).value();
  const Value& deployment = object_of(all, "Deployment");
  EXPECT_EQ(at(deployment, "metadata.namespace"), R"("edge")");
  EXPECT_EQ(at(deployment, "spec.strategy.type"), R"("Recreate")");
  const std::string pod = "spec.template.spec.";
  EXPECT_EQ(at(deployment, pod + "serviceAccountName"), R"("ingress-service-account")");
  EXPECT_EQ(at(deployment, pod + "automountServiceAccountToken"), "true")
      << "its account has it off, and it asks the API";
  EXPECT_EQ(at(deployment, pod + "nodeSelector"), R"({"kompox.dev/node-pool":"system"})");
  EXPECT_EQ(at(deployment, pod + "securityContext.fsGroup"), "65532");
  EXPECT_EQ(at(deployment, pod + "securityContext.fsGroupChangePolicy"), R"("OnRootMismatch")");
  EXPECT_EQ(at(deployment, pod + "containers.0.volumeMounts.0"),
            R"({"mountPath":"/data","name":"data"})");
  EXPECT_EQ(at(deployment, pod + "containers.0.volumeMounts.2.mountPath"), R"("/config/traefik")");
  EXPECT_EQ(at(deployment, pod + "volumes.0.persistentVolumeClaim.claimName"), R"("traefik")");
  EXPECT_EQ(at(deployment, pod + "volumes.2.configMap.name"), R"("traefik")");
  const Value& claim = object_of(all, "PersistentVolumeClaim");
  EXPECT_EQ(at(claim, "spec.resources.requests.storage"), R"("1Gi")");
  EXPECT_EQ(at(claim, "spec.accessModes"), R"(["ReadWriteOnce"])");
  EXPECT_EQ(at(claim, "spec.storageClassName"), "null");
  const Value& service = object_of(all, "Service");
  EXPECT_EQ(at(service, "metadata.name"), R"("traefik")");
  EXPECT_EQ(at(service, "spec.type"), R"("LoadBalancer")");
  EXPECT_EQ(at(service, "spec.externalTrafficPolicy"), R"("Local")");
  EXPECT_EQ(at(service, "spec.selector"), at(deployment, "spec.selector.matchLabels"));
  EXPECT_EQ(at(object_of(all, "IngressClass"), "metadata.name"), R"("traefik")");
  EXPECT_EQ(at(object_of(all, "ConfigMap"), "data"), "null");
  EXPECT_EQ(at(object_of(all, "ClusterRoleBinding"), "subjects.0.namespace"), R"("edge")");
  EXPECT_THAT(arguments(all),
              IsSupersetOf(
                  {"--accesslog=true", "--providers.file.directory=/config/traefik",
                   "--providers.file.watch=true",
                   "--certificatesresolvers.production.acme.email=ops@example.test",
                   "--certificatesresolvers.production.acme.storage=/data/acme-production.json",
                   "--certificatesresolvers.production.acme.tlschallenge=true",
                   "--certificatesresolvers.staging.acme.email=ops@example.test",
                   "--certificatesresolvers.staging.acme.storage=/data/acme-staging.json",
                   "--certificatesresolvers.staging.acme.tlschallenge=true",
                   "--providers.kubernetesingress.ingressendpoint.publishedservice=edge/traefik"}));
  for (const value::Document& one : all)
    EXPECT_EQ(at(one.root(), "metadata.labels").find("managed-by") != std::string::npos, true)
        << value::to_json(one.root());
}

TEST(IngressManifests, TakeWhatADriverEdits) {
  IngressValues values = ingress_values(some_cluster());
  values.pod_labels["azure.workload.identity/use"] = "true";
  values.config_files["certs.yaml"] = "tls:\n  certificates: [{certFile: \"a\"}]\n# {name}\n";
  values.volumes.push_back(
      {.name = "secrets-store-inline-0",
       .source = R"({"csi": {"driver": "secrets-store.csi.k8s.io", "readOnly": true}})",
       .mount_path = "/config/tls/vault"});
  values.service_annotations["a/b"] = "c: {d}";
  values.storage_class = "fast";
  values.external_traffic_policy = "Cluster";
  values.arguments.push_back("--log.level=DEBUG");
  const auto all = ingress_manifests(values).value();
  const Value& deployment = object_of(all, "Deployment");
  EXPECT_THAT(at(deployment, "spec.template.metadata.labels"),
              HasSubstr(R"("azure.workload.identity/use":"true")"));
  EXPECT_EQ(
      at(deployment, "spec.template.spec.volumes.3"),
      R"({"csi":{"driver":"secrets-store.csi.k8s.io","readOnly":true},"name":"secrets-store-inline-0"})");
  EXPECT_EQ(at(deployment, "spec.template.spec.containers.0.volumeMounts.3"),
            R"({"mountPath":"/config/tls/vault","name":"secrets-store-inline-0","readOnly":true})");
  EXPECT_EQ(text_of(object_of(all, "ConfigMap").get("data"), "certs.yaml"),
            values.config_files["certs.yaml"]);
  EXPECT_EQ(at(object_of(all, "Service"), "metadata.annotations"), R"({"a/b":"c: {d}"})");
  EXPECT_EQ(at(object_of(all, "PersistentVolumeClaim"), "spec.storageClassName"), R"("fast")");
  EXPECT_THAT(arguments(all), Contains("--log.level=DEBUG"));
}

TEST(IngressManifests, CannotBeBrokenOutOf) {
  IngressValues values = ingress_values(some_cluster());
  const std::string evil = "a\"\n---\nkind: X # {name}";
  values.namespace_name = evil;
  values.cert_email = evil;
  values.image = evil;
  values.pod_labels[evil] = evil;
  const auto all = ingress_manifests(values).value();
  EXPECT_EQ(all.size(), ingress_objects("x").size());
  EXPECT_EQ(text_of(object_of(all, "Service").get("metadata"), "namespace"), evil);
  for (const char* source : {"", "[]", "{}", R"({"a":1,"b":2})", "{a: b}"}) {
    IngressValues broken = ingress_values(some_cluster());
    broken.volumes.push_back({.name = "v", .source = source, .mount_path = "/v"});
    EXPECT_EQ(ingress_manifests(broken).error().error_class(), FailureClass::kValidation) << source;
  }
}

TEST(IngressObjects, AreThoseOfTheManifests) {
  const auto all = ingress_manifests(ingress_values(some_cluster())).value();
  const auto objects = ingress_objects("edge");
  ASSERT_EQ(all.size(), objects.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Value& root = all[i].root();
    EXPECT_EQ(text_of(root, "apiVersion"), objects[i].of.api_version);
    EXPECT_EQ(text_of(root, "kind"), objects[i].of.kind);
    EXPECT_EQ(text_of(root.get("metadata"), "name"), objects[i].name);
    EXPECT_EQ(text_of(root.get("metadata"), "namespace"), objects[i].namespace_name);
  }
}

}  // namespace
}  // namespace strake::provider
