#include <gtest/gtest.h>

#include "kinds/pods/check_test_pods.h"

namespace strake::kinds::testing {
namespace {

struct Case {
  std::string_view what;
  std::string_view source;  // members of the volume
  std::string_view errors;  // with "V." for "spec.volumes[0]."
};

std::string written_out(std::string_view errors) {
  std::string out;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const bool starts = errors.substr(i).starts_with("V.") && (i == 0 || errors[i - 1] == ' ');
    out += starts ? "spec.volumes[0]." : errors.substr(i, 1);
    if (starts) ++i;
  }
  return out;
}

void expect_errors(std::initializer_list<Case> cases) {
  for (const Case& one : cases)
    EXPECT_EQ(errors_of_pod(volume_with(one.source)), written_out(one.errors)) << one.what;
}

TEST(VolumeChecks, WantOneSourceAndAName) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("volumes":[{"name":"v"}])")),
            "spec.volumes[0]: Required value: must specify a volume type");
  EXPECT_EQ(errors_of_pod(pod_with(R"("volumes":[{"emptyDir":{}},{"name":"a","emptyDir":{}},
                                                 {"name":"a","emptyDir":{}}])")),
            R"(spec.volumes[0].name: Required value; spec.volumes[2].name: Duplicate value: "a")");
  expect_errors({
      {"two", R"("emptyDir":{},"cephfs":{},"downwardAPI":{})",
       "V.cephFS: Forbidden: may not specify more than 1 volume type; V.downwarAPI: Forbidden: may "
       "not specify more than 1 volume type"},
  });
}

TEST(VolumeChecks, KnowTheFoldersOfNodes) {
  expect_errors({
      {"no path", R"("hostPath":{"type":"Bogus"})", "V.hostPath.path: Required value"},
      {"backsteps", R"("hostPath":{"path":"/a/../b","type":"Bogus"})",
       R"(V.hostPath.path: Invalid value: "/a/../b": must not contain '..'; V.hostPath.type: )"
       R"(Unsupported value: "Bogus": supported values: "", "BlockDevice", "CharDevice", )"
       R"("Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")"},
      {"dots that are no backsteps", R"("hostPath":{"path":"/a..b/...","type":""})", ""},
      {"a git repository", R"("gitRepo":{"directory":"/a"})",
       R"(V.gitRepo.repository: Required value; V.gitRepo.directory: Invalid value: "/a": must be )"
       "a relative path"},
  });
}

TEST(VolumeChecks, KnowDisksAndNetworks) {
  expect_errors({
      {"gce", R"("gcePersistentDisk":{"partition":256})",
       "V.persistentDisk.pdName: Required value; V.persistentDisk.partition: Invalid value: 256: "
       "must be between 1 and 255, inclusive"},
      {"aws", R"("awsElasticBlockStore":{})", "V.awsElasticBlockStore.volumeID: Required value"},
      {"nfs", R"("nfs":{})",
       R"(V.nfs.server: Required value; V.nfs.path: Required value; V.nfs.path: Invalid value: "": )"
       "must be an absolute path"},
      {"iscsi", R"("iscsi":{"iqn":"iqn.2001-04.com","lun":256,"chapAuthSession":true,
                            "initiatorName":"x"})",
       R"(V.iscsi.targetPortal: Required value; V.iscsi.iqn: Invalid value: "iqn.2001-04.com": )"
       "must be valid format; V.iscsi.lun: Invalid value: 256: must be between 0 and 255, "
       R"(inclusive; V.iscsi.secretRef: Required value; V.iscsi.initiatorname: Invalid value: "x": )"
       "must be valid format starting with iqn, eui, or naa"},
      {"names of iscsi",
       R"("iscsi":{"targetPortal":"1.2.3.4","iqn":"iqn.2001-04.com.example:storage.disk1",
                   "initiatorName":"naa.0123456789abcdef0123456789abcdef"})",
       ""},
      {"glusterfs", R"("glusterfs":{})",
       "V.glusterfs.endpoints: Required value; V.glusterfs.path: Required value"},
      {"flocker", R"("flocker":{"datasetName":"a/b","datasetUUID":"u"})",
       R"(V.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified )"
       R"(simultaneously; V.flocker.datasetName: Invalid value: "a/b": must not contain '/')"},
      {"claim", R"("persistentVolumeClaim":{})",
       "V.persistentVolumeClaim.claimName: Required value"},
      {"rbd", R"("rbd":{})", "V.rbd.monitors: Required value; V.rbd.image: Required value"},
      {"cinder", R"("cinder":{"secretRef":{}})",
       "V.cinder.volumeID: Required value; V.cinder.secretRef.name: Required value"},
      {"cephfs", R"("cephfs":{"monitors":[]})", "V.cephfs.monitors: Required value"},
      {"quobyte", R"("quobyte":{"registry":"a:1,[::1]:2,b","volume":"v"})",
       R"(V.quobyte.registry: Invalid value: "a:1,[::1]:2,b": must be a host:port pair or multiple )"
       "pairs separated by commas"},
      {"fibre channel", R"("fc":{"targetWWNs":["a"],"wwids":["b"]})",
       R"(V.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified )"
       "simultaneously; V.fc.lun: Required value: lun is required if targetWWNs is specified"},
      {"flex", R"("flexVolume":{"options":{"a.K8S.io/b":"","k8s.iox":""}})",
       R"(V.flexVolume.driver: Required value; V.flexVolume.options[a.K8S.io/b]: Invalid value: )"
       R"("a.K8S.io/b": kubernetes.io and k8s.io namespaces are reserved)"},
      {"azure disk", R"("azureDisk":{"diskName":"d","diskURI":"x","kind":"Managed",
                                     "cachingMode":"No"})",
       R"(V.azureDisk.cachingMode: Unsupported value: "No": supported values: "None", "ReadOnly", )"
       R"("ReadWrite"; V.azureDisk.diskURI: Unsupported value: "x": supported values: )"
       R"("/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/)"
       R"({disk-id}")"},
      {"azure file", R"("azureFile":{})",
       "V.azureFile.secretName: Required value; V.azureFile.shareName: Required value"},
      {"storageos", R"("storageos":{"volumeNamespace":"a.b"})",
       R"(V.storageos.volumeName: Required value; V.storageos.volumeNamespace: Invalid value: )"
       R"("a.b": must not contain dots)"},
      {"others", R"("vsphereVolume":{})", "V.vsphereVolume.volumePath: Required value"},
      {"photon", R"("photonPersistentDisk":{})", "V.photonPersistentDisk.pdID: Required value"},
      {"portworx", R"("portworxVolume":{})", "V.portworxVolume.volumeID: Required value"},
      {"scaleIO", R"("scaleIO":{"gateway":"g"})",
       "V.scaleIO.system: Required value; V.scaleIO.volumeName: Required value"},
      {"csi", R"("csi":{"driver":"A_b","nodePublishSecretRef":{}})",
       R"(V.csi.driver: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower )"
       "case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
       "character (e.g. 'example.com', regex used for validation is "
       R"('[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); )"
       "V.csi.nodePublishSecretRef.name: Required value"},
      {"image", R"("image":{"pullPolicy":"Always"})", "V.image.reference: Required value"},
  });
  EXPECT_EQ(errors_of_template(volume_with(R"("image":{"pullPolicy":"Always"})")), "");
}

