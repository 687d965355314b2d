#pragma once
// What kubelets are shown, and whom they are believed to be signed by: from files and options.
#include <optional>

#include "kubelet/connections.h"
#include "server/data_dir.h"
#include "server/server.h"

namespace strake::server {

// The certificate of the flags, or one of the server's own authority, which is made here. Fails
// with kUsage when one of two files is given.
Result<> use_kubelet_certificates(kubelet::KubeletConnections& connections, const Options& options,
                                  const std::optional<DataDir>& folder, const Identity& identity);

}  // namespace strake::server
