#include "ops/compose/review.h"

#include <algorithm>

#include "base/trim.h"
#include "ops/compose/app_compose.h"
#include "ops/compose/reader.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

class Reviewer {
 public:
  Reviewer(const provider::Call& call, const ReviewInput& input) : call_(call), input_(input) {}

  Outcome<Review> run() {
    STRAKE_CHECK(call_.check());
    Outcome<AppCompose> compose = load_app_compose(input_.app, input_.base, input_.environment);
    if (!compose) {
      add(Severity::kError, "compose_validation_failed",
          fmt::format("compose validation failed: {}", compose.error().message()));
      return std::move(out_);
    }
    if (!normalize(compose->project) || !check_declared()) return std::move(out_);
    Outcome<provider::Driver> driver =
        input_.drivers.make(input_.workspace, *input_.provider, input_.driver_environment);
    if (!driver) {
      add(Severity::kWarn, "provider_driver_init_failed", failed(driver.error().message()));
      return std::move(out_);
    }
    STRAKE_CHECK(convert(*compose, *driver));
    return std::move(out_);
  }

 private:
  void add(Severity severity, std::string_view code, std::string message) {
    out_.issues.push_back({severity, code, std::move(message)});
  }
  static std::string failed(std::string_view why) {
    return fmt::format("compose conversion failed: {}", why);
  }

  // What is shown must read as the same app; otherwise showing it would mislead.
  bool normalize(const Project& project) {
    out_.compose = normalized_compose(project);
    const Result<Project> again =
        read_project(out_.compose, project.source_name, input_.environment);
    if (again) return true;
    out_.compose.clear();
    add(Severity::kError, "compose_normalization_failed",
        fmt::format("compose normalization failed: {}", again.error().to_string()));
    return false;
  }

  bool check_declared() {
    const auto missing = [this](std::string_view code, std::string_view what) {
      add(Severity::kWarn, code, fmt::format("compose conversion skipped: {} not found", what));
      return false;
    };
    if (input_.cluster == nullptr) return missing("cluster_not_found", "cluster");
    if (input_.provider == nullptr) return missing("provider_not_found", "provider");
    if (input_.workspace == nullptr) return missing("workspace_not_found", "workspace");
    if (input_.drivers.find(input_.provider->driver) == nullptr) {
      add(Severity::kWarn, "provider_driver_missing",
          failed(fmt::format("unknown provider driver: {}", input_.provider->driver)));
      return false;
    }
    return true;
  }

  Outcome<> convert(const AppCompose& compose, const provider::Driver& driver) {
    // Names come first: without them there is nothing to convert to.
    const Outcome<provider::KubeNames> names =
        provider::KubeNames::of({.workspace = input_.workspace->name,
                                 .provider = input_.provider->name,
                                 .cluster = input_.cluster->name,
                                 .app = input_.app.name},
                                input_.component);
    if (!names) {
      add(Severity::kWarn, "converter_init_failed", failed(names.error().message()));
      return {};
    }
    const Subject subject{.workspace = input_.workspace,
                          .provider = *input_.provider,
                          .cluster = *input_.cluster,
                          .app = input_.app,
                          .boxes = input_.boxes};
    Outcome<Plan> plan =
        plan_component(subject, compose.project, compose.files(), input_.component);
    if (!plan) {
      add(Severity::kWarn, "compose_conversion_failed", failed(plan.error().message()));
      return {};
    }
    for (const std::string& warning : plan->warnings)
      add(Severity::kInfo, "compose_conversion_warning", warning);
    std::vector<VolumeBinding> bindings;
    for (const provider::AppVolume& volume : input_.app.volumes) {
      STRAKE_TRY(std::optional<VolumeBinding> one, find_binding(driver, volume));
      if (one) bindings.push_back(*std::move(one));
    }
    if (bindings.size() != input_.app.volumes.size()) return {};  // each lack was told
    Outcome<Manifest> manifest = build_bound(*plan, bindings);
    if (!manifest) {
      add(Severity::kWarn, "compose_conversion_failed", failed(manifest.error().message()));
      return {};
    }
    out_.manifest = *std::move(manifest);
    return {};
  }

  static Outcome<Manifest> build_bound(const Plan& plan, std::span<const VolumeBinding> bindings) {
    STRAKE_TRY(const std::vector<BoundVolume> bound, bind_volumes(plan, bindings));
    return build(plan, bound);
  }

  Outcome<std::optional<VolumeBinding>> find_binding(const provider::Driver& driver,
                                                     const provider::AppVolume& volume) {
    if (driver.volumes == nullptr) {
      add(Severity::kError, "volume_port_unavailable", "volume operations unavailable");
      return std::nullopt;
    }
    STRAKE_CHECK(call_.check());
    const provider::VolumeOf of{*input_.cluster, input_.app, volume};
    Outcome<std::vector<provider::Disk>> disks = driver.volumes->list_disks(call_, of);
    if (!disks) {
      if (disks.error().stops_everything()) return std::unexpected(std::move(disks).error());
      add(Severity::kError, "volume_disk_lookup_failed",
          fmt::format("volume disk lookup failed for {}: {}", volume.name,
                      disks.error().message()));
      return std::nullopt;
    }
    const auto assigned = std::ranges::count_if(*disks, &provider::Disk::assigned);
    if (assigned == 0) {
      add(Severity::kWarn, "volume_assignment_missing",
          fmt::format("volume assignment missing (count=0) volume={}", volume.name));
      return std::nullopt;
    }
    if (assigned > 1) {
      add(Severity::kError, "volume_assignment_invalid",
          fmt::format("volume assignment invalid (count={}) volume={}", assigned, volume.name));
      return std::nullopt;
    }
    const provider::Disk& disk = *std::ranges::find_if(*disks, &provider::Disk::assigned);
    if (trim(disk.handle).empty()) {
      add(Severity::kError, "volume_disk_handle_missing",
          fmt::format("no assigned disk handle for volume {}", volume.name));
      return std::nullopt;
    }
    Outcome<provider::VolumeClass> of_volume = driver.volumes->volume_class(of);
    if (!of_volume) {
      add(Severity::kWarn, "volume_class_resolve_failed",
          failed(fmt::format("volume class resolve failed for {}: {}", volume.name,
                             of_volume.error().message())));
      return std::nullopt;
    }
    if (trim(of_volume->csi_driver).empty()) {
      add(Severity::kWarn, "volume_class_missing_driver",
          failed(fmt::format("volume class missing CSI driver for {}", volume.name)));
      return std::nullopt;
    }
    return VolumeBinding{.volume = volume.name, .disk = disk, .volume_class = *of_volume};
  }

  const provider::Call& call_;
  const ReviewInput& input_;
  Review out_;
};

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return "INFO";
    case Severity::kWarn: return "WARN";
    case Severity::kError: break;
  }
  return "ERROR";
}

std::size_t Review::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(issues, severity, &Issue::severity));
}

Outcome<> Review::check_valid() const {
  const std::size_t errors = count(Severity::kError);
  if (errors == 0) return {};
  return refuse(FailureClass::kValidation, "validation failed ({} errors)", errors);
}

Outcome<> Review::check_deployable() const {
  const std::size_t warnings = count(Severity::kWarn);
  const std::size_t errors = count(Severity::kError);
  if (warnings == 0 && errors == 0) return {};
  return refuse(FailureClass::kValidation, "validation blocked ({} warnings, {} errors)", warnings,
                errors);
}

Outcome<Review> review_app(const provider::Call& call, const ReviewInput& input) {
  return Reviewer(call, input).run();
}

}  // namespace strake::ops::compose