TEST(VolumeChecks, WantFilesInsideTheVolume) {
  expect_errors({
      {"a secret", R"("secret":{"defaultMode":512,"items":[{"path":"..a"}]})",
       "V.secret.secretName: Required value; V.secret.defaultMode: Invalid value: 512: must be a "
       "number between 0 and 0777 (octal), both inclusive; V.secret.items[0].key: Required value; "
       R"(V.secret.items[0].path: Invalid value: "..a": must not start with '..')"},
      {"fields of the pod",
       R"("downwardAPI":{"items":[{"path":"a"},{"path":"/b","resourceFieldRef":
          {"resource":"limits.cpu"}},{"path":"c","mode":-1,"fieldRef":{"apiVersion":"v1",
           "fieldPath":"spec.nodeName"}}]})",
       "V.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required; "
       R"(V.downwardAPI.path: Invalid value: "/b": must be a relative path; )"
       "V.downwardAPI.resourceFieldRef.containerName: Required value; "
       R"(V.downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: )"
       R"("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", )"
       R"("metadata.uid"; V.downwardAPI.mode: Invalid value: -1: must be a number between 0 and )"
       "0777 (octal), both inclusive"},
      {"projections",
       R"("projected":{"sources":[
          {"secret":{"name":"s","items":[{"key":"k","path":"a"}]}},
          {"configMap":{"items":[{"key":"k","path":"a"}]},"secret":{"name":"t"}}]})",
       R"(V.projected.sources[1].configMap.name: Required value; V.projected: Invalid value: "": )"
       "conflicting duplicate paths; V.projected.sources[1]: Forbidden: may not specify more than "
       "1 volume type per source"},
  });
  EXPECT_EQ(errors_of_pod(volume_with(
                R"("projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":10}}]})")),
            "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid "
            "value: 10: may not specify a duration less than 10 minutes; "
            "spec.volumes[0].projected.path: Required value; "
            "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be "
            "specified when serviceAccountName is not set");
}

TEST(VolumeChecks, NameTheClaimsOfEphemeralVolumes) {
  const std::string pod = pod_with(R"("volumes":[
      {"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{"name":"x","uid":"u",
         "labels":{"a":"b"}},"spec":{"accessModes":["ReadWriteOnce"],
         "resources":{"requests":{"storage":"1"}}}}}},
      {"name":"w","persistentVolumeClaim":{"claimName":"p-v"}}])");
  EXPECT_EQ(
      errors_of_pod(pod),
      "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be "
      "set; spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be "
      R"(set; spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v": must not )"
      "reference a PVC that gets created for an ephemeral volume");
  EXPECT_EQ(errors_of_pod(volume_with(R"("ephemeral":{})")),
            "spec.volumes[0].ephemeral.volumeClaimTemplate: Required value");
}

TEST(VolumeChecks, LetAStoredPodKeepAPathOutside) {
  const std::string pod = volume_with(R"("projected":{"sources":[{"serviceAccountToken":
      {"expirationSeconds":600,"path":"../a"}}]})");
  EXPECT_EQ(errors_of_template(pod),
            R"(t.spec.volumes[0].projected.path: Invalid value: "../a": must not contain '..')");
  EXPECT_EQ(errors_of_change(pod, pod), "");
}

}  // namespace
}  // namespace strake::kinds::testing
