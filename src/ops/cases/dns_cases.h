#pragma once
// DNS records of an app's hosts, as its Ingresses in the cluster say.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ops/cases/session.h"

namespace strake::ops {

enum class DnsAction : std::uint8_t { kPlanned, kUpdated, kDeleted, kSkipped, kFailed };
std::string_view to_string(DnsAction action);  // "planned", "updated", ...

struct DnsResult {
  std::string host;
  std::string type;  // A, AAAA, CNAME
  std::string ip;    // empty when it is deleted, or not known
  DnsAction action = DnsAction::kSkipped;
  std::string message;  // why it was skipped, or failed
};

struct DnsOptions {
  std::string component{provider::kAppComponent};
  std::string zone_hint = {};
  bool strict = false;
};

// An A record (AAAA for an IPv6 address) for every host. A host without an address yet is skipped.
// All hosts are tried, and each is told as a step "dns". What failed is a warning; with `strict` it
// fails the call, as does a host without an address. Input that makes no sense to the driver and
// the end of the call always fail it.
provider::Outcome<std::vector<DnsResult>> deploy_dns(const Session& session,
                                                     const provider::Call& call,
                                                     const provider::App& app,
                                                     const DnsOptions& options = {});
// Deletes A, AAAA and CNAME of every host. A cluster or namespace that is gone has no hosts.
provider::Outcome<std::vector<DnsResult>> destroy_dns(const Session& session,
                                                      const provider::Call& call,
                                                      const provider::App& app,
                                                      const DnsOptions& options = {});

}  // namespace strake::ops
