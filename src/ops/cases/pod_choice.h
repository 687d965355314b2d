#pragma once
// Which pod a command of a person goes to. Internal to the use cases.
#include <string>

#include "kube/objects/objects.h"
#include "kube/pods/logs.h"
#include "ops/cases/cluster_cases.h"
#include "value/document.h"

namespace strake::ops {

struct ChosenPod {
  kube::PodTarget target;
  value::Document pod;
};

// Of those with these labels: one that is not being deleted before others, then one that runs, then
// a ready one, then the newest, then by name. `container` empty: the first of its containers. Fails
// with kNotFound.
provider::Outcome<ChosenPod> choose_pod(kube::Objects& objects, const std::string& namespace_name,
                                        const std::string& selector, const std::string& container);

kube::LogRequest log_request(const ChosenPod& pod, const LogOptions& options);

// What the provider says of the cluster; a provider that has nothing of it: not provisioned.
provider::Outcome<provider::ClusterStatus> status_of(const provider::Call& call,
                                                     const ClusterScope& scope);

}  // namespace strake::ops
