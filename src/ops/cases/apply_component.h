#pragma once
// What deploys of apps and boxes, and changes of secrets, do alike in a cluster. Internal to the
// use cases.
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "kube/objects/ensured.h"
#include "kube/objects/objects.h"
#include "ops/cases/app_cases.h"
#include "value/document.h"

namespace strake::ops {

struct ComponentToApply {
  const provider::KubeNames& names;
  const std::vector<value::Document>& objects;  // in the order in which they are applied
  // Of a dry run: claims of disks that are not there yet, by the names they have in `objects`, and
  // the volumes they are of.
  std::map<std::string, std::string> planned_claims = {};
};
// Applies them, deletes headless Services that are no longer among them, and settles the pod
// template. Waits for what is being deleted and is wanted again.
provider::Outcome<> apply_component(const provider::Call& call, kube::Objects& objects,
                                    const ComponentToApply& what, DeployReport& report);

// Waits for the Deployment where something in the cluster runs Deployments.
provider::Outcome<> wait_for_component(const provider::Call& call, kube::Objects& objects,
                                       const provider::KubeNames& names,
                                       std::chrono::nanoseconds ready_within);

// What the pod template says beyond what is applied: the hash of what it refers to, so that pods
// start anew when that changes, and the image pull secret when there is one. Nothing to do where
// there is no Deployment.
provider::Outcome<> settle_pod_template(const provider::Call& call, kube::Objects& objects,
                                        const provider::KubeNames& names);

// Deletes the objects of these kinds with these labels, in that order. Goes on after a failure, and
// fails with the first in the end. Adds to `deleted`.
provider::Outcome<> delete_labelled(const provider::Call& call, kube::Objects& objects,
                                    const std::string& namespace_name, const std::string& selector,
                                    const std::vector<kube::ObjectKind>& kinds,
                                    std::size_t& deleted);

// A component that comes from the app's Compose document: bootstrap, review, apply, wait. No DNS.
provider::Outcome<DeployReport> deploy_component(const Session& session, const provider::Call& call,
                                                 const provider::App& app,
                                                 std::string_view component,
                                                 const DeployOptions& options);

void tell_ensured(const provider::Call& call, kube::Ensured how, const std::string& title);

}  // namespace strake::ops
