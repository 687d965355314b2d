#include "api/controllers/record_event.h"

#include <fmt/format.h>

#include "api/controllers/namespace_controller.h"
#include "base/hash.h"
#include "base/rfc3339.h"
#include "value/json_writer.h"

namespace strake::api {

boost::asio::awaitable<void> record_event(Core& core, ServerEvent event) {
  // What kube-apiserver 1.36 allows in a message.
  constexpr std::size_t kLongestMessage = 1024;
  if (event.message.size() > kLongestMessage) event.message.resize(kLongestMessage);
  const std::string now = format_rfc3339(Instant::from(core.clock.now()));
  std::string json = R"({"apiVersion":"v1","kind":"Event","metadata":{"name":)";
  const std::uint64_t id =
      hash64(fmt::format("{}/{}/{}{}", event.kind, event.name, event.uid, event.reason));
  value::write_json_string(fmt::format("{}.{:016x}", event.name, id), json);
  json += R"(},"involvedObject":{"name":)";
  value::write_json_string(event.name, json);
  for (const auto& [key, text] : {std::pair{"kind", &event.kind},
                                  {"apiVersion", &event.api_version},
                                  {"namespace", &event.namespace_name},
                                  {"uid", &event.uid}}) {
    if (text->empty()) continue;
    json += fmt::format(R"(,"{}":)", key);
    value::write_json_string(*text, json);
  }
  json += R"(},"type":"Warning","count":1,"source":{"component":)";
  value::write_json_string(event.component, json);
  json += R"(},"reason":)";
  value::write_json_string(event.reason, json);
  json += R"(,"message":)";
  value::write_json_string(event.message, json);
  json += fmt::format(R"(,"firstTimestamp":"{0}","lastTimestamp":"{0}"}})", now);
  const std::string in = event.namespace_name.empty() ? "default" : event.namespace_name;
  co_await ensure_object(core, "", "events", in, std::move(json));
}

}  // namespace strake::api
