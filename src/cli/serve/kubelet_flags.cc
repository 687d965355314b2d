#include "cli/serve/kubelet_flags.h"

#include "cli/serve/flag_values.h"

namespace strake::cli {

void read_kubelet(const Arguments& args, server::Options& out) {
  out.kubelet_client_certificate_file = args.text("kubelet-client-certificate");
  out.kubelet_client_key_file = args.text("kubelet-client-key");
  out.kubelet_authority_file = args.text("kubelet-certificate-authority");
  if (args.given("kubelet-preferred-address-types"))
    out.kubelet_address_types = read_list(args, "kubelet-preferred-address-types");
}

}  // namespace strake::cli
