#include "cli/serve/aggregation_flags.h"

namespace strake::cli {

void read_aggregation(const Arguments& args, server::Options& out) {
  out.proxy_client_certificate_file = args.text("proxy-client-cert-file");
  out.proxy_client_key_file = args.text("proxy-client-key-file");
  out.aggregate_file = args.text("aggregate");
  out.service_resolver_file = args.text("service-resolver-file");
}

}  // namespace strake::cli
