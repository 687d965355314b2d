#include "ops/cases/dns_cases.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "kube/objects/ingresses.h"
#include "ops/cases/pod_choice.h"
#include "provider/install/api_call.h"

namespace strake::ops {

using provider::Call;
using provider::FailureClass;
using provider::Outcome;

namespace {

class DnsChange {
 public:
  DnsChange(const Session& session, const Call& call, const AppScope& scope,
            provider::DnsDriver& dns, const DnsOptions& options)
      : session_(session), call_(call), scope_(scope), dns_(dns), options_(options) {}

  Outcome<std::vector<DnsResult>> deploy() {
    STRAKE_TRY(const std::vector<kube::IngressHost> all, hosts());
    for (const kube::IngressHost& one : all) {
      const std::string_view type = one.ip.contains(':') ? "AAAA" : "A";
      DnsResult result{.host = one.host, .type = std::string(type), .ip = one.ip, .message = {}};
      if (one.ip.empty()) {
        result.action = options_.strict ? DnsAction::kFailed : DnsAction::kSkipped;
        result.message = "its Ingress has no address yet";
        if (options_.strict)
          note(provider::Failure(FailureClass::kNotFound,
                                 fmt::format("host {}: {}", one.host, result.message)));
        take(std::move(result));
        continue;
      }
      STRAKE_CHECK(apply(std::move(result), {one.ip}));
    }
    return end();
  }

  Outcome<std::vector<DnsResult>> destroy() {
    STRAKE_TRY(const std::vector<kube::IngressHost> all, hosts());
    for (const kube::IngressHost& one : all) {
      for (const std::string_view type : {"A", "AAAA", "CNAME"})
        STRAKE_CHECK(
            apply({.host = one.host, .type = std::string(type), .ip = {}, .message = {}}, {}));
    }
    return end();
  }

 private:
  Outcome<std::vector<kube::IngressHost>> hosts() {
    STRAKE_TRY(const provider::KubeNames names, scope_.names(options_.component));
    STRAKE_TRY(const kube::Client client, connect(session_, call_, scope_.in));
    kube::Objects objects(client);
    return provider::of_api(kube::ingress_hosts(objects, names.namespace_name(), names.selector()));
  }

  // Fails only when nothing more should be tried.
  Outcome<> apply(DnsResult result, std::vector<std::string> rdata) {
    STRAKE_CHECK(call_.check());
    const bool deletes = rdata.empty();
    const provider::DnsRecordSet records{
        .fqdn = result.host, .type = result.type, .rdata = std::move(rdata)};
    // Strict whatever was asked for: a driver that passes over a failure would have us tell that
    // the record is there.
    const Outcome<> done =
        dns_.apply(call_, scope_.in.cluster, records,
                   {.zone_hint = options_.zone_hint, .strict = true, .dry_run = call_.dry_run});
    if (done) {
      result.action = call_.dry_run ? DnsAction::kPlanned
                      : deletes     ? DnsAction::kDeleted
                                    : DnsAction::kUpdated;
      take(std::move(result));
      return {};
    }
    const provider::Failure& why = done.error();
    if (why.stops_everything() || why.error_class() == FailureClass::kNotImplemented)
      return std::unexpected(why);
    const bool makes_no_sense = why.error_class() == FailureClass::kValidation ||
                                why.error_class() == FailureClass::kInvalid;
    if (options_.strict || makes_no_sense)
      note(provider::Failure(why).prefixed(fmt::format("host {}", result.host)));
    result.action = DnsAction::kFailed;
    result.message = why.message();
    take(std::move(result));
    return {};
  }

  void note(provider::Failure why) {
    if (!first_) first_ = std::move(why);
  }

  void take(DnsResult result) {
    provider::Journal::Fields fields = {{"host", result.host},
                                        {"type", result.type},
                                        {"result", std::string(to_string(result.action))}};
    if (!result.ip.empty()) fields.emplace_back("ip", result.ip);
    if (!result.message.empty()) fields.emplace_back("reason", result.message);
    if (result.action == DnsAction::kFailed) {
      call_.warn("dns", fields);
    } else {
      call_.step("dns", result.host, fields);
    }
    out_.push_back(std::move(result));
  }

  Outcome<std::vector<DnsResult>> end() {
    if (first_) return std::unexpected(*std::move(first_));
    return std::move(out_);
  }

  const Session& session_;
  const Call& call_;
  const AppScope& scope_;
  provider::DnsDriver& dns_;
  const DnsOptions& options_;
  std::vector<DnsResult> out_;
  std::optional<provider::Failure> first_;
};

}  // namespace

std::string_view to_string(DnsAction action) {
  switch (action) {
    case DnsAction::kPlanned: return "planned";
    case DnsAction::kUpdated: return "updated";
    case DnsAction::kDeleted: return "deleted";
    case DnsAction::kSkipped: return "skipped";
    case DnsAction::kFailed: break;
  }
  return "failed";
}

Outcome<std::vector<DnsResult>> deploy_dns(const Session& session, const Call& call,
                                           const provider::App& app, const DnsOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::DnsDriver * dns, scope.in.dns("ClusterDNSApply"));
  return DnsChange(session, call, scope, *dns, options).deploy();
}

Outcome<std::vector<DnsResult>> destroy_dns(const Session& session, const Call& call,
                                            const provider::App& app, const DnsOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::DnsDriver * dns, scope.in.dns("ClusterDNSApply"));
  STRAKE_TRY(const provider::ClusterStatus status, status_of(call, scope.in));
  if (!status.provisioned) {
    call.step("skip", "dns", {{"app", app.name}, {"reason", "the cluster is not provisioned"}});
    return std::vector<DnsResult>();
  }
  return DnsChange(session, call, scope, *dns, options).destroy();
}

}  // namespace strake::ops
