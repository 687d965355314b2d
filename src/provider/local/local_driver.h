#pragma once
// The driver `local`: clusters, node pools, volumes and DNS on this machine, with no cloud. It
// keeps no state of its own: everything is in the folders of what it provides (names.h). Registered
// under its name; programs that have it say STRAKE_USE_DRIVER(local).
#include "provider/external.h"
#include "provider/registry.h"

namespace strake::provider::local {

Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from);
// The same, with what stands between it and the system; the calls must outlive the driver.
Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from, ExternalCalls& calls);

}  // namespace strake::provider::local
