#include "ops/compose/manifest.h"

#include <algorithm>

#include "base/base64.h"
#include "ops/compose/pod_template.h"
#include "ops/compose/tree_builder.h"
#include "value/yaml_writer.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Labels;
using provider::Outcome;
using provider::refuse;
using value::Value;

constexpr std::string_view kNamespaceNameLabel = "kubernetes.io/metadata.name";
constexpr std::string_view kIngressClass = "traefik";
constexpr std::string_view kRouter = "traefik.ingress.kubernetes.io/router.";

// One object of its own document.
class ObjectWriter {
 public:
  ObjectWriter(std::string_view api_version, std::string_view kind, std::string_view name,
               std::string_view name_space, const Labels& labels, const Labels& annotations = {})
      : build_(document_.arena()) {
    Value metadata = build_.map({{"name", build_.text(name)}, {"labels", build_.text_map(labels)}});
    if (!name_space.empty()) build_.put(metadata, "namespace", build_.text(name_space));
    if (!annotations.empty()) build_.put(metadata, "annotations", build_.text_map(annotations));
    document_.root() = build_.map({{"apiVersion", build_.text(api_version)},
                                   {"kind", build_.text(kind)},
                                   {"metadata", metadata}});
  }

  const TreeBuilder& build() const { return build_; }
  void put(std::string_view key, Value v) { build_.put(document_.root(), key, v); }
  value::Document take() && { return std::move(document_); }

 private:
  value::Document document_;
  TreeBuilder build_;
};

class ManifestWriter {
 public:
  ManifestWriter(const Plan& plan, std::span<const BoundVolume> volumes)
      : plan_(plan),
        volumes_(volumes),
        name_space_(plan.names.namespace_name()),
        base_(plan.names.base_labels()),
        component_(plan.names.component_labels()) {}

  std::vector<value::Document> write() {
    add(ObjectWriter("v1", "Namespace", name_space_, "", base_,
                     plan_.names.namespace_annotations(plan_.driver)));
    access();
    network_policies();
    for (const BoundVolume& one : volumes_) persistent_volume(one);
    for (const BoundVolume& one : volumes_) claim(one);
    for (const FilePlan& file : plan_.configs) config_map(file);
    for (const FilePlan& file : plan_.secrets) secret(file.object, {{file.key, file.bytes}});
    for (const EnvSecretPlan& one : plan_.env_secrets) secret(one.object, one.variables);
    deployment();
    services();
    ingress(plan_.names.default_ingress_name(), plan_.default_hosts, "");
    ingress(plan_.names.custom_ingress_name(), plan_.custom_hosts, plan_.cert_resolver);
    return std::move(out_);
  }

 private:
  void add(ObjectWriter object) { out_.push_back(std::move(object).take()); }

  // For people: no pod runs as this account.
  void access() {
    const std::string account = plan_.names.account_name();
    const std::string role_name = plan_.names.access_role_name();
    add(ObjectWriter("v1", "ServiceAccount", account, name_space_, base_));
    ObjectWriter role("rbac.authorization.k8s.io/v1", "Role", role_name, name_space_, base_);
    const TreeBuilder& b = role.build();
    const auto rule = [&](std::string_view group, std::initializer_list<std::string_view> resources,
                          std::initializer_list<std::string_view> verbs) {
      return b.map({{"apiGroups", b.words({group})},
                    {"resources", b.words(resources)},
                    {"verbs", b.words(verbs)}});
    };
    role.put("rules",
             b.list({rule("", {"pods"}, {"get", "list", "watch"}),
                     rule("", {"pods/log"}, {"get", "watch"}),
                     rule("", {"pods/exec", "pods/portforward", "pods/attach"}, {"create"}),
                     rule("", {"events", "services", "endpoints"}, {"get", "list", "watch"}),
                     rule("apps", {"deployments", "replicasets"}, {"get", "list", "watch"}),
                     rule("", {"pods/ephemeralcontainers"}, {"update"})}));
    add(std::move(role));
    ObjectWriter binding("rbac.authorization.k8s.io/v1", "RoleBinding", role_name, name_space_,
                         base_);
    const TreeBuilder& bb = binding.build();
    binding.put("subjects", bb.list({bb.map({{"kind", bb.text("ServiceAccount")},
                                             {"name", bb.text(account)},
                                             {"namespace", bb.text(name_space_)}})}));
    binding.put("roleRef", bb.map({{"apiGroup", bb.text("rbac.authorization.k8s.io")},
                                   {"kind", bb.text("Role")},
                                   {"name", bb.text(role_name)}}));
    add(std::move(binding));
  }

