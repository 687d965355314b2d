#include "provider/local/zone_file.h"

#include <random>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

Zone empty_zone() {
  return {.origin = "example.com",
          .tags = {{"managed-by", "kompox"}, {"kompox-provider-name", "here"}},
          .serial = 7,
          .name_server = "localhost.",
          .records = {}};
}

// What BIND says of it; nothing to say when it is not installed.
void expect_accepted(const Zone& zone) {
  const TestSite site;
  write_text(site.path("zone"), to_text(zone));
  const auto run = run_program(
      {.arguments = {"named-checkzone", "-i", "local", zone.origin, site.path("zone")}});
  if (!run && run.error().code() == Code::kNotFound)
    GTEST_SKIP() << "named-checkzone is not installed (Debian: bind9-utils)";
  ASSERT_TRUE(run) << run.error().to_string();
  EXPECT_EQ(run->status, 0) << run->out << run->err << to_text(zone);
}

TEST(ZoneFiles, HaveALineARecord) {
  Zone zone = empty_zone();
  ASSERT_TRUE(set_records(zone, "www", "A", 60, {"192.0.2.1", "192.0.2.2"}).value());
  ASSERT_TRUE(set_records(zone, "@", "TXT", 300, {"v=spf1 -all"}).value());
  EXPECT_EQ(to_text(zone),
            "; kompox-provider-name: here\n"
            "; managed-by: kompox\n"
            "$ORIGIN example.com.\n"
            "$TTL 300\n"
            "@ 300 IN SOA localhost. hostmaster.example.com. 7 3600 600 1209600 300\n"
            "@ 300 IN NS localhost. ; default\n"
            "@ 300 IN TXT \"v=spf1 -all\"\n"
            "www 60 IN A 192.0.2.1\n"
            "www 60 IN A 192.0.2.2\n");
  expect_accepted(zone);
}

TEST(ZoneFiles, OfAllTypesAreAcceptedByBind) {
  Zone zone = empty_zone();
  const std::tuple<std::string, std::string, std::vector<std::string>> sets[] = {
      {"@", "A", {"192.0.2.1"}},
      {"www", "AAAA", {"2001:db8::1"}},
      {"alias", "CNAME", {"www.example.com"}},
      {"*.wild", "A", {"192.0.2.9"}},
      {"mail", "A", {"192.0.2.3"}},
      {"@", "MX", {"10 mail.example.com", "20 backup.example.net."}},
      {"ns1", "A", {"192.0.2.4"}},
      {"@", "NS", {"ns1.example.com", "ns.example.net"}},
      {"_sip._tcp", "SRV", {"10 20 5060 www.example.com"}},
      {"@", "CAA", {"0 issue \"ca.example.net\"", "128 iodef mailto:a@example.com"}},
      {"text",
       "TXT",
       {"plain text; with \"quotes\" and \\", "\"a\" \"b\\009\"", std::string(600, 'x'),
        "\xc3\xa9"}},
  };
  for (const auto& [name, type, rdata] : sets) {
    const auto done = set_records(zone, name, type, 300, rdata);
    ASSERT_TRUE(done) << why(done);
    EXPECT_TRUE(*done);
    expect_accepted(zone);
  }
  EXPECT_EQ(read_zone(to_text(zone)).value(), zone);
  // And away again, those that others lead to last.
  for (const std::size_t i : {0, 1, 2, 3, 5, 7, 8, 9, 10, 4, 6}) {
    const auto& [name, type, rdata] = sets[i];
    // www is what the SRV record leads to.
    if (name == "www") continue;
    ASSERT_TRUE(set_records(zone, name, type, 300, {}).value()) << name << type;
    expect_accepted(zone);
  }
  ASSERT_TRUE(set_records(zone, "www", "AAAA", 300, {}).value());
  EXPECT_EQ(zone, empty_zone());
}

TEST(ZoneFiles, AreNotChangedByWhatTheyHaveAlready) {
  Zone zone = empty_zone();
  ASSERT_TRUE(set_records(zone, "a", "MX", 60, {"5 B.example.net"}).value());
  EXPECT_FALSE(set_records(zone, "a", "MX", 60, {"5 b.example.net."}).value());
  EXPECT_TRUE(set_records(zone, "a", "MX", 61, {"5 b.example.net."}).value());
  EXPECT_FALSE(set_records(zone, "b", "A", 60, {}).value());
}

TEST(ZoneFiles, RefuseWhatNameServersWouldNotLoad) {
  Zone zone = empty_zone();
  ASSERT_TRUE(set_records(zone, "www", "A", 60, {"192.0.2.1"}).value());
  ASSERT_TRUE(set_records(zone, "alias", "CNAME", 60, {"www.example.com"}).value());
  const Zone before = zone;
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {"www", "CNAME", "b.example.net"},
      {"alias", "A", "192.0.2.1"},
      {"@", "CNAME", "b.example.net"},
      {"@", "MX", "10 mail.example.com"},
      {"@", "MX", "10 alias.example.com"},
      {"sub", "NS", "ns.example.com"},
      {"_s._tcp", "SRV", "1 2 3 example.com"},
      {"_a", "A", "192.0.2.1"},
      {"*", "NS", "n.example.net"},
      {"@", "MX", "1 _m.example.net"},
  };
  for (const auto& [name, type, rdata] : cases) {
    const auto got = set_records(zone, name, type, 60, {rdata});
    ASSERT_FALSE(got) << name << ' ' << type;
    EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
    EXPECT_EQ(zone, before);
  }
  // And what others lead to stays while they do.
  ASSERT_TRUE(set_records(zone, "@", "MX", 60, {"10 www.example.com"}).value());
  EXPECT_FALSE(set_records(zone, "www", "A", 60, {}));
}

