#include "recording/normal_form.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::recording {
namespace {

std::string normal(std::string_view json, const GeneratedNames& names = {}) {
  return normal_json(value::read_json(json).value().root(), names);
}

TEST(NormalForm, NamesWhatDiffersFromRunToRun) {
  EXPECT_EQ(
      normal(R"({"metadata":{"uid":"8ad6f9a0-1111-4222-8333-444455556666",)"
             R"("resourceVersion":"42","creationTimestamp":"2026-01-01T00:00:00Z"}})"),
      R"({"metadata":{"creationTimestamp":"<time>","resourceVersion":"<version>","uid":"<uid>"}})");
  EXPECT_EQ(
      normal(R"({"caBundle":"eA==","resourceVersion":"0","url":"https://127.0.0.1:43211/x"})"),
      R"({"caBundle":"<certificate>","resourceVersion":"0","url":"https://127.0.0.1:<port>/x"})");
  EXPECT_EQ(
      normal(R"({"t":"from 2026-01-01T00:00:00.123456Z to 2026-01-01T00:00:00+02:00.","n":[]})"),
      R"({"n":[],"t":"from <time> to <time>."})");
  EXPECT_EQ(normal(R"({"holderIdentity":"host_8ad6f9a0-1111-4222-8333-444455556666","o":{}})"),
            R"({"holderIdentity":"host_<uid>","o":{}})");
}

TEST(NormalForm, SortsManagersWhoseOrderIsThatOfTheirTimes) {
  EXPECT_EQ(
      normal(R"({"managedFields":[{"manager":"b","time":"2026-01-01T00:00:00Z"},)"
             R"({"manager":"a","time":"2026-01-01T00:00:01Z"}]})"),
      R"({"managedFields":[{"manager":"a","time":"<time>"},{"manager":"b","time":"<time>"}]})");
  EXPECT_EQ(normal(R"({"managedFields":[]})"), R"({"managedFields":[]})");
  // In a schema it is a property.
  EXPECT_EQ(normal(R"({"managedFields":{"a":1}})"), R"({"managedFields":{"a":1}})");
}

TEST(NormalForm, NamesCertificates) {
  EXPECT_EQ(normal_text("a -----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n", {}),
            "a <certificate>\n");
  EXPECT_EQ(normal_text("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSQ==", {}), "<certificate>");
  EXPECT_EQ(normal_text("-----BEGIN CERTIFICATE-----", {}), "-----BEGIN CERTIFICATE-----");
}

TEST(NormalForm, LeavesWhatIsTheClients) {
  for (const char* json : {R"({"a":1.5,"b":"2026-01-01","c":"8ad6f9a0","version":"42"})",
                           R"({"image":"x:5000/y"})", R"([true,null,"localhost:"])"})
    EXPECT_EQ(normal(json), json);
}

TEST(NormalForm, KnowsNamesThatTheServerMade) {
  GeneratedNames names;
  names.note(value::read_json(R"({"type":"ADDED","object":{"metadata":{)"
                              R"("generateName":"web-","name":"web-x7k2p"}}})")
                 .value()
                 .root());
  names.note(value::read_json(R"({"items":[{"metadata":{"generateName":"a","name":"a1"}}]})")
                 .value()
                 .root());
  EXPECT_EQ(normal_text("/api/v1/pods/web-x7k2p/status", names),
            "/api/v1/pods/web-<generated>/status");
  EXPECT_EQ(normal_text("pods \"a1\" and web-x7k2q", names), "pods \"a<generated>\" and web-x7k2q");
  // Events are named after the moment.
  EXPECT_EQ(normal_text("web.17f3a9c0b1d2e3f4", names), "web.<time>");
  EXPECT_EQ(normal_text("web.example.com", names), "web.example.com");
}

TEST(NormalForm, LeavesOutWhatClientsPickAtRandom) {
  EXPECT_EQ(normal_query("watch=true&timeoutSeconds=412&resourceVersion=9", {}),
            "watch=true&resourceVersion=<version>");
  EXPECT_EQ(normal_query("continue=abc&limit=5&resourceVersion=0", {}),
            "continue=<continue>&limit=5&resourceVersion=0");
}

}  // namespace
}  // namespace strake::recording
