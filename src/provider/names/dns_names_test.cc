#include "provider/names/dns_names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "provider/names/setting_list.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

std::vector<std::string> texts_in(const Value& list) {
  std::vector<std::string> out;
  for (const Value& one : list.items()) out.emplace_back(text_of(one));
  return out;
}

DnsRecordSet records_in(const Value& object) {
  return {.fqdn = std::string(text_of(object, "fqdn")),
          .type = std::string(text_of(object, "type")),
          .ttl = static_cast<std::uint32_t>(object.get("ttl").as_int()),
          .rdata = texts_in(object.get("rdata"))};
}

TEST(DnsZones, AreChosenAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "dns.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::vector<DnsZone> zones;
  for (const Value& one : data->root().get("zones").items())
    zones.push_back({std::string(text_of(one, "id")), std::string(text_of(one, "name"))});
  std::size_t cases = 0;
  for (const Value& one : data->root().get("select").items()) {
    const std::string_view fqdn = text_of(one, "fqdn");
    const auto choice = choose_zone(fqdn, text_of(one, "hint"), zones);
    ++cases;
    if (one.get("zone").is_null()) {
      ASSERT_FALSE(choice) << fqdn;
      EXPECT_TRUE(choice.error().message().starts_with("no matching DNS zone found for FQDN "));
      EXPECT_EQ(choice.error().error_class(), FailureClass::kValidation);
      continue;
    }
    ASSERT_TRUE(choice) << choice.error().message();
    EXPECT_EQ(choice->zone->name, text_of(one, "zone")) << fqdn;
    EXPECT_EQ(zone_relative_name(fqdn, choice->zone->name), text_of(one, "relativeName"));
  }
  EXPECT_GE(cases, testing::count_in(folder, 10U, 5U));
}

TEST(DnsZones, AreTheSameWhateverTheCaseOfLetters) {
  const std::vector<DnsZone> zones = {{"/ID/One", "Example.COM."}, {"/id/two", "example.net"}};
  EXPECT_EQ(choose_zone("WWW.example.com", "", zones)->zone, &zones[0]);
  EXPECT_EQ(choose_zone("x.example.net", "/id/ONE", zones)->zone, &zones[0]);
  EXPECT_EQ(choose_zone("x.example.com", "EXAMPLE.net.", zones)->zone, &zones[1]);
  EXPECT_EQ(zone_relative_name("WWW.Example.com.", "example.COM"), "www");
}

TEST(DnsZones, AreTheLongestInWhicheverOrder) {
  std::vector<DnsZone> zones = {
      {"1", "a.b.example.com"}, {"2", "b.example.com"}, {"3", "com"}, {"4", "example.com"}};
  do {
    EXPECT_EQ(choose_zone("x.a.b.example.com", "", zones)->zone->id, "1");
    EXPECT_EQ(choose_zone("a.example.com", "", zones)->zone->id, "4");
  } while (std::ranges::next_permutation(zones, {}, &DnsZone::id).found);
  zones = {{"1", "example.com"}, {"2", "example.com"}};
  EXPECT_EQ(choose_zone("example.com", "", zones)->zone->id, "1");  // the first of a name
}

TEST(DnsZones, AreChosenByNameWhenTheHintIsNone) {
  const std::vector<DnsZone> zones = {{"1", "example.com"}};
  EXPECT_TRUE(choose_zone("a.example.com", "other", zones)->hint_unmatched);
  EXPECT_FALSE(choose_zone("a.example.com", "1", zones)->hint_unmatched);
  EXPECT_FALSE(choose_zone("a.example.com", "", zones)->hint_unmatched);
  EXPECT_EQ(choose_zone("a.example.com", "", {}).error().message(), "no DNS zones configured");
}

TEST(DnsRecords, AreNormalizedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "dns.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("normalize").items()) {
    const auto got = normalize_records(records_in(one.get("input")));
    ++cases;
    if (const auto wanted = text_of(one, "errorContains"); !wanted.empty()) {
      ASSERT_FALSE(got) << wanted;
      EXPECT_NE(got.error().message().find(wanted), std::string::npos) << got.error().message();
      EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
      continue;
    }
    ASSERT_TRUE(got) << got.error().message();
    EXPECT_EQ(*got, records_in(one.get("expect")));
    EXPECT_EQ(normalize_records(*got).value(), *got);
  }
  EXPECT_GE(cases, testing::count_in(folder, 6U, 5U));
}

