#include "ops/compose/reader.h"

#include <algorithm>
#include <set>

#include "base/edit_distance.h"
#include "base/trim.h"
#include "meta/names.h"
#include "ops/compose/node.h"
#include "ops/compose/service_fields.h"
#include "ops/compose/service_keys.h"
#include "value/yaml_reader.h"

namespace strake::ops::compose {
namespace {

constexpr std::string_view kExtension = "x-kompox";

// Replaces the variables in every string below a value.
class VariableWalk {
 public:
  VariableWalk(Interpolation& variables, Arena& arena) : variables_(variables), arena_(arena) {}

  Result<> visit(value::Value& v, const Position& at) {
    if (v.is_string() && v.as_string().find('$') != std::string_view::npos) {
      Result<std::string> text = variables_.apply(v.as_string());
      if (!text) return std::unexpected(std::move(text).error().at(path_).at(at));
      v = value::Value::string(arena_.copy(*text));
    }
    for (std::size_t i = 0; i < v.mutable_items().size(); ++i) {
      path_.push_index(i);
      STRAKE_CHECK(visit(v.mutable_items()[i], v.item_position(i)));
      path_.pop();
    }
    for (std::size_t i = 0; i < v.mutable_members().size(); ++i) {
      path_.push_field(v.members()[i].key);
      STRAKE_CHECK(visit(v.mutable_members()[i].value, v.value_position(i)));
      path_.pop();
    }
    return {};
  }

 private:
  Interpolation& variables_;
  Arena& arena_;
  FieldPath path_;
};

class ProjectReader {
 public:
  ProjectReader(Project& project, const Environment& environment)
      : project_(project), environment_(environment) {}

  Result<> read(const Node& root) {
    constexpr std::string_view kKeys[] = {"configs", "include",  "models",  "name",   "networks",
                                          "secrets", "services", "version", "volumes"};
    STRAKE_CHECK(root.check_keys(kKeys));
    for (const std::string_view refused : {"include", "models"}) {
      if (const auto found = root.find(refused))
        return found->wrong("{} is not supported: write its services out", refused);
    }
    if (const auto version = root.find("version"))
      warn(version->at, "version is obsolete and has no effect");
    if (const auto volumes = root.find("volumes")) STRAKE_CHECK(volumes->check_mapping());
    if (const auto networks = root.find("networks")) STRAKE_CHECK(networks->check_mapping());
    STRAKE_CHECK(read_definitions(root, "configs", project_.configs));
    STRAKE_CHECK(read_definitions(root, "secrets", project_.secrets));
    return read_services(root);
  }

 private:
  void warn(const Position& at, std::string_view message) {
    project_.warnings.push_back(fmt::format("{}: {}", project_.place(at), message));
  }

  // Under Compose it would take away what the image has; a pod cannot say that.
  void warn_of_empty(const Node& node, std::string_view key, const ComposeService& service) {
    warn(node.at, fmt::format("service {}: an empty {} has no effect: the image's is used",
                              service.name, key));
  }

  Result<> read_definitions(const Node& root, std::string_view section,
                            std::map<std::string, FileDefinition, std::less<>>& out) {
    const auto all = root.find(section);
    if (!all) return {};
    STRAKE_CHECK(all->check_mapping());
    for (std::size_t i = 0; i < all->value->size(); ++i) {
      const std::string_view name = all->value->members()[i].key;
      if (name.starts_with("x-")) continue;
      STRAKE_TRY(FileDefinition one, read_definition(all->member(i), section == "configs"));
      out.emplace(name, std::move(one));
    }
    return {};
  }

  Result<FileDefinition> read_definition(const Node& node, bool config) {
    constexpr std::string_view kConfigKeys[] = {"content", "environment", "external",       "file",
                                                "labels",  "name",        "template_driver"};
    constexpr std::string_view kSecretKeys[] = {"driver",   "driver_opts",    "environment",
                                                "external", "file",           "labels",
                                                "name",     "template_driver"};
    STRAKE_CHECK(node.check_keys(config ? std::span<const std::string_view>(kConfigKeys)
                                        : std::span<const std::string_view>(kSecretKeys)));
    if (const auto external = node.find("external")) {
      STRAKE_TRY(const bool is_external, external->boolean());
      if (is_external)
        return external->wrong("what is kept elsewhere cannot be mounted: give a file{}",
                               config ? " or its content" : "");
    }
    for (const std::string_view refused : {"driver", "template_driver"}) {
      if (const auto found = node.find(refused))
        return found->wrong("{} is not supported", refused);
    }
    FileDefinition out{.file = {}, .content = {}, .at = node.at};
    int sources = 0;
    if (const auto file = node.find("file")) {
      STRAKE_TRY(out.file, file->text());
      if (out.file.empty()) return file->wrong("the path of a file is missing");
      ++sources;
    }
    if (const auto content = node.find("content")) {
      STRAKE_TRY(out.content, content->text());
      ++sources;
    }
    if (const auto variable = node.find("environment")) {
      STRAKE_TRY(const std::string name, variable->text());
      const auto found = environment_.find(name);
      if (found == environment_.end())
        return variable->wrong("there is no variable {} in the environment", name);
      out.content = found->second;
      ++sources;
    }
    if (sources != 1)
      return node.wrong("exactly one of file, {}environment is wanted", config ? "content, " : "");
    return out;
  }

