#pragma once
// What an issuer of tokens says, fetched over https alone.
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "async/task.h"
#include "base/cancel.h"
#include "base/secret.h"
#include "http/client.h"

namespace strake::auth {

struct HttpsGet {
  std::shared_ptr<const http::TlsContext> tls = {};  // null for the system's authorities
  std::chrono::milliseconds timeout;                 // of all, with redirects
  std::size_t most_bytes = 0;
  Secret bearer = {};  // shown to the host of the URL, and to none that it redirects to
  CancelToken cancel = {};
};
// The body of the answer, which must be a 200. Redirects are followed.
async::Task<std::string> https_get(std::shared_ptr<http::Client> client, std::string url,
                                   HttpsGet how);

}  // namespace strake::auth
