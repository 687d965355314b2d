#include "provider/local/zone_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <tuple>

#include "base/quote.h"
#include "meta/names.h"
#include "provider/names/dns_names.h"

namespace strake::provider::local {
namespace {

constexpr std::string_view kDefaultMark = "; default";
constexpr std::uint32_t kDefaultTtl = 300;
constexpr std::size_t kMostRecordsInZone = 1'000'000;
constexpr std::size_t kMostStringBytes = 255;
constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kLongestName = 253;

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_space(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// The next word, which is then gone from `text`; empty at the end.
std::string_view next_word(std::string_view& text) {
  text = trimmed(text);
  std::size_t end = 0;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

// Letters that need no escapes in a master file, in small letters already.
bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  std::size_t label = 0;
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                      c == '*' || c == '.';
    if (!good || (c == '.' && label == 0)) return false;
    label = c == '.' ? 0 : label + 1;
    if (label > kLongestLabel) return false;
  }
  return label > 0;
}

// Which name servers ask of what has addresses, and of servers and exchangers.
bool is_host_name(std::string_view name) { return !name.contains('_') && !name.contains('*'); }

// As the owner of records of that type.
bool may_own(std::string_view name, std::string_view type) {
  if (type == "A" || type == "AAAA" || type == "MX") {
    if (name.starts_with("*.")) name.remove_prefix(2);
    return name == "*" || is_host_name(name);
  }
  return type != "NS" || !name.contains('*');
}

std::unexpected<Failure> bad_rdata(std::string_view type, std::string_view wanted,
                                   std::string_view rdata) {
  return refuse(FailureClass::kValidation, "{} record must be {}, got {}", type, wanted,
                quote(rdata.substr(0, 200)));
}

// "a.example.com."; the root is ".".
std::optional<std::string> whole_name(std::string_view text) {
  if (text == ".") return std::string(text);
  std::string name = canonical_dns_name(text);
  if (!is_plain_name(name)) return std::nullopt;
  return name + ".";
}

void append_quoted_string(std::string_view bytes, std::string& out) {
  out += '"';
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:03}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

// One string in quotes, which is then gone from `text`. Nothing when it is not well formed.
std::optional<std::string> next_string(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  text.remove_prefix(1);
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') return out;
    if (c != '\\') {
      out += c;
      continue;
    }
    if (text.empty()) return std::nullopt;
    if (text.front() < '0' || text.front() > '9') {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const auto byte = text.size() < 3 ? std::nullopt : number_of<unsigned>(text.substr(0, 3));
    if (!byte || *byte > 255) return std::nullopt;
    out += static_cast<char>(*byte);
    text.remove_prefix(3);
  }
  return std::nullopt;
}

// Texts without quotes are one text, whatever spaces they have: so people write them.
Outcome<std::string> canonical_text(std::string_view rdata) {
  std::vector<std::string> strings;
  std::string_view rest = trimmed(rdata);
  if (!rest.starts_with('"')) {
    for (; strings.empty() || !rest.empty();
         rest.remove_prefix(std::min(rest.size(), kMostStringBytes)))
      strings.emplace_back(rest.substr(0, kMostStringBytes));
  }
  while (!rest.empty()) {
    auto one = next_string(rest);
    if (!one || one->size() > kMostStringBytes || (!rest.empty() && !is_space(rest.front())))
      return bad_rdata("TXT", "strings in quotes of at most 255 bytes each", rdata);
    strings.push_back(*std::move(one));
    rest = trimmed(rest);
  }
  std::string out;
  for (const std::string& one : strings) {
    if (!out.empty()) out += ' ';
    append_quoted_string(one, out);
  }
  return out;
}

Outcome<std::string> canonical_caa(std::string_view rdata) {
  std::string_view rest = rdata;
  const auto flags = number_of<std::uint8_t>(next_word(rest));
  const std::string tag = meta::to_lower_ascii(next_word(rest));
  rest = trimmed(rest);
  std::optional<std::string> value;
  if (rest.starts_with('"')) {
    value = next_string(rest);
  } else if (!rest.empty()) {
    value = std::string(next_word(rest));
  }
  const bool good_tag = !tag.empty() && tag.size() <= 15 && std::ranges::all_of(tag, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  if (!flags || !good_tag || !value || !trimmed(rest).empty())
    return bad_rdata("CAA", "a flag, a tag and a value such as 0 issue \"ca.example.net\"", rdata);
  std::string out = fmt::format("{} {} ", *flags, tag);
  append_quoted_string(*value, out);
  return out;
}

// Numbers, and a name behind them.
Outcome<std::string> canonical_numbers(std::string_view type, std::size_t numbers,
                                       std::string_view wanted, std::string_view rdata) {
  std::string_view rest = rdata;
  std::string out;
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto number = number_of<std::uint16_t>(next_word(rest));
    if (!number) return bad_rdata(type, wanted, rdata);
    out += fmt::format("{} ", *number);
  }
  const auto name = whole_name(next_word(rest));
  const bool any = type == "CNAME";
  if (!name || !trimmed(rest).empty() || (!any && !is_host_name(*name)))
    return bad_rdata(type, wanted, rdata);
  return out + *name;
}

// The zone that the names of a file are in.
std::string whole(const Zone& zone, std::string_view name) {
  return name == "@" ? zone.origin + "." : fmt::format("{}.{}.", name, zone.origin);
}

// As the file has it: relative.
bool is_name_in(const Zone& zone, std::string_view name) {
  return name == "@" ||
         (is_plain_name(name) && name.size() + 1 + zone.origin.size() <= kLongestName);
}

bool less(const ZoneRecord& a, const ZoneRecord& b) {
  // '@' comes before letters, digits and the rest by being the shortest there is.
  const auto key = [](const ZoneRecord& one) {
    return std::tuple(one.name != "@", std::string_view(one.name), std::string_view(one.type),
                      std::string_view(one.rdata), one.ttl);
  };
  return key(a) < key(b);
}

bool has(const Zone& zone, std::string_view name, std::string_view type) {
  return std::ranges::any_of(
      zone.records, [&](const ZoneRecord& one) { return one.name == name && one.type == type; });
}

// Where a record leads that name servers look up as they load a zone; empty when nowhere.
std::string_view target_of(const ZoneRecord& one) {
  if (one.type != "NS" && one.type != "MX" && one.type != "SRV") return {};
  const std::size_t space = one.rdata.rfind(' ');
  return std::string_view(one.rdata).substr(space == std::string::npos ? 0 : space + 1);
}

// Name servers refuse a zone with a name server or exchanger of its own that has no address.
Outcome<> check_target(const Zone& zone, const ZoneRecord& one) {
  const std::string inside = "." + zone.origin + ".";
  const std::string_view target = target_of(one);
  const bool apex = target.size() + 1 == inside.size() && inside.ends_with(target);
  if (!apex && !target.ends_with(inside)) return {};
  const std::string name =
      apex ? "@" : std::string(target.substr(0, target.size() - inside.size()));
  auto at = std::ranges::lower_bound(
      zone.records, ZoneRecord{.name = name, .type = {}, .ttl = 0, .rdata = {}}, less);
  for (; at != zone.records.end() && at->name == name; ++at) {
    if (at->type == "A" || at->type == "AAAA") return {};
  }
  return refuse(FailureClass::kValidation,
                "the {} record of {} leads to {}, which must have an address in the zone", one.type,
                quote(whole(zone, one.name)), quote(target));
}

Outcome<> check_loads(const Zone& zone) {
  for (std::size_t i = 0; i < zone.records.size(); ++i) {
    const ZoneRecord& one = zone.records[i];
    if (one.type != "CNAME") continue;
    const bool alone = (i == 0 || zone.records[i - 1].name != one.name) &&
                       (i + 1 == zone.records.size() || zone.records[i + 1].name != one.name);
    if (one.name == "@" || !alone) {
      return refuse(FailureClass::kValidation, "a CNAME record of {} cannot stand beside others",
                    quote(whole(zone, one.name)));
    }
  }
  for (const ZoneRecord& one : zone.records) {
    if (const auto good = check_target(zone, one); !good) return good;
  }
  if (has(zone, "@", "NS")) return {};
  return check_target(zone, {.name = "@", .type = "NS", .ttl = 0, .rdata = zone.name_server});
}

// The reader's half.
class ZoneReader {
 public:
  Outcome<Zone> read(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++number;
      if (const Outcome<> done = line(text.substr(0, end)); !done) {
        return refuse(FailureClass::kInternal, "line {}: {}", number, done.error().message());
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (zone_.origin.empty() || !has_soa_)
      return refuse(FailureClass::kInternal, "must have an $ORIGIN and a SOA record");
    if (!std::ranges::is_sorted(zone_.records, less)) std::ranges::sort(zone_.records, less);
    const auto doubled = std::ranges::adjacent_find(zone_.records, same_set_other_ttl);
    if (doubled != zone_.records.end())
      return refuse(FailureClass::kInternal, "records of a set must differ, and have one TTL");
    return std::move(zone_);
  }

 private:
  static bool same_set_other_ttl(const ZoneRecord& a, const ZoneRecord& b) {
    if (a.name != b.name || a.type != b.type) return false;
    return a.ttl != b.ttl || a.rdata == b.rdata;
  }

  static std::unexpected<Failure> wrong(std::string_view wanted) {
    return refuse(FailureClass::kInternal, "must be {}", wanted);
  }

  Outcome<> line(std::string_view text) {
    text = trimmed(text);
    if (text.empty()) return {};
    if (text.starts_with(';')) return comment(text.substr(1));
    if (text.starts_with('$')) return directive(text);
    return record(text);
  }

  // Only tags are kept: other comments were not ours, and would be lost.
  Outcome<> comment(std::string_view text) {
    text = trimmed(text);
    const std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos) return wrong("a tag, as in \"; key: value\"");
    const std::string_view key = text.substr(0, colon);
    const std::string_view value = trimmed(text.substr(colon + 2));
    const bool plain = !key.empty() && std::ranges::none_of(key, is_space) && !value.empty();
    if (!plain || !zone_.tags.emplace(key, value).second) return wrong("a tag, each key once");
    return {};
  }

