// Any bytes as what people write about resources: refused in words, or printed so that reading them
// again gives the same.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "provider/names/dns_names.h"
#include "provider/names/kube_names.h"
#include "provider/names/name_checks.h"
#include "provider/names/resource_id.h"
#include "provider/names/setting_list.h"
#include "provider/names/sizes.h"
#include "provider/names/source.h"
#include "provider/names/zones.h"

using namespace strake;
using namespace strake::provider;

namespace {

template <typename T>
bool refused(const Outcome<T>& outcome) {
  if (outcome) return false;
  STRAKE_ASSERT(outcome.error().error_class() == FailureClass::kValidation);
  STRAKE_ASSERT(!outcome.error().message().empty() && outcome.error().message().size() < 2000);
  return true;
}

void read_id(std::string_view text) {
  const auto id = ResourceId::parse(text);
  if (refused(id)) return;
  STRAKE_ASSERT(id->text() == text && id->check_document(id->kind(), id->name()));
  std::string again;
  for (const std::string_view kind : {"ws", "prv", "cls", "app", "box"}) {
    const std::string_view name = id->name_of(kind);
    if (!name.empty()) again += fmt::format("/{}/{}", kind, name);
  }
  STRAKE_ASSERT(again == text && *ResourceId::parse(again) == *id);
  STRAKE_ASSERT(text.starts_with(id->parent()));
  STRAKE_ASSERT(id->parent().empty() || ResourceId::parse(id->parent()));
}

void read_source(std::string_view text) {
  const NativeIds arm = {.beginnings = {"/subscriptions/"}, .prefixes = {"arm:", "resourceId:"}};
  for (const NativeIds& ids : {NativeIds(), arm}) {
    for (const auto parse : {parse_disk_source, parse_snapshot_source}) {
      const auto source = parse(text, ids);
      if (refused(source)) continue;
      STRAKE_ASSERT((source->kind == SourceKind::kNone) == source->text.empty());
      STRAKE_ASSERT(*parse(to_string(*source, ids), ids) == *source);
    }
  }
}

void read_size(std::string_view text) {
  const auto bytes = parse_size(text);
  if (refused(bytes)) return;
  STRAKE_ASSERT(*bytes >= 0 && *parse_size(std::to_string(*bytes)) == *bytes);
  const std::string printed = size_quantity(*bytes);
  const auto given = parse_size(printed);
  if (printed == "8Ei") return;  // no size any more
  STRAKE_ASSERT(given && *given >= *bytes && *given - *bytes < (1 << 20));
  STRAKE_ASSERT(size_quantity(*given) == printed);
  STRAKE_ASSERT(managed_disk_gib(*bytes) <= file_share_gib(*bytes));
}

void read_dns(std::string_view text) {
  const DnsSupport support = {.types = {"A", "AAAA", "CNAME", "TXT"}, .default_ttl = 300};
  const std::size_t line = text.find('\n');
  DnsRecordSet records;
  records.fqdn = text.substr(0, line);
  if (line != std::string_view::npos) records.rdata.emplace_back(text.substr(line + 1));
  const DnsZone zones[] = {{"/id/1", "example.com"}, {"/id/2", "app.example.com"}};
  for (const std::string_view type : support.types) {
    records.type = type;
    const auto one = normalize_records(records, support);
    if (refused(one)) continue;
    STRAKE_ASSERT(*normalize_records(*one, support) == *one);
    const auto choice = choose_zone(one->fqdn, "", zones);
    if (refused(choice)) continue;
    const std::string relative = zone_relative_name(one->fqdn, choice->zone->name);
    STRAKE_ASSERT(relative == "@" ? one->fqdn == choice->zone->name
                                  : relative + "." + choice->zone->name == one->fqdn);
  }
}

void read_names(std::string_view text) {
  const bool volume = !refused(check_volume_name(text));
  const bool disk = !refused(check_disk_name(text));
  const bool app = !refused(check_app_name(text));
  STRAKE_ASSERT(!volume || (disk && app));
  if (app) {
    const auto names = KubeNames::of(
        {.workspace = "w", .provider = "p", .cluster = "c", .app = std::string(text)});
    STRAKE_ASSERT(names && names->namespace_name().size() <= 63);
  }
  if (!refused(check_zone(text)))
    STRAKE_ASSERT(native_zone(neutral_zone("region", native_zone(text))) == native_zone(text));
  for (const std::string& word : split_setting_list(text))
    STRAKE_ASSERT(split_setting_list(word) == std::vector<std::string>{word});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_id(text);
  read_source(text);
  read_size(text);
  read_dns(text);
  read_names(text);
  return 0;
}
