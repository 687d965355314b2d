#pragma once
// Boxes: pods of an app for people. Status, commands and logs are those of component.h, with
// component_name(box).
#include <string>

#include "ops/cases/app_cases.h"

namespace strake::ops {

std::string component_name(const provider::Box& box);

// The app of a box. Fails with kNotFound: `app "<id>" not found`.
provider::Outcome<const provider::App*> app_of(const Session& session, const provider::Box& box);

// As deploy_app() for the box alone; bootstrap_disks and update_dns mean nothing here, since a box
// takes the disks that the app has and has no hosts.
provider::Outcome<DeployReport> deploy_box(const Session& session, const provider::Call& call,
                                           const provider::Box& box,
                                           const DeployOptions& options = {});
// What carries the labels of the box. The app's own objects, which it shares, stay.
provider::Outcome<DestroyReport> destroy_box(const Session& session, const provider::Call& call,
                                             const provider::Box& box);
provider::Outcome<ComponentStatus> box_status(const Session& session, const provider::Call& call,
                                              const provider::Box& box);

}  // namespace strake::ops
