#include "ops/compose/pod_template.h"

#include <algorithm>

#include "value/fields.h"

namespace strake::ops::compose {
namespace {

using value::Value;

Value amounts(const TreeBuilder& b, const ResourceAmounts& of) {
  Value out = Value::object({});
  if (of.cpu) b.put(out, "cpu", b.text(of.cpu->to_string()));
  if (of.memory) b.put(out, "memory", b.text(of.memory->to_string()));
  return out;
}

Value kubelet_texts(const TreeBuilder& b, const std::vector<std::string>& all) {
  Value out = Value::array({});
  for (const std::string& one : all) b.add(out, b.text(escape_for_kubelet(one)));
  return out;
}

Value mounts(const TreeBuilder& b, const std::vector<Mount>& all) {
  Value out = Value::array({});
  for (const Mount& mount : all) {
    Value one = b.map({{"name", b.text(mount.volume)}, {"mountPath", b.text(mount.path)}});
    if (!mount.sub_path.empty()) b.put(one, "subPath", b.text(mount.sub_path));
    if (mount.read_only) b.put(one, "readOnly", Value::boolean(true));
    b.add(out, one);
  }
  return out;
}

Value container(const TreeBuilder& b, const ContainerPlan& plan) {
  Value out = b.map({{"name", b.text(plan.name)}, {"image", b.text(plan.image)}});
  if (!plan.command.empty()) b.put(out, "command", kubelet_texts(b, plan.command));
  if (!plan.args.empty()) b.put(out, "args", kubelet_texts(b, plan.args));
  Value from = Value::array({});
  for (const std::string& secret : plan.env_secrets) {
    b.add(from, b.map({{"secretRef",
                        b.map({{"name", b.text(secret)}, {"optional", Value::boolean(true)}})}}));
  }
  if (from.size() > 0) b.put(out, "envFrom", from);
  Value environment = Value::array({});
  for (const auto& [name, text] : plan.environment)
    b.add(environment,
          b.map({{"name", b.text(name)}, {"value", b.text(escape_for_kubelet(text))}}));
  if (environment.size() > 0) b.put(out, "env", environment);
  Value ports = Value::array({});
  for (const std::int64_t port : plan.ports)
    b.add(ports, b.map({{"containerPort", Value::integer(port)}}));
  if (ports.size() > 0) b.put(out, "ports", ports);
  if (!plan.mounts.empty()) b.put(out, "volumeMounts", mounts(b, plan.mounts));
  Value resources = Value::object({});
  if (!plan.requests.empty()) b.put(resources, "requests", amounts(b, plan.requests));
  if (!plan.limits.empty()) b.put(resources, "limits", amounts(b, plan.limits));
  if (resources.size() > 0) b.put(out, "resources", resources);
  return out;
}

// A path as a word of the shell.
std::string shell_word(const std::string& path) {
  const bool plain = std::ranges::all_of(path, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+@%,=").find(c) != std::string_view::npos;
  });
  if (plain) return path;
  std::string out = "'";
  for (const char c : path) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// A sub path of a volume must be there before a container can mount it.
Value init_container(const TreeBuilder& b, const Plan& plan) {
  std::string script;
  std::vector<Mount> all;
  for (const auto& [volume, sub_paths] : plan.sub_paths) {
    const std::string at = "/work/" + volume;
    all.push_back({.volume = volume, .path = at, .sub_path = {}, .read_only = false});
    for (const std::string& sub_path : sub_paths) {
      if (!script.empty()) script += '\n';
      script += fmt::format("mkdir -m 1777 -p {}", shell_word(fmt::format("{}/{}", at, sub_path)));
    }
  }
  return b.map(
      {{"name", b.text(kInitContainer)},
       {"image", b.text(kInitImage)},
       {"command", b.list({b.text("sh"), b.text("-c"), b.text(escape_for_kubelet(script))})},
       {"volumeMounts", mounts(b, all)}});
}

Value file_volume(const TreeBuilder& b, const FilePlan& file, bool config) {
  Value item = b.map({{"key", b.text(file.key)}, {"path", b.text(file.key)}});
  if (file.mode) b.put(item, "mode", Value::integer(*file.mode));
  const Value source =
      b.map({{config ? "name" : "secretName", b.text(file.object)}, {"items", b.list({item})}});
  return b.map({{"name", b.text(file.volume)}, {config ? "configMap" : "secret", source}});
}

}  // namespace

Value requirements(const TreeBuilder& b, const std::vector<provider::LabelRequirement>& all) {
  Value out = Value::array({});
  for (const provider::LabelRequirement& one : all) {
    Value requirement = b.map({{"key", b.text(one.key)}, {"operator", b.text(one.op)}});
    if (!one.values.empty()) b.put(requirement, "values", b.texts(one.values));
    b.add(out, requirement);
  }
  return out;
}

Value pod_template(const TreeBuilder& b, const Plan& plan, std::span<const BoundVolume> volumes) {
  Value containers = Value::array({});
  for (const ContainerPlan& one : plan.containers) b.add(containers, container(b, one));
  Value spec = b.map({{"containers", containers}});
  if (!plan.sub_paths.empty()) b.put(spec, "initContainers", b.list({init_container(b, plan)}));
  Value all = Value::array({});
  for (const BoundVolume& one : volumes) {
    b.add(all, b.map({{"name", b.text(one.volume)},
                      {"persistentVolumeClaim", b.map({{"claimName", b.text(one.claim)}})}}));
  }
  for (const FilePlan& file : plan.configs) b.add(all, file_volume(b, file, true));
  for (const FilePlan& file : plan.secrets) b.add(all, file_volume(b, file, false));
  if (all.size() > 0) b.put(spec, "volumes", all);
  const Placement& placement = plan.placement;
  if (!placement.node_selector.empty())
    b.put(spec, "nodeSelector", b.text_map(placement.node_selector));
  if (!placement.required_affinity.empty()) {
    const Value term = b.map({{"matchExpressions", requirements(b, placement.required_affinity)}});
    const Value required = b.map({{"nodeSelectorTerms", b.list({term})}});
    b.put(spec, "affinity",
          b.map({{"nodeAffinity",
                  b.map({{"requiredDuringSchedulingIgnoredDuringExecution", required}})}}));
  }
  return b.map({{"metadata", b.map({{"labels", b.text_map(plan.names.component_labels())}})},
                {"spec", spec}});
}

std::string escape_for_kubelet(std::string_view text) {
  const bool read_otherwise =
      text.find("$(") != std::string_view::npos || text.find("$$") != std::string_view::npos;
  std::string out;
  for (const char c : text) {
    if (c == '$' && read_otherwise) out += '$';
    out += c;
  }
  return out;
}

std::vector<PodReference> pod_references(const Value& deployment) {
  const Value& spec = deployment.get("spec").get("template").get("spec");
  std::vector<PodReference> out;
  const auto add = [&out](std::string_view kind, std::string_view name) {
    if (!name.empty()) out.push_back({kind, std::string(name)});
  };
  for (const Value& secret : spec.get("imagePullSecrets").items())
    add("Secret", value::text_of(secret, "name"));
  std::vector<const Value*> containers;
  for (const Value& one : spec.get("containers").items()) containers.push_back(&one);
  std::ranges::sort(containers, {}, [](const Value* one) { return value::text_of(*one, "name"); });
  for (const Value* one : containers) {
    for (const Value& source : one->get("envFrom").items()) {
      add("Secret", value::text_of(source.get("secretRef"), "name"));
      add("ConfigMap", value::text_of(source.get("configMapRef"), "name"));
    }
  }
  for (const Value& volume : spec.get("volumes").items()) {
    add("Secret", value::text_of(volume.get("secret"), "secretName"));
    add("ConfigMap", value::text_of(volume.get("configMap"), "name"));
  }
  return out;
}

std::string pod_hash(const Value& deployment,
                     const std::function<std::string(const PodReference&)>& content_hash) {
  std::vector<std::string> segments;
  for (const PodReference& one : pod_references(deployment)) segments.push_back(content_hash(one));
  return provider::pod_content_hash(segments);
}

}  // namespace strake::ops::compose
