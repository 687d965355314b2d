#include "audit/metrics.h"

#include "base/metrics.h"

namespace strake::audit {
namespace {

CounterFamily audit_events("apiserver_audit_event_total",
                           "[ALPHA] Counter of audit events generated and sent to the audit "
                           "backend.");
CounterFamily audit_levels("apiserver_audit_level_total",
                           "[ALPHA] Counter of policy levels for audit events (1 per request).",
                           {"level"});
CounterFamily audit_errors("apiserver_audit_error_total",
                           "[ALPHA] Counter of audit events that failed to be audited properly. "
                           "Plugin identifies the plugin affected by the error.",
                           {"plugin"});

}  // namespace

void count_event() {
  static Counter& events = audit_events.at({});
  events.add();
}

void count_decision(std::string_view level) { audit_levels.at({level}).add(); }

void count_lost(std::string_view sink, std::uint64_t events) {
  audit_errors.at({sink}).add(static_cast<double>(events));
}

}  // namespace strake::audit
