#pragma once
// What the levels of pod security forbid, in the words of kube-apiserver 1.36.
#include <span>
#include <string>
#include <vector>

#include "kinds/pods/pod_security_policy.h"
#include "value/value.h"

namespace strake::kinds {

struct SecurityFault {
  std::string reason;  // "hostPort"
  std::string detail;  // "container \"c\" uses hostPort 80"; may be empty
};

// Of a pod, or of a template of pods.
std::vector<SecurityFault> check_pod_security(const LevelVersion& policy,
                                              const value::Value& metadata,
                                              const value::Value& spec);

// "a, b" and "a (x), b (y)".
std::string join_reasons(std::span<const SecurityFault> faults);
std::string join_faults(std::span<const SecurityFault> faults);

}  // namespace strake::kinds