TEST(RecordData, IsRefusedWhenItIsNotOfItsType) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"A", "2001:db8::1"},
      {"AAAA", "192.0.2.1"},
      {"CNAME", "a b"},
      {"CNAME", "a..b"},
      {"NS", ""},
      {"MX", "mail.example.com"},
      {"MX", "70000 a.b"},
      {"MX", "1 a.b c"},
      {"SRV", "1 2 a.b"},
      {"CAA", "0 issue"},
      {"CAA", "256 issue \"a\""},
      {"CAA", "0 is-sue \"a\""},
      {"TXT", "\"open"},
      {"TXT", "\"a\"b"},
      {"TXT", "\"\\999\""},
      {"CNAME", "a\nb"},
      {"NS", "a;b"},
      {"LOC", "x"},
  };
  for (const auto& [type, rdata] : cases) {
    const auto got = canonical_rdata(type, rdata);
    ASSERT_FALSE(got) << type << ' ' << rdata << ": " << *got;
    EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  }
}

TEST(RecordData, IsCanonicalOnce) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"TXT", "a\"b"},   {"TXT", ""},        {"TXT", "\"x\"   \"y\""}, {"CAA", "0 ISSUE ca.test"},
      {"MX", " 5\tA.b"}, {"SRV", "1 2 3 ."}, {"AAAA", "2001:DB8:0::1"}};
  for (const auto& [type, rdata] : cases) {
    const auto once = canonical_rdata(type, rdata);
    ASSERT_TRUE(once) << why(once);
    EXPECT_EQ(canonical_rdata(type, *once).value(), *once);
  }
}

TEST(ZoneFiles, AreRefusedWhenOthersHaveChangedThem) {
  Zone zone = empty_zone();
  ASSERT_TRUE(set_records(zone, "www", "A", 60, {"192.0.2.1"}).value());
  const std::string good = to_text(zone);
  ASSERT_TRUE(read_zone(good));
  EXPECT_FALSE(read_zone(""));
  for (const std::string_view added :
       {"; a comment of a person\n", "www 60 IN A 192.0.2.1\n", "www 61 IN A 192.0.2.2\n",
        "www IN A 192.0.2.2\n", "$INCLUDE /etc/passwd\n", "www 60 IN A 192.0.2.02\n",
        "@ 300 IN SOA a. b. 1 2 3 4 5\n", "x 60 IN TXT \"open\n", "x 60 IN TXT (\n",
        "_a 60 IN A 192.0.2.1\n", "$ORIGIN other.com.\n"}) {
    const auto got = read_zone(good + std::string(added));
    ASSERT_FALSE(got) << added;
    EXPECT_EQ(got.error().error_class(), FailureClass::kInternal);
    EXPECT_TRUE(got.error().message().starts_with("line 8: ") || added.starts_with("www 6"))
        << got.error().message();
  }
}

// Random sets of records, applied and removed: what was written is read again, and each set is the
// one that was applied last.
TEST(ZoneFiles, ReadWhatTheyWrote) {
  std::mt19937 random(20261120);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  const std::vector<std::string> names = {"@", "a", "b.c", "*.w", "_x._tcp"};
  const std::vector<std::pair<std::string, std::vector<std::string>>> types = {
      {"A", {"192.0.2.1", "192.0.2.2"}}, {"AAAA", {"2001:db8::1"}},
      {"CNAME", {"x.example.net."}},     {"TXT", {"\"a b\"", "\"\\\"\"", "\"; x\""}},
      {"MX", {"1 m.example.net."}},      {"NS", {"n.example.net."}},
      {"SRV", {"1 2 3 s.example.net."}}, {"CAA", {"0 issue \"c; d\""}}};
  Zone zone = empty_zone();
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> model;
  for (int i = 0; i < 2000; ++i) {
    const std::string& name = names[pick(names.size())];
    const auto& [type, all] = types[pick(types.size())];
    std::vector<std::string> rdata;
    for (const std::string& one : all) {
      if (pick(2) == 0) rdata.push_back(one);
    }
    const auto done = set_records(zone, name, type, 60, rdata);
    if (done) {
      model.erase({name, type});
      if (!rdata.empty()) model[{name, type}] = rdata;
    }
    const auto again = read_zone(to_text(zone));
    ASSERT_TRUE(again) << why(again) << to_text(zone);
    ASSERT_EQ(*again, zone);
  }
  std::size_t count = 0;
  for (const auto& [key, rdata] : model) {
    for (const std::string& one : rdata) {
      ++count;
      EXPECT_EQ(std::ranges::count_if(zone.records,
                                      [&](const ZoneRecord& record) {
                                        return record.name == key.first &&
                                               record.type == key.second && record.rdata == one;
                                      }),
                1);
    }
  }
  EXPECT_EQ(zone.records.size(), count);
  expect_accepted(zone);
}

TEST(Serials, GrowWhateverTheTime) {
  EXPECT_EQ(next_serial(0, 1'700'000'000), 1'700'000'000U);
  EXPECT_EQ(next_serial(1'700'000'000, 1'700'000'000), 1'700'000'001U);
  EXPECT_EQ(next_serial(1'700'000'005, 1'700'000'000), 1'700'000'006U);
  EXPECT_EQ(next_serial(0xffffffffU, 0xffffffff), 1U);
}

}  // namespace
}  // namespace strake::provider::local
