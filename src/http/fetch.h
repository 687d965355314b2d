#pragma once
// Requests to others from code that blocks: one at a time, with a deadline and a size limit.
// Proxies come from the environment (proxy.h) unless one is named. http::Client is behind it, on a
// loop that runs while the caller waits; connections are kept for the next request of the same
// thread. Code that runs on a loop uses http::Client itself.
#include <chrono>
#include <cstddef>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "base/secret.h"
#include "http/message.h"

namespace strake::http {

struct FetchRequest {
  std::string url;  // http or https
  std::string method = "GET";
  Headers headers;
  std::string body;
  std::chrono::milliseconds timeout{30'000};  // for all of it
  std::size_t max_bytes = 64 * 1024 * 1024;   // of the answer's body
  bool follow_redirects = false;              // of GET and HEAD, up to ten
  std::string ca_pem;                         // whom to trust; the system's authorities when empty
  std::string client_certificate_pem;
  Secret client_key_pem;
  bool insecure = false;        // takes any certificate
  std::string tls_server_name;  // whom the certificate must name, when it is not the URL's host
  Secret bearer_token;          // not handed on when another host is redirected to
  std::string user_name;        // with a password: HTTP's basic way in
  Secret password;
  std::string proxy;        // http or socks5 URL; empty: as the environment says
  bool compressed = false;  // lets the other side compress; the body comes plain all the same
  CancelToken cancel;
};

struct FetchResponse {
  int status = 0;
  Headers headers;
  std::string body;
  std::string url;  // where it came from in the end
};

// Any status is an answer, not an error. Fails with kTimeout; kLimit past max_bytes; kInvalid for
// what cannot be asked (URL, header, certificate); kUnsupported for a proxy of another kind;
// kCancelled; else kServiceUnavailable, saying what to look at. No message holds a secret, nor the
// query of the URL, which might.
Result<FetchResponse> fetch(const FetchRequest& request);

}  // namespace strake::http
