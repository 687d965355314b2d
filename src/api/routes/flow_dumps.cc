#include "api/routes/flow_dumps.h"

#include "api/verbs/respond.h"

namespace strake::api {
namespace {

constexpr std::string_view kFolder = "/debug/api_priority_and_fairness/";
constexpr std::string_view kLevelsPage = "dump_priority_levels";
constexpr std::string_view kQueuesPage = "dump_queues";
constexpr std::string_view kRequestsPage = "dump_requests";

std::string_view page_of(const Call& call) {
  const std::string_view path = call.info.path;
  return path.starts_with(kFolder) ? path.substr(kFolder.size()) : std::string_view();
}

}  // namespace

bool FlowDumpsRoute::takes(const Call& call) const {
  const std::string_view page = page_of(call);
  return page == kLevelsPage || page == kQueuesPage || page == kRequestsPage;
}

AnswerTask<http::Response> FlowDumpsRoute::answer(std::shared_ptr<Call> call) {
  const std::string_view page = page_of(*call);
  if (page == kLevelsPage) co_return text_response(200, flow_.dump_levels());
  if (page == kQueuesPage) co_return text_response(200, flow_.dump_queues());
  const auto details = call->query.get("includeRequestDetails");
  co_return text_response(200, flow_.dump_requests(details && !details->empty()));
}

}  // namespace strake::api
