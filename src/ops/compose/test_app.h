#pragma once
// Declared apps for tests: the few fields of the documents that a conversion looks at, read from
// text.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/plan.h"
#include "ops/compose/volumes.h"
#include "provider/names/sizes.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::ops::compose {

struct TestApp {
  provider::Workspace workspace{.id = "/ws/ws1", .name = "ws1"};
  provider::ProviderEntity provider{.id = "/ws/ws1/prv/prv1",
                                    .name = "prv1",
                                    .workspace_id = "/ws/ws1",
                                    .driver = "aks",
                                    .settings = {}};
  provider::Cluster cluster;
  provider::App app;
  std::vector<provider::Box> boxes;

  TestApp() {
    cluster.name = "cls1";
    app.name = "app1";
  }
  Subject subject() const { return {&workspace, provider, cluster, app, boxes}; }
};

inline std::vector<std::string> test_texts(const value::Value& list) {
  std::vector<std::string> out;
  for (const value::Value& item : list.items()) out.emplace_back(item.as_string());
  return out;
}

inline provider::NetworkPolicy test_policy(const value::Value& v) {
  provider::NetworkPolicy out;
  for (const value::Value& rule : v.get("ingressRules").items()) {
    provider::PolicyRule& one = out.ingress_rules.emplace_back();
    for (const value::Value& peer : rule.get("from").items()) {
      provider::NamespaceSelector& selector = one.from.emplace_back();
      const value::Value& from = peer.get("namespaceSelector");
      for (const value::Member& m : from.get("matchLabels").members())
        selector.match_labels.emplace(m.key, m.value.as_string());
      for (const value::Value& e : from.get("matchExpressions").items())
        selector.match_expressions.push_back({std::string(value::text_of(e, "key")),
                                              std::string(value::text_of(e, "operator")),
                                              test_texts(e.get("values"))});
    }
    for (const value::Value& port : rule.get("ports").items())
      one.ports.push_back(
          {std::string(value::text_of(port, "protocol")), port.get("port").as_int()});
  }
  return out;
}

inline provider::AppDeployment test_deployment(const value::Value& v) {
  return {.pool = std::string(value::text_of(v, "pool")),
          .pools = test_texts(v.get("pools")),
          .zone = std::string(value::text_of(v, "zone")),
          .zones = test_texts(v.get("zones"))};
}

inline void take_app(const value::Value& spec, provider::App& app) {
  app.compose = value::text_of(spec, "compose");
  app.ingress.cert_resolver = value::text_of(spec.get("ingress"), "certResolver");
  for (const value::Value& rule : spec.get("ingress").get("rules").items())
    app.ingress.rules.push_back({std::string(value::text_of(rule, "name")),
                                 rule.get("port").as_int(), test_texts(rule.get("hosts"))});
  for (const value::Value& volume : spec.get("volumes").items()) {
    provider::AppVolume& one = app.volumes.emplace_back();
    one.name = value::text_of(volume, "name");
    one.size = provider::parse_size(value::text_of(volume, "size")).value_or(0);
    if (value::text_of(volume, "type") == "files") one.type = provider::VolumeType::kFiles;
  }
  app.deployment = test_deployment(spec.get("deployment"));
  app.network_policy = test_policy(spec.get("networkPolicy"));
}

inline TestApp read_test_app(std::string_view text) {
  TestApp out;
  value::YamlReader reader(text, {});
  while (true) {
    auto next = reader.next();
    EXPECT_TRUE(next.has_value()) << next.error().to_string();
    if (!next || !*next) return out;
    const value::Value& root = (*next)->root();
    const std::string_view kind = value::text_of(root, "kind");
    const std::string name(value::text_of(root.get("metadata"), "name"));
    const value::Value& spec = root.get("spec");
    if (kind == "Workspace") {
      out.workspace.name = name;
    } else if (kind == "Provider") {
      out.provider.name = name;
      out.provider.driver = value::text_of(spec, "driver");
    } else if (kind == "Cluster") {
      out.cluster.name = name;
      if (!spec.get("ingress").is_null()) {
        provider::ClusterIngress& ingress = out.cluster.ingress.emplace();
        ingress.namespace_name = value::text_of(spec.get("ingress"), "namespace");
        ingress.domain = value::text_of(spec.get("ingress"), "domain");
        ingress.cert_resolver = value::text_of(spec.get("ingress"), "certResolver");
      }
    } else if (kind == "App") {
      out.app.name = name;
      out.app.ref_base = "file:///case/";
      take_app(spec, out.app);
    } else if (kind == "Box") {
      provider::Box& box = out.boxes.emplace_back();
      box.name = name;
      box.image = value::text_of(spec, "image");
      box.command = test_texts(spec.get("command"));
      box.args = test_texts(spec.get("args"));
      box.network_policy = test_policy(spec.get("networkPolicy"));
    } else {
      ADD_FAILURE() << "a document of kind " << kind;
    }
  }
}

// One disk for each volume, with the class that its type has on AKS.
inline std::vector<VolumeBinding> test_bindings(const provider::App& app) {
  std::vector<VolumeBinding> out;
  for (const provider::AppVolume& volume : app.volumes) {
    VolumeBinding& one = out.emplace_back();
    one.volume = volume.name;
    one.disk.name = "d1";
    one.disk.volume_name = volume.name;
    one.disk.assigned = true;
    one.disk.size = volume.size;
    one.disk.handle = "/disks/" + volume.name;
    const bool files = volume.type == provider::VolumeType::kFiles;
    one.volume_class.storage_class_name = files ? "azurefile-csi" : "managed-csi";
    one.volume_class.csi_driver = files ? "file.csi.azure.com" : "disk.csi.azure.com";
    one.volume_class.fs_type = files ? "" : "ext4";
    if (files) one.volume_class.attributes.emplace("protocol", "smb");
    one.volume_class.access_modes = {files ? "ReadWriteMany" : "ReadWriteOnce"};
    one.volume_class.reclaim_policy = "Retain";
    one.volume_class.volume_mode = "Filesystem";
  }
  return out;
}

}  // namespace strake::ops::compose