  Outcome<> directive(std::string_view text) {
    const std::string_view word = next_word(text);
    const std::string_view value = next_word(text);
    if (!trimmed(text).empty()) return wrong("a directive with one value");
    if (word == "$TTL") {
      if (number_of<std::uint32_t>(value) != kDefaultTtl) return wrong("$TTL 300");
      return {};
    }
    const auto origin = whole_name(value);
    if (word != "$ORIGIN" || !origin || *origin != value || value == "." || !zone_.origin.empty())
      return wrong("$ORIGIN, once, or $TTL");
    zone_.origin = origin->substr(0, origin->size() - 1);
    return {};
  }

  Outcome<> record(std::string_view text) {
    if (zone_.origin.empty()) return wrong("an $ORIGIN before all records");
    const std::string_view name = next_word(text);
    const auto ttl = number_of<std::uint32_t>(next_word(text));
    const std::string_view in = next_word(text);
    const std::string_view type = next_word(text);
    if (!is_name_in(zone_, name) || !may_own(name, type) || !ttl || in != "IN")
      return wrong("a record as \"name TTL IN type data\"");
    text = trimmed(text);
    if (type == "SOA") return soa(name, text);
    const bool by_default = text.ends_with(kDefaultMark);
    if (by_default) text = trimmed(text.substr(0, text.size() - kDefaultMark.size()));
    const auto rdata = canonical_rdata(type, text);
    if (!rdata) return std::unexpected(rdata.error());
    if (*rdata != text) return wrong("data in its canonical form: " + *rdata);
    if (by_default) {
      if (type != "NS" || name != "@" || *rdata != zone_.name_server || *ttl != kDefaultTtl)
        return wrong("the NS record of the server that the SOA record names");
      return {};
    }
    if (zone_.records.size() == kMostRecordsInZone) return wrong("fewer records");
    zone_.records.push_back(
        {.name = std::string(name), .type = std::string(type), .ttl = *ttl, .rdata = *rdata});
    return {};
  }

