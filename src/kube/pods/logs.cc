#include "kube/pods/logs.h"

#include <fmt/format.h>

#include "http/message.h"

namespace strake::kube {

Result<> read_log(const Client& cluster, const LogRequest& request, OutputStream& out) {
  std::string path = fmt::format("/api/v1/namespaces/{}/pods/{}/log?follow={}",
                                 http::percent_encode(request.of.namespace_name),
                                 http::percent_encode(request.of.pod), request.follow);
  if (!request.of.container.empty())
    path += fmt::format("&container={}", http::percent_encode(request.of.container));
  if (request.tail) path += fmt::format("&tailLines={}", *request.tail);
  if (request.since) path += fmt::format("&sinceSeconds={}", request.since->count());
  if (request.timestamps) path += "&timestamps=true";
  if (request.previous) path += "&previous=true";
  return cluster.stream({.path = std::move(path), .accept = "*/*"},
                        [&out](std::string_view part) -> Result<bool> {
                          STRAKE_CHECK(out.write(part));
                          return true;
                        });
}

}  // namespace strake::kube
