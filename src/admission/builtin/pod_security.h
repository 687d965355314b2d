#pragma once
// The admission plugin PodSecurity: what the labels of a namespace let in of pods, and of what
// makes pods; the labels themselves.
#include "admission/builtin/plugin.h"

namespace strake::admission {

inline constexpr std::string_view kPodSecurityName = "PodSecurity";

// Of any resource: it finds by itself which are about pods.
api::Answer<> admit_pod_security(const PluginRequest& at);

}  // namespace strake::admission
