#pragma once
// Clusters of this machine: each is a `strake serve` in a folder of its own, started, found again
// and stopped by that folder alone (cluster_folder.h, process.h). One that ended, whyever, is not
// provisioned; provisioning starts it again over its data, on the same port where that is free.
#include <memory>

#include "provider/driver.h"
#include "provider/local/site.h"

namespace strake::provider::local {

std::unique_ptr<ClusterDriver> make_clusters(SharedSite site);

}  // namespace strake::provider::local
