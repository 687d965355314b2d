#include "kinds/storage/volume_sources.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/storage/host_port.h"
#include "kinds/storage/iscsi_source.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;

struct Case {
  std::string_view member;
  std::string_view source;
  std::string_view want;
};

TEST(VolumeSource, IsRefusedWithoutWhatItNeeds) {
  const Case cases[] = {
      {"hostPath", "{}", "v.path: Required value"},
      {"hostPath", R"({"path":"/a/../b","type":"X"})",
       R"([v.path: Invalid value: "/a/../b": must not contain '..', v.type: Unsupported value: "X": )"
       R"(supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"])"},
      {"gcePersistentDisk", R"({"partition":256})",
       "[v.pdName: Required value, v.partition: Invalid value: 256: must be between 1 and 255, "
       "inclusive]"},
      {"awsElasticBlockStore", R"({"volumeID":"a","partition":0})", ""},
      {"glusterfs", R"({"endpoints":"e","path":"p","endpointsNamespace":""})",
       R"(v.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name)"},
      {"flocker", "{}", "v: Required value: one of datasetName and datasetUUID is required"},
      {"flocker", R"({"datasetName":"a/b","datasetUUID":"u"})",
       R"([v: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously, )"
       R"(v.datasetName: Invalid value: "a/b": must not contain '/'])"},
      {"nfs", "{}",
       R"([v.server: Required value, v.path: Required value, v.path: Invalid value: "": must be an absolute path])"},
      {"rbd", "{}", "[v.monitors: Required value, v.image: Required value]"},
      {"quobyte", R"({"volume":"v","registry":"a:1,b"})",
       R"(v.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas)"},
      {"quobyte", "{}",
       "[v.volume: Required value, v.registry: Required value: must be a host:port pair or "
       "multiple "
       "pairs separated by commas]"},
      {"cephfs", "{}", "v.monitors: Required value"},
      {"cinder", R"({"secretRef":{}})",
       "[v.volumeID: Required value, v.secretRef.name: Required value, v.secretRef.namespace: "
       "Required value]"},
      {"fc", "{}",
       "v.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"},
      {"fc", R"({"targetWWNs":["a"],"wwids":["b"]})",
       R"([v.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously, )"
       "v.lun: Required value: lun is required if targetWWNs is specified]"},
      {"fc", R"({"targetWWNs":["a"],"lun":256})",
       "v.lun: Invalid value: 256: must be between 0 and 255, inclusive"},
      {"flexVolume", R"({"driver":"d","options":{"a.K8S.io/b":"1","ak8s.io":"1","k8s.io":"1"}})",
       R"([v.options[a.K8S.io/b]: Invalid value: "a.K8S.io/b": kubernetes.io and k8s.io namespaces are reserved, )"
       R"(v.options[k8s.io]: Invalid value: "k8s.io": kubernetes.io and k8s.io namespaces are reserved])"},
      {"azureFile", R"({"secretName":"a","shareName":"b","secretNamespace":""})",
       "v.secretNamespace: Required value"},
      {"azureDisk", R"({"diskName":"a","diskURI":"b","kind":"Managed"})",
       R"(v.diskURI: Unsupported value: "b": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}")"},
      {"azureDisk", R"({"diskName":"a","diskURI":"b","kind":"Shared","cachingMode":"X"})",
       R"([v.cachingMode: Unsupported value: "X": supported values: "None", "ReadOnly", "ReadWrite", )"
       R"(v.diskURI: Unsupported value: "b": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"])"},
      {"vsphereVolume", "{}", "v.volumePath: Required value"},
      {"photonPersistentDisk", "{}", "v.pdID: Required value"},
      {"portworxVolume", "{}", "v.volumeID: Required value"},
      {"scaleIO", "{}",
       "[v.gateway: Required value, v.system: Required value, v.volumeName: Required value]"},
      {"local", R"({"path":".."})", R"(v.path: Invalid value: "..": must not contain '..')"},
      {"storageos", R"({"secretRef":{"name":"n"}})",
       "[v.volumeName: Required value, v.secretRef.namespace: Required value]"},
      {"csi", R"({"nodeStageSecretRef":{},"nodeExpandSecretRef":{}})",
       "[v.volumeHandle: Required value, v.driver: Required value, v.nodeExpandSecretRef.name: "
       "Required value, v.nodeExpandSecretRef.namespace: Required value]"},
  };
  for (const Case& one : cases) {
    const Document document = *value::read_json(one.source);
    value::FieldErrors errors;
    check_volume_source(one.member, document.root(), FieldPath() / "v", errors);
    EXPECT_EQ(errors.empty() ? "" : value::aggregate(errors), one.want)
        << one.member << " " << one.source;
  }
}

