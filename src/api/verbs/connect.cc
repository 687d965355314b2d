// Subresources whose requests go on to somewhere else: admission is asked about the options of the
// connection, then it is made.
#include "api/request/connections.h"
#include "api/verbs/forward.h"
#include "api/verbs/service_proxy.h"
#include "api/verbs/verbs.h"
#include "value/fields.h"

namespace strake::api {
namespace {

using value::Document;

AnswerTask<> admit(Core& core, Call& call, Document& options) {
  AdmissionRequest asked{.phase = AdmissionRequest::Phase::kMutating,
                         .operation = AdmissionRequest::Operation::kConnect,
                         .name = call.info.name,
                         .subresource = call.info.subresource,
                         .object = &options};
  for (const auto phase :
       {AdmissionRequest::Phase::kMutating, AdmissionRequest::Phase::kValidating}) {
    asked.phase = phase;
    Eventual<> admitted = core.admission->admit(call, asked);
    STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
  }
  co_return Answer<>();
}

}  // namespace

AnswerTask<http::Response> connect(Core& core, Call& call) {
  using Connection = kinds::Subresource::Connection;
  STRAKE_CO_CHECK(check_segments(call));
  const Connection kind = call.version->subresource(call.info.subresource)->connection;
  const bool reads = kind == Connection::kReads;
  if (!reads && call.query.get("dryRun"))
    co_return refuse(meta::Status::bad_request("dryRun is not supported"));
  if (kind == Connection::kService) {
    Document options = proxy_options(call);
    STRAKE_CO_CHECK(co_await admit(core, call, options));
    co_return co_await core.proxy->forward(call,
                                           std::string(value::text_of(options.root(), "path")));
  }
  if (core.connections == nullptr)
    co_return refuse(meta::Status::service_unavailable("this server connects to no nodes"));
  STRAKE_CO_TRY(Document options, core.connections->options_of(call));
  // Reading is nothing that admission is asked about.
  if (!reads) STRAKE_CO_CHECK(co_await admit(core, call, options));
  co_return co_await core.connections->connect(call, options);
}

}  // namespace strake::api
