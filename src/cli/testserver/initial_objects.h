#pragma once
// What a test server holds before its tests begin.
#include <string>
#include <vector>

#include "cli/io/io.h"
#include "cli/testserver/local_webhooks.h"
#include "kube/client.h"

namespace strake::cli {

// Applies the objects of the files and folders: definitions first, then namespaces, then the rest
// in its order. When it returns, the definitions are established: the server answers a write of one
// when it serves it, and a webhook configuration counts from its write on. Fails at the first
// object that is refused, and at a definition that is not served, naming it and its file.
Result<> apply_files(const std::vector<std::string>& operands, const LocalWebhooks& webhooks,
                     const kube::Client& cluster, Io& io);

}  // namespace strake::cli
