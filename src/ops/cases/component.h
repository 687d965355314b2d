#pragma once
// One component of an app in its cluster, its app pod or a box: what runs, and the pod that
// commands for people go to. Shared by the use cases of apps and boxes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/pods/exec.h"
#include "kube/pods/port_forward.h"
#include "ops/cases/cluster_cases.h"
#include "ops/cases/session.h"

namespace strake::ops {

struct ComponentStatus {
  std::string app_id;
  std::string app_name;
  std::string cluster_id;
  std::string cluster_name;
  std::string component;
  // Its Deployment is there, and all replicas are of the newest template and available.
  bool ready = false;
  std::string image;  // of the first container
  std::string namespace_name;
  std::string node;
  std::string deployment;  // empty when it is not there
  std::string pod;         // empty when there is none
  std::string container;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::vector<std::string> ingress_hosts;  // each once, by name
};
// What is not deployed is no failure: it is told as not ready, with the names that it would have.
provider::Outcome<ComponentStatus> component_status(
    const Session& session, const provider::Call& call, const provider::App& app,
    std::string_view component = provider::kAppComponent);

struct PodChoice {
  std::string component{provider::kAppComponent};
  std::string container = {};  // empty: the first
};
// The pod that a command goes to: one that runs before one that does not, a ready one before
// others, then the newest. None that is being deleted while there is another one. Fails with
// kNotFound when there is none, or it has no such container.
provider::Outcome<kube::PodTarget> choose_pod(const Session& session, const provider::Call& call,
                                              const provider::App& app, const PodChoice& choice);

// Of kube::ExecRequest, all but the target. The exit code of the command.
provider::Outcome<int> exec_in_pod(const Session& session, const provider::Call& call,
                                   const provider::App& app, const PodChoice& choice,
                                   kube::ExecRequest request);

provider::Outcome<> pod_logs(const Session& session, const provider::Call& call,
                             const provider::App& app, const PodChoice& choice,
                             const LogOptions& options, kube::OutputStream& out);

// Of kube::PortForwardRequest, all but the pod. Goes on until the call is over, and fails as that.
provider::Outcome<> forward_ports(const Session& session, const provider::Call& call,
                                  const provider::App& app, const PodChoice& choice,
                                  kube::PortForwardRequest request, kube::ForwardEvents& events);

}  // namespace strake::ops
