#include <algorithm>

#include "kustomize/file/paths.h"
#include "meta/names.h"
#include "ops/compose/env_file.h"
#include "ops/compose/plan_parts.h"
#include "ops/compose/service_fields.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

constexpr std::size_t kMaxFileKey = 253;

// A key in the data of a ConfigMap or Secret, as the API wants it.
bool is_data_key(std::string_view key) {
  if (key.empty() || key.size() > kMaxFileKey || key == "." || key.starts_with("..")) return false;
  return std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

class ContainerPlanner {
 public:
  ContainerPlanner(const PlanInput& input, Plan& plan)
      : input_(input), project_(input.project), plan_(plan) {}

  Outcome<> run() {
    for (std::size_t i = 0; i < project_.services.size(); ++i) {
      if (input_.components[i] == plan_.names.component()) STRAKE_CHECK(add(project_.services[i]));
    }
    std::ranges::sort(plan_.configs, {}, &FilePlan::object);
    std::ranges::sort(plan_.secrets, {}, &FilePlan::object);
    return {};
  }

 private:
  Outcome<> add(const ComposeService& service) {
    ContainerPlan out;
    out.name = service.name;
    out.image = service.image;
    if (service.entrypoint) out.command = *service.entrypoint;
    if (service.command) out.args = *service.command;
    out.environment = service.environment;
    out.requests = service.requests;
    out.limits = service.limits;
    const std::string base = plan_.names.base_secret_name(service.name);
    out.env_secrets = {base, plan_.names.override_secret_name(service.name)};
    STRAKE_CHECK(add_env_files(service, base));
    for (const PublishedPort& port : service.ports) {
      if (std::ranges::find(out.ports, port.container) == out.ports.end())
        out.ports.push_back(port.container);
    }
    STRAKE_CHECK(add_mounts(service, out));
    plan_.containers.push_back(std::move(out));
    return {};
  }

  // Files of the app are read in one place, so that its policy holds for all of them.
  Outcome<std::string> read_file(const Position& at, const std::string& written,
                                 std::string& cleaned, std::uint64_t limit) {
    if (input_.files == nullptr)
      return refuse_at(project_, at,
                       "{}: this app may not refer to files: it is not declared in "
                       "the app file",
                       written);
    Result<std::string> path = clean_project_path(written);
    if (!path) return refuse_at(project_, at, "the path of a file {}", path.error().message());
    STRAKE_TRY(const FileKind kind, input_.files->kind(*path));
    if (kind == FileKind::kAbsent)
      return refuse(FailureClass::kNotFound, "{}: {}: there is no such file", project_.place(at),
                    written);
    if (kind != FileKind::kFile)
      return refuse_at(project_, at, "{}: only regular files are read, not folders or links",
                       written);
    Result<std::string> text = input_.files->read(*path, limit);
    if (!text)
      return std::unexpected(
          provider::Failure(std::move(text).error()).prefixed(project_.place(at)));
    file_bytes_ += text->size();
    if (file_bytes_ > kMaxAllFileBytes)
      return refuse_at(project_, at, "the files of the component have more than {} bytes",
                       kMaxAllFileBytes);
    cleaned = *std::move(path);
    return *std::move(text);
  }

  Outcome<> add_env_files(const ComposeService& service, const std::string& object) {
    if (service.env_files.empty()) return {};
    EnvSecretPlan out{.object = object, .variables = {}};
    for (const EnvFileUse& use : service.env_files) {
      std::string path;
      Outcome<std::string> text = read_file(use.at, use.path, path, 2 * kMaxEnvBytes);
      if (!text && !use.required && text.error().error_class() == FailureClass::kNotFound) continue;
      if (!text) return std::unexpected(std::move(text).error());
      Result<Variables> read = parse_env_file(path, *text, use.raw);
      if (!read)
        return std::unexpected(
            provider::Failure(std::move(read).error()).prefixed(project_.place(use.at)));
      for (auto& [name, value] : *read) out.variables.insert_or_assign(name, std::move(value));
    }
    if (Result<> good = check_variables(out.variables); !good)
      return refuse_at(project_, service.env_files.front().at, "env_file: {}",
                       good.error().message());
    plan_.env_secrets.push_back(std::move(out));
    return {};
  }

  Outcome<> add_mounts(const ComposeService& service, ContainerPlan& out) {
    std::map<std::string, std::string, std::less<>> targets;  // and what stands there
    for (const auto* uses : {&service.configs, &service.secrets}) {
      const bool config = uses == &service.configs;
      for (const FileUse& use : *uses) {
        const std::string what = fmt::format("{} {}", config ? "config" : "secret", use.source);
        const auto [at, added] = targets.emplace(use.target, what);
        if (!added)
          return refuse_at(project_, use.at, "{} is the target of {} already", use.target,
                           at->second);
      }
    }
    for (const VolumeUse& use : service.volumes) {
      if (const auto found = targets.find(use.target); found != targets.end()) {
        if (found->second.starts_with("volume "))
          return refuse_at(project_, use.at, "{} is the target of {} already", use.target,
                           found->second);
        plan_.warnings.push_back(fmt::format(
            "{}: service {}: volume {} is not mounted: {} has the target {}",
            project_.place(use.at), service.name, use.source, found->second, use.target));
        continue;
      }
      targets.emplace(use.target, fmt::format("volume {}", use.source));
      STRAKE_CHECK(add_volume(use, out));
    }
    for (const FileUse& use : service.configs) STRAKE_CHECK(add_file(use, true, out));
    for (const FileUse& use : service.secrets) STRAKE_CHECK(add_file(use, false, out));
    return {};
  }

  Outcome<> add_volume(const VolumeUse& use, ContainerPlan& out) {
    Mount mount{.volume = std::string(volume_named_by(use, plan_.app_volumes)),
                .path = use.target,
                .sub_path = {},
                .read_only = use.read_only};
    std::string sub_path;
    if (use.kind == VolumeUse::Kind::kBind) {
      if (input_.files == nullptr)
        return refuse_at(project_, use.at,
                         "{}: this app may not bind folders: it is not declared "
                         "in the app file",
                         use.source);
      if (plan_.app_volumes.empty())
        return refuse_at(project_, use.at,
                         "{}: a relative folder is kept in the first volume of "
                         "the app, and it has none",
                         use.source);
      sub_path = use.source;
    } else {
      const std::size_t slash = use.source.find('/');
      if (slash != std::string::npos) sub_path = use.source.substr(slash + 1);
      if (!use.sub_path.empty()) sub_path += "/" + use.sub_path;
      if (sub_path.starts_with('/')) sub_path.erase(0, 1);
      if (std::ranges::find(plan_.app_volumes, mount.volume, &provider::AppVolume::name) ==
          plan_.app_volumes.end())
        return refuse_at(project_, use.at, "volume \"{}\" is not defined in the app", mount.volume);
    }
    Result<std::string> cleaned = clean_project_path(sub_path);
    if (!cleaned)
      return refuse_at(project_, use.at, "the path in a volume {}", cleaned.error().message());
    mount.sub_path = *std::move(cleaned);
    if (use.kind == VolumeUse::Kind::kBind) {
      STRAKE_TRY(const FileKind kind, input_.files->kind(mount.sub_path));
      if (kind == FileKind::kFile || kind == FileKind::kOther)
        return refuse_at(project_, use.at,
                         "{} is no folder: single files are mounted by configs "
                         "and secrets",
                         use.source);
    }
    if (!mount.sub_path.empty()) plan_.sub_paths[mount.volume].insert(mount.sub_path);
    plan_.volumes.insert(mount.volume);
    out.mounts.push_back(std::move(mount));
    return {};
  }

  Outcome<> add_file(const FileUse& use, bool config, ContainerPlan& out) {
    std::vector<FilePlan>& all = config ? plan_.configs : plan_.secrets;
    const std::string volume = fmt::format("{}-{}", config ? "cfg" : "sec", use.source);
    auto found = std::ranges::find(all, volume, &FilePlan::volume);
    if (found == all.end()) {
      STRAKE_TRY(FilePlan file, make_file(use, config, volume));
      found = all.insert(all.end(), std::move(file));
    } else if (found->mode != use.mode) {
      return refuse_at(project_, use.at, "{} \"{}\" is mounted with different modes",
                       config ? "config" : "secret", use.source);
    }
    out.mounts.push_back(
        {.volume = volume, .path = use.target, .sub_path = found->key, .read_only = true});
    return {};
  }

  Outcome<FilePlan> make_file(const FileUse& use, bool config, const std::string& volume) {
    const std::string_view what = config ? "config" : "secret";
    // The volume of the pod is named after it, and that name is a label.
    const meta::Messages faults = meta::check_dns1123_label(volume);
    if (!faults.empty())
      return refuse_at(project_, use.at, "{} \"{}\" cannot be named so: {}", what, use.source,
                       meta::join(faults));
    if (std::ranges::find(plan_.app_volumes, volume, &provider::AppVolume::name) !=
        plan_.app_volumes.end())
      return refuse_at(project_, use.at, "{} \"{}\" and the volume \"{}\" of the app clash", what,
                       use.source, volume);
    const auto& definitions = config ? project_.configs : project_.secrets;
    const auto defined = definitions.find(use.source);
    if (defined == definitions.end())
      return refuse_at(project_, use.at, "{} \"{}\" is not defined", what, use.source);
    const FileDefinition& definition = defined->second;
    FilePlan out{.object = config ? plan_.names.config_map_name(use.source)
                                  : plan_.names.file_secret_name(use.source),
                 .volume = volume,
                 .key = use.source,
                 .bytes = definition.content.value_or(std::string()),
                 .mode = use.mode};
    if (!definition.file.empty()) {
      std::string path;
      STRAKE_TRY(out.bytes, read_file(definition.at, definition.file, path, kMaxFileBytes));
      out.key = kustomize::base_name(path);
    }
    if (!is_data_key(out.key))
      return refuse_at(project_, definition.at,
                       "the name of the file \"{}\" may have letters, "
                       "digits, -, _ and . alone",
                       out.key);
    if (out.bytes.size() > kMaxFileBytes)
      return refuse_at(project_, definition.at, "{} \"{}\" has more than {} bytes", what,
                       use.source, kMaxFileBytes);
    const bool text = is_plain_text(out.bytes) && out.bytes.find('\0') == std::string::npos;
    if (config && !text)
      return refuse_at(project_, definition.at,
                       "config \"{}\" must be UTF-8 without a byte order "
                       "mark and NUL characters",
                       use.source);
    return out;
  }

  const PlanInput& input_;
  const Project& project_;
  Plan& plan_;
  std::size_t file_bytes_ = 0;  // also of files that are read twice
};

}  // namespace