TEST(DnsRecords, AreTheSameInOneForm) {
  const auto got = normalize_records({.fqdn = "WWW.Example.com.",
                                      .type = "aaaa",
                                      .ttl = 60,
                                      .rdata = {"2001:DB8:0::1", "2001:db8::1", "::2"}});
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(
      *got,
      (DnsRecordSet{
          .fqdn = "www.example.com", .type = "AAAA", .ttl = 60, .rdata = {"2001:db8::1", "::2"}}));
}

TEST(DnsRecords, AreRefusedWhenTheyMakeNoSense) {
  const DnsSupport all = {.types = {"A", "AAAA", "CNAME", "TXT"}, .default_ttl = 300};
  const std::string long_label(64, 'a');
  const std::pair<DnsRecordSet, std::string_view> cases[] = {
      {{.fqdn = ".", .type = "A"}, "FQDN is required"},
      {{.fqdn = "a..b", .type = "A"}, "FQDN must be a domain name"},
      {{.fqdn = "a b", .type = "A"}, "FQDN must be a domain name"},
      {{.fqdn = "-a.b", .type = "A"}, "FQDN must be a domain name"},
      {{.fqdn = "a.*.b", .type = "A"}, "FQDN must be a domain name"},
      {{.fqdn = "*", .type = "A"}, "FQDN must be a domain name"},
      {{.fqdn = long_label + ".b", .type = "A"}, "FQDN must be a domain name"},
      {{.fqdn = "a.b", .type = ""}, "unsupported DNS record type"},
      {{.fqdn = "a.b", .type = "A", .ttl = 0x80000000U}, "TTL of a.b must be at most"},
      {{.fqdn = "a.b", .type = "A", .ttl = 0, .rdata = {"::1"}}, "must be an IPv4 address"},
      {{.fqdn = "a.b", .type = "A", .ttl = 0, .rdata = {"192.0.2.1", "x"}}, "IPv4 address"},
      {{.fqdn = "a.b", .type = "AAAA", .ttl = 0, .rdata = {"192.0.2.1"}}, "an IPv6 address"},
      {{.fqdn = "a.b", .type = "AAAA", .ttl = 0, .rdata = {"fe80::1%eth0"}}, "an IPv6 address"},
      {{.fqdn = "a.b", .type = "CNAME", .ttl = 0, .rdata = {"x\ny"}}, "must be a domain name"},
      {{.fqdn = "a.b", .type = "TXT", .ttl = 0, .rdata = {"x\ny IN A 1"}}, "control characters"},
      {{.fqdn = "a.b", .type = "TXT", .ttl = 0, .rdata = {""}}, "control characters"},
      {{.fqdn = "a.b", .type = "TXT", .ttl = 0, .rdata = {std::string(4097, 'x')}}, "4096 bytes"},
      {{.fqdn = "a.b", .type = "TXT", .ttl = 0, .rdata = std::vector<std::string>(401, "x")},
       "at most 400 values"},
  };
  for (const auto& [records, wanted] : cases) {
    const auto got = normalize_records(records, all);
    ASSERT_FALSE(got) << wanted;
    EXPECT_NE(got.error().message().find(wanted), std::string::npos) << got.error().message();
  }
  EXPECT_TRUE(normalize_records({.fqdn = "*.a.b", .type = "A"}));
  EXPECT_TRUE(normalize_records({.fqdn = "_acme._tcp.a.b", .type = "TXT"}, all));
  EXPECT_TRUE(normalize_records(
      {.fqdn = "a.b", .type = "TXT", .ttl = 0, .rdata = {std::string(4096, 'x')}}, all));
}

TEST(SettingLists, AreSplitAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "dns.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  const Value& list = data->root().get("listSplit");
  EXPECT_EQ(split_setting_list(text_of(list, "text")), texts_in(list.get("expect")));
  EXPECT_FALSE(list.get("expect").items().empty());
}

TEST(SettingLists, AreEmptyWithoutWords) {
  EXPECT_TRUE(split_setting_list("").empty());
  EXPECT_TRUE(split_setting_list(" ,\n,\t").empty());
  EXPECT_EQ(split_setting_list("one"), std::vector<std::string>{"one"});
}

}  // namespace
}  // namespace strake::provider
