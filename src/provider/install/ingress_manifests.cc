#include "provider/install/ingress_manifests.h"

#include <fmt/format.h>

#include "kube/objects/apply_stream.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::provider {
namespace {

constexpr std::string_view kAcmeStaging = "https://acme-staging-v02.api.letsencrypt.org/directory";

// A value of YAML that is what the text says, whatever that is.
std::string quoted(std::string_view text) {
  std::string out;
  value::write_json_string(text, out, false);
  return out;
}

// A flow mapping.
std::string mapping(const IngressTexts& texts) {
  std::string out = "{";
  for (const auto& [key, text] : texts)
    out += fmt::format("{}{}: {}", out.size() > 1 ? ", " : "", quoted(key), quoted(text));
  return out + "}";
}

// Nothing when there are none: servers do not keep empty mappings.
std::string member(std::string_view begins, const IngressTexts& texts) {
  return texts.empty() ? std::string() : std::string(begins) + mapping(texts);
}

IngressTexts labels_of(const IngressValues& values) {
  return {
      {"app.kubernetes.io/name", std::string(kIngressRelease)},
      {"app.kubernetes.io/instance", fmt::format("{}-{}", kIngressRelease, values.namespace_name)},
      {"app.kubernetes.io/managed-by", "kompox"}};
}

// What pods are found by: it cannot be changed later.
IngressTexts selector_of(const IngressValues& values) {
  IngressTexts out = labels_of(values);
  out.erase("app.kubernetes.io/managed-by");
  return out;
}

std::string cluster_wide_name(const std::string& namespace_name) {
  return fmt::format("{}-{}", kIngressRelease, namespace_name);
}

std::vector<std::string> arguments_of(const IngressValues& values) {
  std::vector<std::string> out = {
      "--global.checknewversion=false",
      "--global.sendanonymoususage=false",
      "--entryPoints.traefik.address=:8080/tcp",
      "--entryPoints.web.address=:8000/tcp",
      "--entryPoints.websecure.address=:8443/tcp",
      "--entryPoints.websecure.http.tls=true",
      "--ping=true",
      "--log.level=INFO",
      "--accesslog=true",
      "--accesslog.fields.defaultmode=keep",
      "--providers.kubernetesingress",
      fmt::format("--providers.kubernetesingress.ingressclass={}", kIngressRelease),
      fmt::format("--providers.kubernetesingress.ingressendpoint.publishedservice={}/{}",
                  values.namespace_name, kIngressRelease),
      fmt::format("--providers.file.directory={}", kIngressFolder),
      "--providers.file.watch=true",
  };
  for (const std::string_view resolver : {"production", "staging"}) {
    const std::string acme = fmt::format("--certificatesresolvers.{}.acme", resolver);
    out.push_back(fmt::format("{}.email={}", acme, values.cert_email));
    out.push_back(fmt::format("{}.storage=/data/acme-{}.json", acme, resolver));
    out.push_back(fmt::format("{}.tlschallenge=true", acme));
    if (resolver == "staging") out.push_back(fmt::format("{}.caserver={}", acme, kAcmeStaging));
  }
  out.insert(out.end(), values.arguments.begin(), values.arguments.end());
  return out;
}

std::string listed(const std::vector<std::string>& texts, std::string_view indent) {
  std::string out;
  for (const std::string& one : texts) out += fmt::format("\n{}- {}", indent, quoted(one));
  return out;
}

// The access that it needs to follow Ingresses, and to write their addresses.
constexpr std::string_view kAccess = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {cluster_name}
  labels: {labels}
rules:
- apiGroups: [""]
  resources: [services, secrets, configmaps, nodes]
  verbs: [get, list, watch]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list, watch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses, ingressclasses]
  verbs: [get, list, watch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses/status]
  verbs: [update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {cluster_name}
  labels: {labels}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {cluster_name}
subjects:
- kind: ServiceAccount
  name: {service_account}
  namespace: {namespace}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: {name}
  labels: {labels}
  annotations:
    ingressclass.kubernetes.io/is-default-class: "true"
spec:
  controller: traefik.io/ingress-controller
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: {namespace}
  labels: {labels}{files}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {name}
  namespace: {namespace}
  labels: {labels}
spec:
  accessModes: [ReadWriteOnce]{storage_class}
  resources:
    requests:
      storage: {storage}
---
apiVersion: v1
kind: Service
metadata:
  name: {name}
  namespace: {namespace}
  labels: {labels}{service_annotations}
spec:
  type: LoadBalancer
  externalTrafficPolicy: {external_traffic_policy}
  selector: {selector}
  ports:
  - name: web
    port: 80
    protocol: TCP
    targetPort: web
  - name: websecure
    port: 443
    protocol: TCP
    targetPort: websecure
)";

// One replica at a time, since the claim is of one node; as a user without rights, on a file system
// that cannot be written.
constexpr std::string_view kWorkload = R"(
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  namespace: {namespace}
  labels: {labels}
