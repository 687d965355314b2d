#pragma once
// What a request is about, told by its method and path alone, before anything is looked up.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace strake::api {

struct RequestSelectors;

struct RequestInfo {
  bool is_resource = false;
  // get, list, watch, create, update, patch, delete, deletecollection, or empty for any other
  // method on a resource; elsewhere the method in lower case.
  std::string verb;
  std::string path;  // decoded
  // Of resource requests:
  std::string group;
  std::string version;
  std::string namespace_name;
  std::string resource;
  std::string name;
  std::string subresource;
  std::vector<std::string> rest;  // segments behind the subresource
  // Of list, watch and deletecollection, but for the old form of watching; null for none.
  std::shared_ptr<const RequestSelectors> selectors = nullptr;
};

// Whether the request may go on for as long as its client wants: a watch, or one that is sent on.
bool is_long_running(const RequestInfo& info);

// Whether HTTP defines the method (RFC 9110 and PATCH). Methods are case-sensitive.
bool is_http_method(std::string_view method);

// Fails with kBadRequest when the path or the query cannot be decoded.
Result<RequestInfo> read_request_info(std::string_view method, std::string_view path,
                                      const http::Query& query);

}  // namespace strake::api
