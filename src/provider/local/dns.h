#pragma once
// DNS as zone files, one for each of the names in LOCAL_DNS_ZONES, which any name server of the
// machine may load (zone_file.h). Clusters of a provider share them. A file is made with the first
// record, and its serial grows with every change.
#include <memory>

#include "provider/driver.h"
#include "provider/local/site.h"

namespace strake::provider::local {

std::unique_ptr<DnsDriver> make_dns(SharedSite site);

// Zones of the cluster that have no records left go. For deprovisioning, with no lock held.
Outcome<> remove_empty_zones(const Site& site, const Call& call, const ClusterSettings& settings);

}  // namespace strake::provider::local
