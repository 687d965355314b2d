#pragma once
// For tests of use cases: the app of test_driver.h with a cluster that answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kube/objects/objects.h"
#include "kube/test_cluster.h"
#include "ops/cases/app_cases.h"
#include "ops/cases/test_driver.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::ops::testing {

inline const std::vector<kube::ObjectKind>& all_kinds() {
  static const std::vector<kube::ObjectKind> kinds = {
      {"v1", "Namespace"},
      {"v1", "ServiceAccount"},
      {"rbac.authorization.k8s.io/v1", "Role"},
      {"rbac.authorization.k8s.io/v1", "RoleBinding"},
      {"networking.k8s.io/v1", "NetworkPolicy"},
      {"v1", "PersistentVolume"},
      {"v1", "PersistentVolumeClaim"},
      {"v1", "ConfigMap"},
      {"v1", "Secret"},
      {"apps/v1", "Deployment"},
      {"v1", "Service"},
      {"networking.k8s.io/v1", "Ingress"}};
  return kinds;
}

class KubeSite : public FakeSite {
 public:
  KubeSite() { fake.kubeconfig = kube.kubeconfig(); }

  provider::KubeNames names(std::string component = "app") {
    return open_app(session(), app).value().names(component).value();
  }
  std::string namespace_name() { return names().namespace_name(); }

  // Everything that use cases have made in the cluster, without what differs from run to run.
  std::string state() {
    const kube::Client client = kube.client();
    kube::Objects objects(client);
    std::string out;
    for (const kube::ObjectKind& kind : all_kinds()) {
      auto pages = objects.list(
          {.of = kind, .namespace_name = {}, .label_selector = "app.kubernetes.io/managed-by"});
      if (!pages) return pages.error().to_string();
      for (value::Document& page : *pages) {
        for (value::Value& item : page.root().find("items")->mutable_items()) {
          value::Value& metadata = *item.find("metadata");
          for (const std::string_view key : {"uid", "resourceVersion", "creationTimestamp",
                                             "managedFields", "generation", "ownerReferences"})
            metadata.remove(key);
          if (value::Value* spec = item.find("spec")) {
            // Given by the server.
            for (const std::string_view key : {"clusterIP", "clusterIPs"}) spec->remove(key);
          }
          item.remove("status");
          out += fmt::format("{} {}\n", kind.kind, value::to_json(item));
        }
      }
    }
    return out;
  }
  // "Deployment app1-app", sorted as the kinds are.
  std::vector<std::string> titles() {
    const kube::Client client = kube.client();
    kube::Objects objects(client);
    std::vector<std::string> out;
    for (const kube::ObjectKind& kind : all_kinds()) {
      auto pages = objects.list(
          {.of = kind, .namespace_name = {}, .label_selector = "app.kubernetes.io/managed-by"});
      for (const value::Document& page : pages.value()) {
        for (const value::Value& item : page.root().get("items").items())
          out.push_back(
              fmt::format("{} {}", kind.kind, value::text_of(item.get("metadata"), "name")));
      }
    }
    return out;
  }
  value::Document object(const std::string& api_version, const std::string& kind,
                         const std::string& name) {
    const kube::Client client = kube.client();
    kube::Objects objects(client);
    auto found = objects.get({.of = {.api_version = api_version, .kind = kind},
                              .namespace_name = namespace_name(),
                              .name = name});
    EXPECT_TRUE(found) << found.error().to_string();
    return found ? *std::move(found) : value::Document();
  }
  std::string pod_hash(const std::string& deployment = "app1-app") {
    const value::Document found = object("apps/v1", "Deployment", deployment);
    return std::string(
        value::text_of(found.root().get("spec").get("template").get("metadata").get("annotations"),
                       provider::kContentHashAnnotation));
  }
  std::string path(std::string_view resource, std::string_view name) {
    return fmt::format("/{}/namespaces/{}/{}/{}",
                       resource == "deployments" ? "apis/apps/v1"
                       : resource == "ingresses" ? "apis/networking.k8s.io/v1"
                                                 : "api/v1",
                       namespace_name(), resource, name);
  }
  // As the ingress controller does.
  void give_address(std::string_view ingress, std::string_view ip) {
    kube.server().merge(
        path("ingresses", fmt::format("{}/status", ingress)),
        fmt::format(R"({{"status":{{"loadBalancer":{{"ingress":[{{"ip":"{}"}}]}}}}}})", ip));
  }
  void add_pod(std::string_view name, std::string_view component = "app",
               std::string_view containers = R"([{"name":"web","image":"nginx:1.27"}])") {
    kube.server().create(
        path("pods", ""),
        fmt::format(R"({{"metadata":{{"name":"{}","labels":{{"app":"app1-{}"}}}},"spec":)"
                    R"({{"nodeName":"n1","containers":{}}}}})",
                    name, component, containers));
  }
  Outcome<DeployReport> deploy(DeployOptions options = {}) {
    return deploy_app(session(), call(), app, options);
  }

  kube::testing::TestCluster kube;
};

}  // namespace strake::ops::testing
