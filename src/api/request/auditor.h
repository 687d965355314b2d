#pragma once
// Who keeps the audit log: what the pipeline tells of each call.
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>

#include "base/cancel.h"
#include "http/message.h"
#include "meta/status.h"

namespace strake::api {

struct Call;

// A wait until events are stored, called once; empty when nobody has to wait. Comes to false when
// the call may not go on without them.
using AuditWait = std::move_only_function<boost::asio::awaitable<bool>(CancelToken)>;

// One call on its way into the audit log. Destroyed when the last part of the response was sent, or
// when the client is gone: that is the end of the call too.
class AuditTrail {
 public:
  virtual ~AuditTrail() = default;
  // The refusal that the response will tell of.
  virtual void refused(const meta::Status& status) = 0;
  // The response as it leaves. Once. When it has a stream, the end of that is the call's end.
  virtual void respond(const Call& call, const http::Response& response) = 0;
  // For the events so far: asked before the call goes on, and before its answer is sent.
  virtual AuditWait unstored() { return {}; }
  // There are no more events of this call.
  virtual void abandon() {}
};

// May be called from any thread.
class Auditor {
 public:
  virtual ~Auditor() = default;
  // The user is known, and nothing was decided. Null for what is not recorded.
  virtual std::unique_ptr<AuditTrail> begin(const Call& call) = 0;
  // The credentials were no good.
  virtual AuditWait refuse(const Call& call, const http::Response& response) = 0;
};

}  // namespace strake::api
