#pragma once
// One request on its way through the API: what was asked, by whom, of what, and what the client
// must be warned of.
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/request/answer.h"
#include "api/request/auditor.h"
#include "api/request/deadlines.h"
#include "api/request/endpoint.h"
#include "api/request/in_flight.h"
#include "api/request/media.h"
#include "api/request/request_info.h"
#include "api/request/roles.h"
#include "base/cancel.h"
#include "base/time.h"
#include "http/message.h"

namespace strake::api {

// What is kept for as long as a call lasts, such as what a quota was charged for it.
struct Held {
  virtual ~Held() = default;
};

struct Call {
  http::Request request;
  RequestInfo info;
  http::Query query;
  UserPtr asking;  // who the credentials belong to; null when they are no good
  UserPtr user;    // whom the request acts as: the same, unless it impersonates
  Wanted wanted;
  bool narrowed = false;  // the caller is not shown everything (exposure.h)
  EndpointPtr endpoint;
  EndpointUse use;                                // of that endpoint, where objects may be stored
  const kinds::ServedVersion* version = nullptr;  // of the endpoint's resource
  WallTime now;
  std::vector<std::string> warnings;
  std::string audit_id;
  std::unique_ptr<AuditTrail> audit;  // null when the call is not recorded
  AuditWait unstored;                 // to be waited for before the answer is sent
  // What authorization and admission have to say to the audit log, by key.
  std::vector<std::pair<std::string, std::string>> audit_annotations;
  std::chrono::steady_clock::time_point begun;
  InFlightPass in_flight;
  std::unique_ptr<Held> seat;         // what it has of its priority level; see flow_control
  std::unique_ptr<RequestTime> time;  // null for what has no deadline
  CancelToken stopping;               // the server waits no longer
  std::vector<std::unique_ptr<Held>> held;

  // Whether nobody waits for the answer any more: the client is gone, the request has had its time,
  // or the server's time is up. request.cancel says the first two.
  bool is_cancelled() const { return request.cancel.cancelled() || stopping.cancelled(); }
  // What is answered then, for whoever still reads it.
  static meta::Status cancelled();
  const kinds::Resource& resource() const { return endpoint->resource(); }
  const kinds::Strategy& strategy() const { return endpoint->strategy(); }
  // What the strategy is told of the request. `now` is now_text(), held by the caller.
  kinds::WriteRequest write_request(std::string_view now_text) const {
    return {.resource = resource(),
            .version = *version,
            .user = user->name,
            .uid = user->uid,
            .groups = user->groups,
            .extra = &user->extra,
            .now = now_text};
  }
  meta::GroupResource group_resource() const { return resource().group_resource(); }
  std::string api_version() const {
    return meta::GroupVersion{resource().group, version->name}.to_string();
  }
  std::string now_text() const;  // RFC 3339, whole seconds
};

// Tells the client and the audit log.
void note_login(Call& call, const LoginNotes& notes);

// A token for a wait of the call: cancelled when is_cancelled() comes true. Does not move.
class WaitCancel {
 public:
  explicit WaitCancel(const Call& call)
      : source_(call.request.cancel),
        stopping_(call.stopping.on_cancel([this] { source_.cancel(); })) {}
  CancelToken token() const { return source_.token(); }

 private:
  CancelSource source_;
  CancelRegistration stopping_;
};

}  // namespace strake::api
