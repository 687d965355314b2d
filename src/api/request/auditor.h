#pragma once
// Who keeps the audit log: what the pipeline tells of each call.
#include <memory>

#include "http/message.h"
#include "meta/status.h"

namespace strake::api {

struct Call;

// One call on its way into the audit log. Destroyed when the last part of the response was sent, or
// when the client is gone: that is the end of the call too.
class AuditTrail {
 public:
  virtual ~AuditTrail() = default;
  // The refusal that the response will tell of.
  virtual void refused(const meta::Status& status) = 0;
  // The response as it leaves. Once. When it has a stream, the end of that is the call's end.
  virtual void respond(const Call& call, const http::Response& response) = 0;
};

// May be called from any thread.
class Auditor {
 public:
  virtual ~Auditor() = default;
  // The user is known, and nothing was decided. Null for what is not recorded.
  virtual std::unique_ptr<AuditTrail> begin(const Call& call) = 0;
  // The credentials were no good.
  virtual void refuse(const Call& call, const http::Response& response) = 0;
};

}  // namespace strake::api