  Result<> read_services(const Node& root) {
    const auto services = root.find("services");
    if (!services) return root.wrong("services is missing");
    STRAKE_CHECK(services->check_mapping());
    if (services->value->size() > kMaxServices)
      return fail(Code::kLimit, services->at, "more than {} services", kMaxServices);
    for (std::size_t i = 0; i < services->value->size(); ++i) {
      const std::string_view name = services->value->members()[i].key;
      if (name.starts_with("x-")) continue;
      ComposeService service;
      service.name = name;
      service.at = services->value->key_position(i);
      Node node = services->member(i);
      // Containers and Services are named after it; a Service must start with a letter.
      if (const auto faults = meta::check_dns1035_label(name); !faults.empty()) {
        node.at = service.at;
        return node.wrong("a service cannot be named \"{}\": {}", name, meta::join(faults));
      }
      STRAKE_TRY(const bool active, read_service(node, service));
      if (active) project_.services.push_back(std::move(service));
    }
    if (project_.services.empty()) return services->wrong("there is no service");
    return check_shared_networks();
  }

  // False when the service belongs to profiles, none of which is active.
  Result<bool> read_service(const Node& node, ComposeService& service) {
    STRAKE_CHECK(node.check_mapping());
    STRAKE_CHECK(check_service_keys(node, service));
    if (const auto image = node.find("image")) {
      STRAKE_TRY(service.image, image->text());
      if (trim(service.image).size() != service.image.size())
        return image->wrong("an image must not start or end with white space");
    }
    if (service.image.empty()) {
      return node.wrong("service \"{}\" has no image{}", service.name,
                        node.find("build") ? ": images are not built here" : "");
    }
    if (const auto found = node.find("entrypoint")) {
      STRAKE_TRY(service.entrypoint, read_command(*found));
      if (service.entrypoint->empty()) warn_of_empty(*found, "entrypoint", service);
    }
    if (const auto found = node.find("command")) {
      STRAKE_TRY(service.command, read_command(*found));
      if (service.command->empty()) warn_of_empty(*found, "command", service);
    }
    if (const auto found = node.find("environment")) {
      STRAKE_TRY(service.environment, read_environment(*found, environment_));
    }
    if (const auto found = node.find("env_file")) {
      STRAKE_TRY(service.env_files, read_env_files(*found));
    }
    if (const auto found = node.find("ports")) {
      STRAKE_TRY(service.ports, read_ports(*found));
    }
    if (const auto found = node.find("volumes")) {
      STRAKE_TRY(service.volumes, read_volume_uses(*found));
    }
    if (const auto found = node.find("configs")) {
      STRAKE_TRY(service.configs, read_file_uses(*found, ""));
      STRAKE_CHECK(check_defined(service.configs, *found, project_.configs, "config"));
    }
    if (const auto found = node.find("secrets")) {
      STRAKE_TRY(service.secrets, read_file_uses(*found, "/run/secrets"));
      STRAKE_CHECK(check_defined(service.secrets, *found, project_.secrets, "secret"));
    }
    if (const auto found = node.find(kExtension)) STRAKE_CHECK(read_resources(*found, service));
    if (const auto found = node.find("network_mode"))
      STRAKE_CHECK(read_network_mode(*found, service));
    if (const auto found = node.find("restart")) STRAKE_CHECK(read_restart(*found, service));
    const auto profiles = node.find("profiles");
    if (!profiles) return true;
    STRAKE_CHECK(profiles->check_list());
    if (profiles->value->size() == 0) return true;
    warn(profiles->at,
         fmt::format("service {} is left out: it belongs to profiles, and none is active",
                     service.name));
    return false;
  }

  Result<> check_service_keys(const Node& node, const ComposeService& service) {
    for (std::size_t i = 0; i < node.value->size(); ++i) {
      const std::string_view key = node.value->members()[i].key;
      const Position& at = node.value->key_position(i);
      if (key.starts_with("x-")) {
        if (key != kExtension && closest(key, std::span(&kExtension, 1)))
          warn(at, fmt::format("service {}: {} has no effect: did you mean {}?", service.name, key,
                               kExtension));
        continue;
      }
      const ServiceKey* known = find_service_key(key);
      if (known == nullptr) return unknown_key(node, i, service_key_names());
      if (node.value->members()[i].value.is_null()) continue;
      const std::string hint = known->hint.empty() ? "" : fmt::format(": {}", known->hint);
      if (known->effect == KeyEffect::kRefused) {
        return std::unexpected(
            Error(Code::kInvalid, fmt::format("{} is not supported{}", key, hint))
                .at(node.path)
                .at(at));
      }
      if (known->effect == KeyEffect::kWarned)
        warn(at, fmt::format("service {}: {} has no effect{}", service.name, key, hint));
    }
    return {};
  }