Outcome<PublishedPorts> published_ports(const PlanInput& input) {
  PublishedPorts out;
  std::map<std::pair<std::string, std::int64_t>, std::string> owners;  // of a pod's ports
  for (std::size_t i = 0; i < input.project.services.size(); ++i) {
    const ComposeService& service = input.project.services[i];
    const std::string& component = input.components[i];
    for (const PublishedPort& port : service.ports) {
      const auto [owner, first] =
          owners.emplace(std::pair(component, port.container), service.name);
      if (!first && owner->second != service.name)
        return refuse_at(input.project, port.at,
                         "container port {} is used by several services ({}, {})", port.container,
                         owner->second, service.name);
      const auto [at, added] =
          out.emplace(port.host, PublishedTarget{port.container, service.name, component});
      if (!added && (at->second.container != port.container || at->second.service != service.name))
        return refuse_at(input.project, port.at,
                         "host port {} leads to several container ports ({} of {}, {} of {})",
                         port.host, at->second.container, at->second.service, port.container,
                         service.name);
    }
  }
  return out;
}

std::string_view volume_named_by(const VolumeUse& use,
                                 std::span<const provider::AppVolume> volumes) {
  if (use.kind == VolumeUse::Kind::kVolume)
    return std::string_view(use.source).substr(0, use.source.find('/'));
  return volumes.empty() ? std::string_view() : std::string_view(volumes.front().name);
}

Outcome<> plan_containers(const PlanInput& input, Plan& plan) {
  return ContainerPlanner(input, plan).run();
}

}  // namespace strake::ops::compose
