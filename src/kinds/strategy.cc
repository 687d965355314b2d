#include "kinds/strategy.h"

namespace strake::kinds {

using value::Value;

namespace {

WriteRequest through(std::string_view subresource, WriteRequest request) {
  request.subresource = subresource;
  return request;
}

}  // namespace

void prepare_write(const Strategy& strategy, std::string_view subresource, Value& object,
                   const Value& old, Arena& arena, const WriteRequest& request) {
  if (subresource.empty()) return strategy.prepare_update(object, old, arena, request);
  if (subresource == "status") return strategy.prepare_status(object, old, arena, request);
  strategy.prepare_other(object, old, arena, through(subresource, request));
}

Result<resource::Verdict> check_write(const Strategy& strategy, std::string_view subresource,
                                      const Value& object, const Value& old,
                                      const WriteRequest& request) {
  if (subresource.empty()) return strategy.check_update(object, old, request);
  if (subresource == "status") return strategy.check_status(object, old, request);
  return strategy.check_other(object, old, through(subresource, request));
}

}  // namespace strake::kinds
