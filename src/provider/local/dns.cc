#include "provider/local/dns.h"

#include <optional>

#include "base/quote.h"
#include "provider/local/zone_file.h"
#include "provider/names/dns_names.h"

namespace strake::provider::local {
namespace {

const DnsSupport& support() {
  static const DnsSupport all{.types = {"A", "AAAA", "CNAME", "TXT", "MX", "NS", "SRV", "CAA"}};
  return all;
}

std::string file_of(const Site& site, std::string_view zone) {
  return site.path(kZones, fmt::format("{}.zone", zone));
}
std::string lock_of(std::string_view zone) { return fmt::format("zone-{}", zone); }

Outcome<std::optional<Zone>> read(const Site& site, const Call& call, const std::string& name) {
  STRAKE_TRY(const bool there, site.is_there(call));
  if (!there) return std::nullopt;
  const std::string file = file_of(site, name);
  STRAKE_TRY(const auto text, site.files.read(call, file, kMostZoneBytes));
  if (!text) return std::nullopt;
  STRAKE_TRY(Zone zone, in_context(file, read_zone(*text)));
  return zone;
}

struct Change {
  std::string zone;  // its origin
  std::string name;  // relative to it
  DnsRecordSet records;
  std::string name_server;  // of a zone that is made
};

class LocalDns final : public DnsDriver {
 public:
  explicit LocalDns(SharedSite site) : site_(std::move(site)) {}

  Outcome<> apply(const Call& call, const Cluster& cluster, const DnsRecordSet& records,
                  const DnsApplyOptions& options) override {
    STRAKE_CHECK(call.check());
    STRAKE_TRY(const ClusterSettings settings, read_settings(cluster));
    STRAKE_TRY(const Change change, read_change(call, settings, records, options));
    Call mine = call;
    mine.dry_run = call.dry_run || options.dry_run;
    Outcome<> done = apply(mine, change);
    if (done || options.strict) return done;
    const Failure& why = done.error();
    // Input that makes no sense is told whatever the options say.
    if (why.stops_everything() || why.error_class() == FailureClass::kValidation) return done;
    call.step("fail", "DNS records", fields_of(change));
    call.warn("DNS records were not applied",
              {{"fqdn", change.records.fqdn}, {"reason", why.message()}});
    return {};
  }

 private:
  static Journal::Fields fields_of(const Change& change) {
    return {{"fqdn", change.records.fqdn},
            {"type", change.records.type},
            {"zone", change.zone},
            {"rdata", fmt::format("{}", fmt::join(change.records.rdata, ", "))}};
  }

  Outcome<Change> read_change(const Call& call, const ClusterSettings& settings,
                              const DnsRecordSet& records, const DnsApplyOptions& options) const {
    Change out;
    STRAKE_TRY(out.records, normalize_records(records, support()));
    for (std::string& one : out.records.rdata) {
      STRAKE_TRY(one, canonical_rdata(out.records.type, one));
    }
    std::vector<DnsZone> zones;
    for (const std::string& name : settings.zones)
      zones.push_back(
          {.id = fmt::format("{}{}/{}", kHandlePrefix, site_->names.folder(), name), .name = name});
    STRAKE_TRY(const DnsZoneChoice choice, choose_zone(out.records.fqdn, options.zone_hint, zones));
    if (choice.hint_unmatched)
      call.warn("no zone is the one of the hint", {{"hint", options.zone_hint}});
    out.zone = choice.zone->name;
    out.name = zone_relative_name(out.records.fqdn, out.zone);
    out.name_server = settings.name_server;
    return out;
  }

  Outcome<> apply(const Call& call, const Change& change) const {
    STRAKE_TRY(std::optional<Zone> changed, with_change(call, change));
    const Journal::Fields fields = fields_of(change);
    if (!changed) {
      call.step("skip", "DNS records", fields);
      return {};
    }
    if (call.dry_run) {
      call.step("plan", change.records.rdata.empty() ? "delete DNS records" : "apply DNS records",
                fields);
      return {};
    }
    STRAKE_TRY(const NamedLock lock, site_->lock(call, lock_of(change.zone)));
    // Again: somebody may have changed it before we had the lock.
    STRAKE_TRY(changed, with_change(call, change));
    if (changed) {
      STRAKE_CHECK(site_->files.make_folder(call, site_->folder(kZones)));
      STRAKE_CHECK(site_->files.write(call, file_of(*site_, change.zone), to_text(*changed)));
    }
    call.step(change.records.rdata.empty() ? "delete" : "update", "DNS records", fields);
    return {};
  }

  // The zone as it is to be; nothing when it is so already.
  Outcome<std::optional<Zone>> with_change(const Call& call, const Change& change) const {
    STRAKE_TRY(std::optional<Zone> zone, read(*site_, call, change.zone));
    if (!zone && change.records.rdata.empty()) return std::nullopt;
    if (!zone) {
      Tags tags = app_tags(site_->names.owner("", ""));
      tags.erase(std::string(kAppTag));
      tags.erase(std::string(kAppIdHashTag));
      zone = Zone{.origin = change.zone,
                  .tags = std::move(tags),
                  .serial = 0,
                  .name_server = change.name_server,
                  .records = {}};
    }
    STRAKE_TRY(const bool differs, set_records(*zone, change.name, change.records.type,
                                               change.records.ttl, change.records.rdata));
    if (!differs) return std::nullopt;
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(call.clock->now().time_since_epoch());
    zone->serial = next_serial(zone->serial, now.count());
    return zone;
  }

  SharedSite site_;
};

}  // namespace

std::unique_ptr<DnsDriver> make_dns(SharedSite site) {
  return std::make_unique<LocalDns>(std::move(site));
}

Outcome<> remove_empty_zones(const Site& site, const Call& call, const ClusterSettings& settings) {
  for (const std::string& name : settings.zones) {
    STRAKE_TRY(std::optional<Zone> zone, read(site, call, name));
    if (!zone || !zone->records.empty()) continue;
    STRAKE_TRY(const NamedLock lock, site.lock(call, lock_of(name)));
    STRAKE_TRY(zone, read(site, call, name));
    if (!zone || !zone->records.empty()) continue;
    STRAKE_CHECK(site.files.remove(call, file_of(site, name)));
    call.step("delete", "DNS zone", {{"zone", name}});
  }
  return {};
}

}  // namespace strake::provider::local
