#pragma once
// Whether an app can be deployed: its document is read, its disks are asked for, its manifests are
// made, and everything that stands in the way is told. Nothing is changed.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/interpolate.h"
#include "ops/compose/manifest.h"
#include "ops/compose/project_files.h"
#include "provider/call.h"
#include "provider/registry.h"

namespace strake::ops::compose {

enum class Severity : std::uint8_t {
  kInfo,
  kWarn,   // a deploy is refused, a validation is not
  kError,  // so is a validation
};
std::string_view to_string(Severity severity);  // "INFO", "WARN", "ERROR"

struct Issue {
  Severity severity;
  std::string_view code;  // "volume_assignment_missing"; a literal
  std::string message;
};

// What is known of an app. What it refers to must outlive the call; null is what is not declared.
struct ReviewInput {
  const provider::Workspace* workspace = nullptr;
  const provider::ProviderEntity* provider = nullptr;
  const provider::Cluster* cluster = nullptr;
  const provider::App& app;
  std::span<const provider::Box> boxes{};
  const ProjectFiles* base = nullptr;  // of open_ref_base()
  const Environment& environment;      // for variables of the document
  const provider::Registry& drivers;
  const provider::DriverEnvironment& driver_environment;
  std::string_view component = provider::kAppComponent;
};

struct Review {
  std::vector<Issue> issues;
  std::string compose;               // normalised; empty when it could not be read
  std::optional<Manifest> manifest;  // when nothing but information stands against it

  std::size_t count(Severity severity) const;
  // "validation failed (<n> errors)". Fails with kValidation.
  provider::Outcome<> check_valid() const;
  // "validation blocked (<w> warnings, <e> errors)". Fails with kValidation.
  provider::Outcome<> check_deployable() const;
};

// Fails only when it was cancelled or out of time.
provider::Outcome<Review> review_app(const provider::Call& call, const ReviewInput& input);

}  // namespace strake::ops::compose
