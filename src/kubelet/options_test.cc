#include "kubelet/options.h"

#include <gtest/gtest.h>

#include "value/json_writer.h"

namespace strake::kubelet {
namespace {

struct Case {
  const char* kind;
  const char* query;
  const char* want;  // the object, or the refusal
};

std::string read(const char* kind, const char* query) {
  const auto read = read_options(kind, http::Query::parse(query).value());
  return read ? value::to_json(read->root()) : read.error().message;
}

TEST(PodOptions, AreReadFromTheQuery) {
  const Case cases[] = {
      {"PodExecOptions", "command=sh&command=-c&stdin=true&stdout=1&stderr=false&tty=0",
       R"({"apiVersion":"v1","command":["sh","-c"],"kind":"PodExecOptions","stdin":true,"stdout":true})"},
      {"PodExecOptions", "container=c&tty&stdin=FALSE",
       R"({"apiVersion":"v1","command":null,"container":"c","kind":"PodExecOptions","tty":true})"},
      {"PodAttachOptions", "container=&stdout=yes&command=ignored",
       R"({"apiVersion":"v1","kind":"PodAttachOptions","stdout":true})"},
      {"PodPortForwardOptions", "ports=80,443&ports=8080",
       R"({"apiVersion":"v1","kind":"PodPortForwardOptions","ports":[80,443,8080]})"},
      {"PodPortForwardOptions", "ports=65536",
       "cannot convert to []int32: strconv.ParseUint: parsing \"65536\": value out of range"},
      {"PodPortForwardOptions", "ports=80,",
       "cannot convert to []int32: strconv.ParseUint: parsing \"\": invalid syntax"},
      {"PodPortForwardOptions", "ports=-1",
       "cannot convert to []int32: strconv.ParseUint: parsing \"-1\": invalid syntax"},
      {"PodLogOptions", "tailLines=-3&follow=true&sinceTime=2024-01-02T03:04:05%2B01:00",
       R"({"apiVersion":"v1","follow":true,"kind":"PodLogOptions","sinceTime":"2024-01-02T02:04:05Z","tailLines":-3})"},
      {"PodLogOptions", "limitBytes=%2B7&tailLines=1&tailLines=x",
       R"({"apiVersion":"v1","kind":"PodLogOptions","limitBytes":7,"tailLines":1})"},
      {"PodLogOptions", "tailLines=ten", "strconv.ParseInt: parsing \"ten\": invalid syntax"},
      {"PodLogOptions", "tailLines=", "strconv.ParseInt: parsing \"\": invalid syntax"},
      {"PodLogOptions", "tailLines=%2B-1", "strconv.ParseInt: parsing \"+-1\": invalid syntax"},
      {"PodLogOptions", "tailLines=9223372036854775808",
       "strconv.ParseInt: parsing \"9223372036854775808\": value out of range"},
      {"PodLogOptions", "sinceTime=x",
       "parsing time \"x\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"x\" as \"2006\""},
  };
  for (const Case& one : cases) EXPECT_EQ(read(one.kind, one.query), one.want) << one.query;
}

TEST(PodOptions, OfLogsAreChecked) {
  const auto checked = [](const char* query) {
    const auto read = read_options("PodLogOptions", http::Query::parse(query).value());
    const auto fine = check_log_options(read.value().root(), "a");
    return fine ? std::string() : fine.error().message;
  };
  EXPECT_EQ(checked("tailLines=0&limitBytes=1&sinceSeconds=1"), "");
  EXPECT_EQ(checked("tailLines=-1"),
            "PodLogOptions \"a\" is invalid: tailLines: Invalid value: -1: must be greater than or "
            "equal to 0");
  EXPECT_EQ(
      checked("limitBytes=0&sinceSeconds=0"),
      "PodLogOptions \"a\" is invalid: [limitBytes: Invalid value: 0: must be greater than 0, "
      "sinceSeconds: Invalid value: 0: must be greater than 0]");
  EXPECT_TRUE(checked("sinceSeconds=5&sinceTime=2024-01-01T00:00:00Z")
                  .ends_with("Forbidden: at most one of `sinceTime` or `sinceSeconds` may be "
                             "specified"));
  EXPECT_EQ(checked("stream=Stdout"),
            "PodLogOptions \"a\" is invalid: stream: Forbidden: may not be specified");
}

TEST(PodOptions, BecomeTheQueryOfTheKubelet) {
  const auto logs = [](const char* query) {
    return log_query(read_options("PodLogOptions", http::Query::parse(query).value())->root());
  };
  const auto stream = [](const char* kind, const char* query) {
    return stream_query(read_options(kind, http::Query::parse(query).value())->root());
  };
  EXPECT_EQ(logs(""), "");
  EXPECT_EQ(logs("timestamps=1&tailLines=0&previous=1&limitBytes=4&follow=1&container=c&"
                 "insecureSkipTLSVerifyBackend=true&sinceTime=2024-01-01T00:00:00Z"),
            "follow=true&limitBytes=4&previous=true&sinceTime=2024-01-01T00%3A00%3A00Z&tailLines=0&"
            "timestamps=true");
  EXPECT_EQ(logs("sinceSeconds=60"), "sinceSeconds=60");
  EXPECT_EQ(stream("PodExecOptions", "tty=1&stdin=1&stdout=1&stderr=1&command=a%26b&command=-c"),
            "command=a%26b&command=-c&error=1&input=1&output=1&tty=1");
  EXPECT_EQ(stream("PodAttachOptions", "stdout=1"), "output=1");
  EXPECT_EQ(stream("PodPortForwardOptions", "ports=80&ports=443"), "port=80%2C443");
  EXPECT_EQ(stream("PodPortForwardOptions", ""), "");
}

}  // namespace
}  // namespace strake::kubelet
