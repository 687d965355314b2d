#include "api/filters/request_info.h"

namespace strake::api {

Passage RequestInfoStage::enter(Call& call) {
  const http::Request& request = call.request;
  const auto read = [&]() -> Answer<> {
    STRAKE_TRY(call.query, answer(http::Query::parse(request.query)));
    STRAKE_TRY(call.info, answer(read_request_info(request.method, request.path, call.query)));
    if (!is_http_method(request.method)) return refuse(meta::Status::method_not_supported());
    return {};
  };
  return read();
}

}  // namespace strake::api
