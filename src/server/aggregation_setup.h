#pragma once
// What the aggregation layer is given from files and options: the certificate that it shows to
// other servers, the map of services, and the headers that tell users.
#include "aggregator/aggregation.h"
#include "kube/service_places.h"
#include "server/data_dir.h"
#include "server/server.h"

namespace strake::server {

aggregator::Aggregation::Options aggregation_options(const Options& options);

// That of the flags, or the server's own. Fails with kUsage when one of two files is given.
Result<> show_proxy_certificate(aggregator::Aggregation& aggregation, const Options& options,
                                const Identity& identity);
// Of the file, if there is one, and of the servers behind this one.
Result<> use_service_map(aggregator::Aggregation& aggregation, const Options& options,
                         const kube::ServicePlaces& members);

}  // namespace strake::server