  Result<> check_defined(const std::vector<FileUse>& uses, const Node& list,
                         const std::map<std::string, FileDefinition, std::less<>>& defined,
                         std::string_view what) {
    std::vector<std::string_view> names;
    for (const auto& [name, unused] : defined) names.push_back(name);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (defined.contains(uses[i].source)) continue;
      const auto near = closest(uses[i].source, names);
      return list.item(i).wrong("{} \"{}\" is not defined at the top level{}", what, uses[i].source,
                                near ? fmt::format(": did you mean \"{}\"?", *near) : "");
    }
    return {};
  }

  Result<> read_network_mode(const Node& node, ComposeService& service) {
    STRAKE_TRY(const std::string mode, node.text());
    constexpr std::string_view kService = "service:";
    if (mode.starts_with(kService)) {
      service.shares_network_of = mode.substr(kService.size());
      return {};
    }
    if (mode == "bridge" || mode == "default") return {};
    return node.wrong("unsupported network_mode \"{}\": service:<name>, or leave it out", mode);
  }

  Result<> read_restart(const Node& node, const ComposeService& service) {
    STRAKE_TRY(const std::string policy, node.text());
    if (policy == "always" || policy == "unless-stopped") return {};
    if (policy != "no" && policy != "on-failure" && !policy.starts_with("on-failure:"))
      return node.wrong("must be always, unless-stopped, on-failure or \"no\", got \"{}\"", policy);
    warn(node.at, fmt::format("service {}: restart has no effect: containers are always restarted",
                              service.name));
    return {};
  }

  Result<> check_shared_networks() {
    for (const ComposeService& service : project_.services) {
      // A chain that is longer than there are services goes round.
      const ComposeService* at = &service;
      for (std::size_t steps = 0; !at->shares_network_of.empty(); ++steps) {
        const ComposeService* next = project_.find(at->shares_network_of);
        if (next == nullptr || steps == project_.services.size()) {
          return std::unexpected(
              Error(Code::kInvalid,
                    next == nullptr ? fmt::format("network_mode: there is no service \"{}\"",
                                                  at->shares_network_of)
                                    : "network_mode: the services share their network in a circle")
                  .at(FieldPath() / "services" / at->name)
                  .at(at->at));
        }
        at = next;
      }
    }
    return {};
  }

  Project& project_;
  const Environment& environment_;
};

Result<> read_into(Project& project, std::string_view text, const Environment& environment) {
  value::ReadOptions options;
  options.limits = compose_limits();
  options.yaml = value::YamlSchema::kKustomize;
  options.positions = true;
  options.source_name = project.source_name;
  value::YamlReader documents(text, options);
  STRAKE_TRY(std::optional<value::Document> first, documents.next());
  if (!first) return fail(Code::kInvalid, Position(), "the document is empty");
  STRAKE_TRY(const std::optional<value::Document> second, documents.next());
  if (second) return fail(Code::kInvalid, second->start(), "only one document is wanted");
  project.document = *std::move(first);
  Interpolation variables(environment);
  value::Value& root = project.document.root();
  STRAKE_CHECK(
      VariableWalk(variables, project.document.arena()).visit(root, project.document.start()));
  for (const std::string& name : variables.missing()) {
    project.warnings.push_back(
        fmt::format("{}: variable {} is not set: it became empty", project.source_name, name));
  }
  return ProjectReader(project, environment).read({&root, project.document.start(), FieldPath()});
}

}  // namespace

value::Limits compose_limits() {
  value::Limits limits;
  limits.depth = 64;
  limits.bytes = kMaxComposeBytes;
  limits.nodes = 200'000;
  limits.string_bytes = kMaxComposeBytes;
  limits.alias_nodes = 50'000;
  return limits;
}

const ComposeService* Project::find(std::string_view service) const {
  const auto found = std::ranges::find(services, service, &ComposeService::name);
  return found != services.end() ? &*found : nullptr;
}

std::string Project::place(const Position& at) const {
  return fmt::format("{}:{}:{}", source_name, at.line, at.column);
}

Result<Project> read_project(std::string_view text, const std::string& source_name,
                             const Environment& environment) {
  Project project;
  project.source_name = source_name;
  if (Result<> done = read_into(project, text, environment); !done)
    return std::unexpected(std::move(done).error().in(source_name));
  return project;
}

}  // namespace strake::ops::compose
