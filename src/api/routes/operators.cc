#include "api/routes/operators.h"

#include <fmt/format.h>

#include "api/routes/metrics_page.h"
#include "api/verbs/respond.h"

namespace strake::api {
namespace {

using http::Response;

constexpr std::string_view kPaths =
    "{\n  \"paths\": [\n    \"/.well-known/openid-configuration\",\n    \"/api\",\n    "
    "\"/apis\",\n    \"/flagz\",\n    "
    "\"/healthz\",\n    \"/livez\",\n    \"/metrics\",\n    \"/openapi/v2\",\n    "
    "\"/openapi/v3\",\n    \"/openid/v1/jwks\",\n    \"/readyz\",\n    \"/statusz\",\n    "
    "\"/version\"\n  ]\n}";

std::string version_text(std::string_view git_version) {
  return fmt::format(
      "{{\n  \"major\": \"1\",\n  \"minor\": \"36\",\n  \"emulationMajor\": \"1\",\n  "
      "\"emulationMinor\": \"36\",\n  \"minCompatibilityMajor\": \"1\",\n  "
      "\"minCompatibilityMinor\": \"35\",\n  \"gitVersion\": \"{}\",\n  \"gitCommit\": \"\",\n  "
      "\"gitTreeState\": \"clean\",\n  \"buildDate\": \"1970-01-01T00:00:00Z\",\n  "
      "\"goVersion\": \"\",\n  \"compiler\": \"clang\",\n  \"platform\": \"linux/amd64\"\n}}",
      git_version);
}

}  // namespace

OperatorsRoute::OperatorsRoute(Core& core, const Health& health, const InFlightCounts& in_flight,
                               std::string_view version, std::vector<WriteMetrics> more_metrics)
    : core_(core),
      health_(health),
      in_flight_(in_flight),
      git_version_(fmt::format("v1.36.4+strake-{}", version)),
      more_metrics_(std::move(more_metrics)) {}

bool OperatorsRoute::takes(const Call& call) const {
  const std::string& path = call.info.path;
  return path == "/" || path == "/version" || path == "/version/" || path == "/metrics" ||
         Health::is_health_path(path);
}

AnswerTask<Response> OperatorsRoute::answer(std::shared_ptr<Call> call) {
  co_return respond(*call);
}

Response OperatorsRoute::respond(const Call& call) const {
  const std::string& path = call.info.path;
  if (path == "/") return json_response(200, std::string(kPaths));
  if (path == "/metrics") {
    std::string page = metrics_page(core_, in_flight_, git_version_);
    for (const WriteMetrics& write : more_metrics_) write(page);
    return text_response(200, std::move(page), "text/plain; version=0.0.4; charset=utf-8");
  }
  if (auto health = health_.serve(path, call.query)) return *std::move(health);
  if (Health::is_health_path(path)) return not_found_page();
  return json_response(200, version_text(git_version_));
}

}  // namespace strake::api
