#pragma once
// Sends the request of a call on to another server, and its answer back: the subresources "proxy",
// whoever is at the other end. The other does not learn who asks: credentials stay here, as in
// kube-apiserver 1.36. Both bodies pass as they come.
#include <functional>
#include <memory>
#include <string>

#include "api/request/call.h"
#include "http/client.h"
#include "value/document.h"

namespace strake::api {

struct Destination {
  http::Upstream to;
  std::string host;  // HOST:PORT, as the other side names itself
  std::string path;  // what it is asked for: empty, or with a slash at its start
};

// What went wrong, for the client: the end of "error trying to reach service: ...".
using ExplainFailure = std::function<std::string(const http::Failure&)>;

// Null stands for a client that is closed: the server stops.
AnswerTask<http::Response> forward(Call& call, std::shared_ptr<http::Client> client,
                                   Destination destination, ExplainFailure explain);

// What the client's request becomes at the other side: no credentials, and who sent it.
http::Headers forwarded_headers(const Call& call);
// What the client gets of an answer; but for redirects, which are the caller's business.
http::Response passed_on(http::ClientResponse answer);

// Refuses names that others could read as paths. What is behind the subresource is the business of
// the other side.
Answer<> check_segments(const Call& call);

// Whether the request is one for the subresource, by its path alone: its body is not to be held.
bool may_be_proxied(const http::Request& head);

// The object that admission is shown of such a request: the kind of the subresource, and the path
// behind it.
value::Document proxy_options(const Call& call);

}  // namespace strake::api