  // The app's own namespace, the system's and the ingress controller's may always come in.
  void network_policies() {
    ObjectWriter policy("networking.k8s.io/v1", "NetworkPolicy", plan_.names.account_name(),
                        name_space_, base_);
    const TreeBuilder& b = policy.build();
    std::vector<std::string> always;
    for (const std::string& one :
         {name_space_, std::string("kube-system"), plan_.ingress_namespace}) {
      if (std::ranges::find(always, one) == always.end()) always.push_back(one);
    }
    Value rules = b.list({b.map(
        {{"from",
          b.list({b.map({{"namespaceSelector",
                          b.map({{"matchExpressions",
                                  b.list({b.map({{"key", b.text(kNamespaceNameLabel)},
                                                 {"operator", b.text("In")},
                                                 {"values", b.texts(always)}})})}})}})})}})});
    for (const provider::PolicyRule& rule : plan_.policy_rules) b.add(rules, policy_rule(b, rule));
    put_policy(std::move(policy), Value::object({}), rules);
    if (plan_.box_policy_rules.empty()) return;
    ObjectWriter own("networking.k8s.io/v1", "NetworkPolicy", plan_.names.resource_name(),
                     name_space_, component_);
    const TreeBuilder& bo = own.build();
    Value own_rules = Value::array({});
    for (const provider::PolicyRule& rule : plan_.box_policy_rules)
      bo.add(own_rules, policy_rule(bo, rule));
    const Value pods = bo.map({{"matchLabels", bo.text_map(plan_.names.selector_labels())}});
    put_policy(std::move(own), pods, own_rules);
  }

  void put_policy(ObjectWriter policy, Value pods, Value rules) {
    const TreeBuilder& b = policy.build();
    policy.put(
        "spec",
        b.map({{"podSelector", pods}, {"policyTypes", b.words({"Ingress"})}, {"ingress", rules}}));
    add(std::move(policy));
  }

  static Value policy_rule(const TreeBuilder& b, const provider::PolicyRule& rule) {
    Value from = Value::array({});
    for (const provider::NamespaceSelector& peer : rule.from) {
      Value selector = Value::object({});
      if (!peer.match_labels.empty()) b.put(selector, "matchLabels", b.text_map(peer.match_labels));
      if (!peer.match_expressions.empty())
        b.put(selector, "matchExpressions", requirements(b, peer.match_expressions));
      b.add(from, b.map({{"namespaceSelector", selector}}));
    }
    Value out = b.map({{"from", from}});
    Value ports = Value::array({});
    for (const provider::PolicyPort& port : rule.ports) {
      b.add(ports, b.map({{"protocol", b.text(port.protocol.empty() ? "TCP" : port.protocol)},
                          {"port", Value::integer(port.port)}}));
    }
    if (ports.size() > 0) b.put(out, "ports", ports);
    return out;
  }

  void persistent_volume(const BoundVolume& one) {
    ObjectWriter object("v1", "PersistentVolume", one.claim, "", base_);
    const TreeBuilder& b = object.build();
    Value csi = b.map(
        {{"driver", b.text(one.volume_class.csi_driver)}, {"volumeHandle", b.text(one.handle)}});
    if (!one.attributes.empty()) b.put(csi, "volumeAttributes", b.text_map(one.attributes));
    Value spec = b.map({{"capacity", b.map({{"storage", b.text(one.quantity)}})},
                        {"accessModes", b.texts(one.volume_class.access_modes)},
                        {"persistentVolumeReclaimPolicy", b.text(one.volume_class.reclaim_policy)},
                        {"csi", csi}});
    put_class(b, one, spec);
    object.put("spec", spec);
    add(std::move(object));
  }

  void claim(const BoundVolume& one) {
    ObjectWriter object("v1", "PersistentVolumeClaim", one.claim, name_space_, base_);
    const TreeBuilder& b = object.build();
    Value spec =
        b.map({{"accessModes", b.texts(one.volume_class.access_modes)},
               {"resources", b.map({{"requests", b.map({{"storage", b.text(one.quantity)}})}})},
               {"volumeName", b.text(one.claim)}});
    put_class(b, one, spec);
    object.put("spec", spec);
    add(std::move(object));
  }

  // A class has no opinion where it is empty.
  static void put_class(const TreeBuilder& b, const BoundVolume& one, Value& spec) {
    const provider::VolumeClass& of = one.volume_class;
    if (!of.storage_class_name.empty())
      b.put(spec, "storageClassName", b.text(of.storage_class_name));
    if (!of.volume_mode.empty()) b.put(spec, "volumeMode", b.text(of.volume_mode));
  }

  Labels hash_annotation(const std::map<std::string, std::string>& data) const {
    return {{std::string(provider::kContentHashAnnotation), provider::content_hash(data)}};
  }

