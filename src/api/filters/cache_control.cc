#include "api/filters/cache_control.h"

namespace strake::api {

void CacheControlStage::leave(Call&, http::Response& response) {
  if (!response.headers.has("Cache-Control"))
    response.headers.add("Cache-Control", "no-cache, private");
}

}  // namespace strake::api