TEST(VolumeSource, OfPersistentVolumesAllHaveRules) {
  for (const VolumeSource& source : persistent_volume_sources()) {
    if (source.member == "iscsi") continue;
    const Document empty = *value::read_json("{}");
    value::FieldErrors errors;
    check_volume_source(source.member, empty.root(), FieldPath(), errors);
    EXPECT_FALSE(errors.empty()) << source.member;
  }
}

TEST(VolumeSource, HasDefaults) {
  Document document = *value::read_json(
      R"({"hostPath":{"path":"/"},"rbd":{"pool":"mine"},"iscsi":{},"azureDisk":{"fsType":""},"scaleIO":{"fsType":""}})");
  apply_volume_source_defaults(document.root(), document.arena());
  EXPECT_EQ(
      value::to_json(document.root()),
      R"({"azureDisk":{"cachingMode":"ReadWrite","fsType":"","kind":"Shared","readOnly":false},)"
      R"("hostPath":{"path":"/","type":""},"iscsi":{"iscsiInterface":"default"},)"
      R"("rbd":{"keyring":"/etc/ceph/keyring","pool":"mine","user":"admin"},)"
      R"("scaleIO":{"fsType":"xfs","storageMode":"ThinProvisioned"}})");
}

TEST(HostPort, IsOneHostAndAPort) {
  for (const std::string_view good : {"a:1", ":1", "a:", "[::1]:80", "[]:x"})
    EXPECT_TRUE(is_host_port(good)) << good;
  for (const std::string_view bad :
       {"", "a", "a:b:c", "[::1]", "[::1]80", "[::1", "a[:1", "a]:1", "[[]:1", "[a]]:1"})
    EXPECT_FALSE(is_host_port(bad)) << bad;
}

TEST(IscsiName, IsOfOneOfThreeForms) {
  const std::string digits(32, 'a');
  for (const std::string& good :
       {std::string("iqn.2001-04.com.example:storage"), std::string("iqn-x-iqn.2001-04.a-b.c:d:e"),
        "eui." + digits.substr(16), "euix" + digits.substr(16), "naa." + digits})
    EXPECT_TRUE(is_iscsi_name(good)) << good;
  for (const std::string& bad :
       {std::string(), std::string("x"), std::string("iqn.2001-04.com.example"),
        std::string("iqn.2001-04.:a"), std::string("iqn.2001-4.a:b"),
        std::string("iqn.2001-04.a:b c"), std::string("iqn.2001-04.a:"), "eui." + digits,
        "naa." + digits + "a", std::string("eui.")})
    EXPECT_FALSE(is_iscsi_name(bad)) << bad;
  // Each of them could be where the name begins.
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "iqn.2001-04.";
  EXPECT_FALSE(is_iscsi_name(many));
}

TEST(IscsiSource, IsRefusedWithALongNameOrWithoutASecret) {
  const auto refused = [](std::string_view json, std::string_view volume) {
    const Document document = *value::read_json(json);
    value::FieldErrors errors;
    check_iscsi_source(document.root(), volume, FieldPath() / "v", errors);
    return errors.empty() ? "" : value::aggregate(errors);
  };
  EXPECT_EQ(refused(R"({"targetPortal":"p:1","iqn":"iqn.2001-04.a:b","lun":0})", "n"), "");
  EXPECT_EQ(refused(R"({"lun":256,"chapAuthSession":true})", "n"),
            "[v.targetPortal: Required value, v.iqn: Required value, v.lun: Invalid value: 256: "
            "must be between 0 and 255, inclusive, v.secretRef: Required value]");
  EXPECT_EQ(
      refused(R"({"targetPortal":"p:1","iqn":"x","initiatorName":"y","secretRef":{}})",
              std::string(61, 'n')),
      R"([v.targetportal: Invalid value: "p:1": Total length of <volume name>:<iscsi.targetPortal> )"
      "must be under 64 characters if iscsi.initiatorName is specified., "
      R"(v.iqn: Invalid value: "x": must be valid format, v.secretRef.name: Required value, )"
      R"(v.initiatorname: Invalid value: "y": must be valid format])");
}

}  // namespace
}  // namespace strake::kinds