  void config_map(const FilePlan& file) {
    ObjectWriter object("v1", "ConfigMap", file.object, name_space_, component_,
                        hash_annotation({{file.key, file.bytes}}));
    const TreeBuilder& b = object.build();
    object.put("data", b.map({{file.key, b.text(file.bytes)}}));
    add(std::move(object));
  }

  void secret(const std::string& name, const std::map<std::string, std::string>& data) {
    ObjectWriter object("v1", "Secret", name, name_space_, component_, hash_annotation(data));
    const TreeBuilder& b = object.build();
    Value encoded = Value::object({});
    for (const auto& [key, bytes] : data) b.put(encoded, key, b.text(base64_encode(bytes)));
    object.put("type", b.text("Opaque"));
    object.put("data", encoded);
    add(std::move(object));
  }

  void deployment() {
    ObjectWriter object("apps/v1", "Deployment", plan_.names.resource_name(), name_space_,
                        component_);
    const TreeBuilder& b = object.build();
    object.put(
        "spec",
        b.map({{"replicas", Value::integer(1)},
               // Volumes that one node holds cannot be shared with the next pod.
               {"strategy", b.map({{"type", b.text("Recreate")}})},
               {"selector", b.map({{"matchLabels", b.text_map(plan_.names.selector_labels())}})},
               {"template", pod_template(b, plan_, volumes_)}}));
    add(std::move(object));
  }

  void services() {
    if (!plan_.service_ports.empty()) {
      ObjectWriter object("v1", "Service", plan_.names.resource_name(), name_space_, component_);
      const TreeBuilder& b = object.build();
      Value ports = Value::array({});
      for (const ServicePortPlan& port : plan_.service_ports) {
        b.add(ports, b.map({{"name", b.text(port.name)},
                            {"port", Value::integer(port.port)},
                            {"targetPort", Value::integer(port.target)}}));
      }
      object.put("spec", b.map({{"ports", ports},
                                {"selector", b.text_map(plan_.names.selector_labels())}}));
      add(std::move(object));
    }
    Labels labels = component_;
    labels.insert_or_assign(std::string(provider::kHeadlessLabel), "true");
    for (const std::string& name : plan_.headless_services) {
      ObjectWriter object("v1", "Service", name, name_space_, labels);
      const TreeBuilder& b = object.build();
      object.put("spec", b.map({{"clusterIP", b.text("None")},
                                {"selector", b.text_map(plan_.names.selector_labels())}}));
      add(std::move(object));
    }
  }

  void ingress(const std::string& name, const std::vector<IngressHostPlan>& hosts,
               const std::string& cert_resolver) {
    if (hosts.empty()) return;
    Labels annotations = {{fmt::format("{}entrypoints", kRouter), "websecure"},
                          {fmt::format("{}tls", kRouter), "true"}};
    if (!cert_resolver.empty())
      annotations.emplace(fmt::format("{}tls.certresolver", kRouter), cert_resolver);
    ObjectWriter object("networking.k8s.io/v1", "Ingress", name, name_space_, component_,
                        annotations);
    const TreeBuilder& b = object.build();
    Value rules = Value::array({});
    for (const IngressHostPlan& host : hosts) {
      const Value backend =
          b.map({{"service", b.map({{"name", b.text(plan_.names.resource_name())},
                                    {"port", b.map({{"name", b.text(host.port_name)}})}})}});
      const Value path =
          b.map({{"path", b.text("/")}, {"pathType", b.text("Prefix")}, {"backend", backend}});
      b.add(rules,
            b.map({{"host", b.text(host.host)}, {"http", b.map({{"paths", b.list({path})}})}}));
    }
    object.put("spec", b.map({{"ingressClassName", b.text(kIngressClass)}, {"rules", rules}}));
    add(std::move(object));
  }

  const Plan& plan_;
  std::span<const BoundVolume> volumes_;
  std::string name_space_;
  Labels base_;
  Labels component_;
  std::vector<value::Document> out_;
};

}  // namespace

std::string Manifest::yaml() const {
  std::string out;
  for (const value::Document& object : objects_) {
    out += "---\n";
    value::write_yaml(object.root(), out);
  }
  return out;
}

Outcome<Manifest> build(const Plan& plan, std::span<const BoundVolume> volumes) {
  std::vector<BoundVolume> used;
  for (const std::string& name : plan.volumes) {
    if (std::ranges::find(volumes, name, &BoundVolume::volume) == volumes.end())
      return refuse(FailureClass::kValidation, "no claim name bound for volume {}", name);
  }
  for (const BoundVolume& one : volumes) {
    if (plan.volumes.contains(one.volume)) used.push_back(one);
  }
  return Manifest(ManifestWriter(plan, used).write());
}

}  // namespace strake::ops::compose
