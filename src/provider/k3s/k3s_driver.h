#pragma once
// The driver `k3s`: an existing k3s, by its kubeconfig. It makes no clusters, disks or node pools,
// and says so; what runs in the cluster is installed as everywhere. Registered under its name;
// programs that have it say STRAKE_USE_DRIVER(k3s).
//
//   provider  disabled         "true": there is no such driver
//   either    K3S_KUBECONFIG   the file (/etc/rancher/k3s/k3s.yaml); the cluster's setting wins
#include "provider/external.h"
#include "provider/install/installer.h"
#include "provider/registry.h"

namespace strake::provider::k3s {

Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from);
// The same, with what stands between it and the system, and with how it installs; the calls must
// outlive the driver.
Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from, ExternalCalls& calls,
                            InstallerOptions installs);

}  // namespace strake::provider::k3s
