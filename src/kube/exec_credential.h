#pragma once
// Credentials that a program makes: the exec plugins of client.authentication.k8s.io, v1 and
// v1beta1.
#include "base/result.h"
#include "kube/access.h"

namespace strake::kube {

// Runs the plugin of the access to its end. With a terminal it may ask the person there, if its
// configuration lets it. Fails with kUnsupported for another version of the protocol, kNotFound
// when there is no such program (with its own hint how to install it), kTimeout after five minutes,
// else kUnauthorized. What it printed is never shown; what it said on its error stream is.
Result<Credentials> run_exec_plugin(const Access& access, bool has_terminal);

// What a plugin printed. Fails with kUnauthorized.
Result<Credentials> read_exec_credential(std::string_view text, std::string_view api_version);

}  // namespace strake::kube