spec:
  replicas: 1
  strategy:
    type: Recreate
  selector:
    matchLabels: {selector}
  template:
    metadata:
      labels: {pod_labels}
    spec:
      serviceAccountName: {service_account}
      automountServiceAccountToken: true
      terminationGracePeriodSeconds: 60
      nodeSelector: {node_selector}
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        fsGroupChangePolicy: OnRootMismatch
      containers:
      - name: {name}
        image: {image}
        args:{arguments}
        ports:
        - name: traefik
          containerPort: 8080
          protocol: TCP
        - name: web
          containerPort: 8000
          protocol: TCP
        - name: websecure
          containerPort: 8443
          protocol: TCP
        readinessProbe:
          httpGet:
            path: /ping
            port: 8080
            scheme: HTTP
          initialDelaySeconds: 2
          periodSeconds: 10
          timeoutSeconds: 2
          failureThreshold: 1
        livenessProbe:
          httpGet:
            path: /ping
            port: 8080
            scheme: HTTP
          initialDelaySeconds: 2
          periodSeconds: 10
          timeoutSeconds: 2
          failureThreshold: 3
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop: [ALL]
        volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        - name: config
          mountPath: {config_folder}
          readOnly: true{mounts}
      volumes:
      - name: data
        persistentVolumeClaim:
          claimName: {name}
      - name: tmp
        emptyDir: {empty}
      - name: config
        configMap:
          name: {name}{volumes}
)";

// Each {word} becomes its value, which is not looked at again.
std::string filled(std::string_view text, const IngressTexts& values) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('}');
    const auto found = values.find(text.substr(1, close - 1));
    out += found->second;
    text.remove_prefix(close + 1);
  }
  return out;
}

Outcome<> check_volumes(const IngressValues& values) {
  for (const IngressVolume& one : values.volumes) {
    const auto source = value::read_json(one.source);
    if (!source || !source->root().is_object() || source->root().size() != 1)
      return refuse(FailureClass::kValidation,
                    "ingress controller: the source of volume \"{}\" must be an object of one kind",
                    one.name);
  }
  return {};
}

}  // namespace

Outcome<std::vector<value::Document>> ingress_manifests(const IngressValues& values) {
  STRAKE_CHECK(check_volumes(values));
  std::string mounts;
  std::string volumes;
  for (const IngressVolume& one : values.volumes) {
    mounts += fmt::format("\n        - {{name: {}, mountPath: {}, readOnly: true}}",
                          quoted(one.name), quoted(one.mount_path));
    // The source is JSON, and so is what it becomes with the name.
    const std::size_t brace = one.source.find('{');
    volumes +=
        fmt::format("\n      - {{\"name\": {}, {}", quoted(one.name), one.source.substr(brace + 1));
  }
  const IngressTexts selector = selector_of(values);
  IngressTexts pod_labels = values.pod_labels;
  for (const auto& [key, text] : labels_of(values)) pod_labels[key] = text;
  const IngressTexts words = {
      {"name", quoted(kIngressRelease)},
      {"namespace", quoted(values.namespace_name)},
      {"cluster_name", quoted(cluster_wide_name(values.namespace_name))},
      {"service_account", quoted(values.service_account)},
      {"labels", mapping(labels_of(values))},
      {"selector", mapping(selector)},
      {"pod_labels", mapping(pod_labels)},
      {"node_selector", mapping(values.node_selector)},
      {"service_annotations", member("\n  annotations: ", values.service_annotations)},
      {"external_traffic_policy", quoted(values.external_traffic_policy)},
      {"files", member("\ndata: ", values.config_files)},
      {"storage", quoted(values.storage)},
      {"storage_class", values.storage_class.empty() ? std::string()
                                                     : fmt::format("\n  storageClassName: {}",
                                                                   quoted(values.storage_class))},
      {"image", quoted(values.image)},
      {"arguments", listed(arguments_of(values), "        ")},
      {"config_folder", quoted(kIngressFolder)},
      {"mounts", mounts},
      {"volumes", volumes},
      {"empty", "{}"},
  };
  auto out = kube::read_manifests(
      fmt::format("{}---{}", filled(kAccess, words), filled(kWorkload, words)));
  if (!out)
    return refuse(FailureClass::kValidation, "ingress controller: {}", out.error().to_string());
  return *std::move(out);
}

std::vector<kube::ObjectRef> ingress_objects(const std::string& namespace_name) {
  const std::string name(kIngressRelease);
  const std::string cluster_name = cluster_wide_name(namespace_name);
  const auto object = [](std::string version, std::string kind, std::string in, std::string named) {
    return kube::ObjectRef{
        .of = {.api_version = std::move(version), .kind = std::move(kind)},
        .namespace_name = std::move(in),
        .name = std::move(named),
    };
  };
  return {object("rbac.authorization.k8s.io/v1", "ClusterRole", "", cluster_name),
          object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", cluster_name),
          object("networking.k8s.io/v1", "IngressClass", "", name),
          object("v1", "ConfigMap", namespace_name, name),
          object("v1", "PersistentVolumeClaim", namespace_name, name),
          object("v1", "Service", namespace_name, name),
          object("apps/v1", "Deployment", namespace_name, name)};
}

}  // namespace strake::provider
