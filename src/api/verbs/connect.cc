// The subresource "proxy": admission is asked about the options of the connection, then the request
// goes on.
#include "api/verbs/service_proxy.h"
#include "api/verbs/verbs.h"
#include "value/fields.h"

namespace strake::api {
namespace {

using value::Document;
using value::Value;

// What is behind the subresource, as clients of a path with nothing behind it also have it.
std::string path_of(const RequestInfo& info) {
  std::string out;
  for (const std::string& segment : info.rest) out += "/" + segment;
  if (info.path.ends_with('/')) out += '/';
  return out;
}

Document options_of(const Call& call) {
  const meta::GroupVersionKind& kind = call.version->subresource(call.info.subresource)->kind;
  Document out;
  Arena& arena = out.arena();
  const auto text = [&](std::string_view from) { return Value::string(arena.copy(from)); };
  out.root() = Value::object({});
  out.root().set("apiVersion", text(meta::GroupVersion{kind.group, kind.version}.to_string()),
                 arena);
  out.root().set("kind", text(kind.kind), arena);
  if (const std::string path = path_of(call.info); !path.empty())
    out.root().set("path", text(path), arena);
  return out;
}

}  // namespace

AnswerTask<http::Response> connect(Core& core, Call& call) {
  Document options = options_of(call);
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
  co_return co_await core.proxy->forward(call, std::string(value::text_of(options.root(), "path")));
}

}  // namespace strake::api
