#include "api/routes/documents_route.h"

#include "api/verbs/respond.h"

namespace strake::api {

bool DocumentsRoute::takes(const Call& call) const {
  return call.request.method == "GET" || call.request.method == "HEAD";
}

AnswerTask<http::Response> DocumentsRoute::answer(std::shared_ptr<Call> call) {
  if (auto document = documents_.serve(call->request, call->query, call->info.path))
    co_return *std::move(document);
  co_return not_found_page();
}

}  // namespace strake::api
