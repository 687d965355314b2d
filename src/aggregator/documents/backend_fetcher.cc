#include "aggregator/documents/backend_fetcher.h"

#include "http/byte_stream.h"

namespace strake::aggregator {

async::Task<FetchedDocument> BackendFetcher::fetch(DocumentRequest asked) {
  BackendRequest request;
  request.service = services_.find_remote(asked.group, asked.version);
  if (request.service == nullptr)
    co_return fail(Code::kNotFound, "there is no such APIService any more");
  request.user = std::make_shared<const api::User>(
      api::User{.name = asked.user, .uid = {}, .groups = asked.groups, .extra = {}});
  request.target = asked.target;
  request.headers.add("Accept", asked.accept);
  if (!asked.etag.empty()) request.headers.add("If-None-Match", asked.etag);
  request.deadline = asked.deadline;
  request.head_timeout =
      std::chrono::duration_cast<std::chrono::milliseconds>(asked.deadline.remaining());
  request.max_body = asked.max_bytes;
  request.cancel = asked.cancel;
  std::expected<BackendAnswer, BackendFailure> answer = co_await backends_.send(std::move(request));
  if (!answer) {
    const Code code =
        answer.error().fault == http::Fault::kTimeout ? Code::kTimeout : Code::kServiceUnavailable;
    co_return std::unexpected(Error(code, answer.error().message));
  }
  http::ClientResponse& response = answer->response;
  FetchedDocument out{
      .status = response.status, .etag = std::string(response.headers.get("ETag")), .body = {}};
  // Of anything else, the status says enough: the rest is not read.
  if (response.status != 200 || response.body == nullptr) co_return out;
  auto body = co_await http::read_all(*response.body, asked.max_bytes);
  if (!body) co_return std::unexpected(body.error().to_error());
  out.body = *std::move(body);
  co_return out;
}

}  // namespace strake::aggregator