  Outcome<> soa(std::string_view name, std::string_view text) {
    const auto primary = whole_name(next_word(text));
    const auto contact = whole_name(next_word(text));
    const auto serial = number_of<std::uint32_t>(next_word(text));
    if (name != "@" || has_soa_ || !primary || !contact || !serial)
      return wrong("one SOA record, of the zone");
    has_soa_ = true;
    zone_.serial = *serial;
    zone_.name_server = *primary;
    if (trimmed(text) != "3600 600 1209600 300") return wrong("a SOA with the usual times");
    return {};
  }

  Zone zone_;
  bool has_soa_ = false;
};

}  // namespace

std::string to_text(const Zone& zone) {
  std::string out;
  for (const auto& [key, value] : zone.tags) out += fmt::format("; {}: {}\n", key, value);
  out += fmt::format("$ORIGIN {}.\n$TTL {}\n", zone.origin, kDefaultTtl);
  // Nobody, where no name would hold it.
  constexpr std::string_view kContact = "hostmaster.";
  const bool fits = kContact.size() + zone.origin.size() <= kLongestName;
  out += fmt::format("@ {} IN SOA {} {}{}. {} 3600 600 1209600 300\n", kDefaultTtl,
                     zone.name_server, fits ? kContact : "", fits ? zone.origin : "", zone.serial);
  if (!has(zone, "@", "NS"))
    out += fmt::format("@ {} IN NS {} {}\n", kDefaultTtl, zone.name_server, kDefaultMark);
  for (const ZoneRecord& one : zone.records)
    out += fmt::format("{} {} IN {} {}\n", one.name, one.ttl, one.type, one.rdata);
  return out;
}

Outcome<Zone> read_zone(std::string_view text) { return ZoneReader().read(text); }

Outcome<std::string> canonical_rdata(std::string_view type, std::string_view rdata) {
  if (type == "A" || type == "AAAA") {
    STRAKE_TRY(const DnsRecordSet one, normalize_records({.fqdn = "a.test",
                                                          .type = std::string(type),
                                                          .ttl = 0,
                                                          .rdata = {std::string(rdata)}}));
    return one.rdata.front();
  }
  if (type == "CNAME" || type == "NS") return canonical_numbers(type, 0, "a domain name", rdata);
  if (type == "MX") return canonical_numbers(type, 1, "a preference and a domain name", rdata);
  if (type == "SRV")
    return canonical_numbers(type, 3, "a priority, a weight, a port and a domain name", rdata);
  if (type == "TXT") return canonical_text(rdata);
  if (type == "CAA") return canonical_caa(rdata);
  return refuse(FailureClass::kValidation, "unsupported DNS record type {}", quote(type));
}

Outcome<bool> set_records(Zone& zone, const std::string& name, const std::string& type,
                          std::uint32_t ttl, const std::vector<std::string>& rdata) {
  Zone changed = zone;
  std::erase_if(changed.records,
                [&](const ZoneRecord& one) { return one.name == name && one.type == type; });
  if (!is_name_in(zone, name)) {
    return refuse(FailureClass::kValidation, "must be a name in the zone {}, got {}", zone.origin,
                  quote(name));
  }
  if (!rdata.empty() && !may_own(name, type)) {
    return refuse(FailureClass::kValidation, "a {} record must not be of {}", type,
                  quote(whole(zone, name)));
  }
  for (const std::string& one : rdata) {
    ZoneRecord record{.name = name, .type = type, .ttl = ttl, .rdata = {}};
    STRAKE_TRY(record.rdata, canonical_rdata(type, one));
    if (std::ranges::find(changed.records, record) == changed.records.end())
      changed.records.push_back(std::move(record));
  }
  std::ranges::sort(changed.records, less);
  if (changed.records.size() > kMostRecordsInZone) {
    return refuse(FailureClass::kValidation, "a zone must have at most {} records",
                  kMostRecordsInZone);
  }
  if (changed.records == zone.records) return false;
  STRAKE_CHECK(check_loads(changed));
  zone.records = std::move(changed.records);
  return true;
}

std::uint32_t next_serial(std::uint32_t before, std::int64_t unix_seconds) {
  const auto now = static_cast<std::uint32_t>(unix_seconds);
  const std::uint32_t next = before + 1 == 0 ? 1 : before + 1;
  // Half of all numbers are newer than one of them.
  const std::uint32_t ahead = now - before;
  return ahead != 0 && ahead < (std::uint32_t{1} << 31) ? now : next;
}

}  // namespace strake::provider::local
