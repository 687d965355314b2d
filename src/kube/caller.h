#pragma once
// How code on a loop calls the server of an Access: where the connection goes, and what each
// request carries to say who calls. Whoever calls others by coroutines (webhooks, a main server)
// gets it from here.
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/client.h"
#include "kube/access.h"

namespace strake::kube {

struct Caller {
  http::Upstream upstream;
  std::string path;        // of the server's URL, without its query
  std::string url;         // for messages: as it was written, without its query
  http::Headers headers;   // who calls
  std::string token_file;  // read for each request, since it is kept fresh

  // Fails with kInvalid, and with kUnsupported for plugins that make credentials. No message holds
  // a secret.
  static Result<Caller> make(const Access& access);
  // Another path below the server's URL.
  void append_path(std::string_view path);
  // What is asked for: a path with its query, below the server's URL.
  std::string target(std::string_view path_and_query) const;
  // With the token as it is now. Without its file, the server says what it thinks of a caller
  // without a token.
  http::Headers headers_now() const;
};

}  // namespace strake::kube
