#include "etcd/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/run.h"
#include "base/base64.h"
#include "etcd/handler.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::etcd {
namespace {

using ::testing::HasSubstr;

// As the gateway has them, without the header.
class Etcd : public ::testing::Test {
 protected:
  std::string call(std::string_view path, std::string_view json) {
    const Service::Method* method = Service::find_method(path);
    if (method == nullptr) return "no such method";
    const value::Document request = value::read_json(json).value();
    Answer<value::Document> answer = service_.call(*method, request.root());
    if (!answer)
      return fmt::format("{} {}", static_cast<int>(answer.error().code), answer.error().message);
    revision_ = value::to_json(answer->root().get("header").get("revision"));
    answer->root().remove("header");
    return value::to_json(answer->root());
  }
  static std::string b(std::string_view text) { return base64_encode(text); }
  std::string put(std::string_view key, std::string_view value, std::string_view more = "") {
    return call("/v3/kv/put",
                fmt::format(R"({{"key":"{}","value":"{}"{}}})", b(key), b(value), more));
  }
  // "key=value" of each, and the count.
  std::string list(std::string_view more) {
    const value::Document out =
        value::read_json(call("/v3/kv/range", fmt::format("{{{}}}", more))).value();
    std::string text;
    for (const value::Value& one : out.root().get("kvs").items())
      text += fmt::format("{}={} ", base64_decode(one.get("key").as_string()).value(),
                          base64_decode(one.get("value").as_string()).value());
    return text + fmt::format("({})", out.root().get("count").as_string());
  }
  std::string all() {
    return fmt::format(R"("key":"{}","range_end":"{}")", b(std::string_view("\0", 1)),
                       b(std::string_view("\0", 1)));
  }

  Service service_{"default", "http://127.0.0.1:2379"};
  std::string revision_;
};

TEST_F(Etcd, KeepsKeysWithTheirRevisions) {
  EXPECT_EQ(put("a", "1"), "{}");
  EXPECT_EQ(revision_, "\"2\"");
  put("a", "2");
  EXPECT_EQ(
      call("/v3/kv/range", R"({"key":"YQ=="})"),
      R"({"count":"1","kvs":[{"create_revision":"2","key":"YQ==","mod_revision":"3","value":"Mg==","version":"2"}]})");
  EXPECT_EQ(
      put("a", "3", R"(,"prev_kv":true)"),
      R"({"prev_kv":{"create_revision":"2","key":"YQ==","mod_revision":"3","value":"Mg==","version":"2"}})");
  EXPECT_EQ(list(R"("key":"YQ==","revision":"2")"), "a=1 (1)");
  EXPECT_EQ(list(R"("key":"YQ==","revision":1)"), "()");
  EXPECT_EQ(call("/v3/kv/deleterange", R"({"key":"YQ==","prev_kv":true})").substr(0, 40),
            R"({"deleted":"1","prev_kvs":[{"create_revi)");
  EXPECT_EQ(revision_, "\"5\"");
  EXPECT_EQ(call("/v3/kv/deleterange", R"({"key":"YQ=="})"), "{}");
  EXPECT_EQ(revision_, "\"5\"");  // nothing was written
  put("a", "4");
  EXPECT_THAT(call("/v3/kv/range", R"({"key":"YQ=="})"), HasSubstr(R"("version":"1")"));
}

TEST_F(Etcd, ListsRangesInTheOrderThatIsAsked) {
  put("a/1", "z");
  put("a/2", "y");
  put("b", "x");
  EXPECT_EQ(list(fmt::format(R"("key":"{}","range_end":"{}")", b("a/"), b("a0"))),
            "a/1=z a/2=y (2)");
  EXPECT_EQ(list(all()), "a/1=z a/2=y b=x (3)");
  EXPECT_EQ(list(all() + R"(,"sort_order":"DESCEND","limit":"2")"), "b=x a/2=y (3)");
  EXPECT_EQ(list(all() + R"(,"sort_target":"VALUE")"), "b=x a/2=y a/1=z (3)");
  EXPECT_EQ(list(all() + R"(,"sort_order":1,"sort_target":"MOD","keys_only":true)"),
            "a/1= a/2= b= (3)");
  EXPECT_EQ(list(all() + R"(,"count_only":true)"), "(3)");
  EXPECT_EQ(list(all() + R"(,"min_mod_revision":"3","max_create_revision":"3")"), "a/2=y (3)");
}

TEST_F(Etcd, DoesTransactionsWholeOrNotAtAll) {
  const auto txn = [&](std::string_view compare, std::string_view success,
                       std::string_view failure) {
    return call("/v3/kv/txn", fmt::format(R"({{"compare":[{}],"success":[{}],"failure":[{}]}})",
                                          compare, success, failure));
  };
  const std::string is_new =
      R"({"key":"YQ==","target":"CREATE","result":"EQUAL","create_revision":"0"})";
  const std::string write =
      R"({"request_put":{"key":"YQ==","value":"MQ=="}},{"request_put":{"key":"Yg==","value":"Mg=="}})";
  const std::string read = R"({"request_range":{"key":"YQ=="}})";
  EXPECT_EQ(txn(is_new, write, read),
            R"({"responses":[{"response_put":{}},{"response_put":{}}],"succeeded":true})");
  EXPECT_EQ(revision_, "\"2\"");  // one for both
  EXPECT_EQ(
      txn(is_new, write, read),
      R"({"responses":[{"response_range":{"count":"1","kvs":[{"create_revision":"2","key":"YQ==","mod_revision":"2","value":"MQ==","version":"1"}]}}]})");
  // What it wrote is seen within, and a nested one is a part of it.
  EXPECT_THAT(
      txn("", R"({"request_txn":{"success":[{"request_delete_range":{"key":"YQ=="}}]}},)" + read,
          ""),
      HasSubstr(R"({"response_range":{}})"));
  EXPECT_EQ(
      txn("", R"({"request_put":{"key":"Yw==","value":"MQ=="}},{"request_put":{"key":""}})", ""),
      "3 etcdserver: key is not provided");
  EXPECT_EQ(list(R"("key":"Yw==")"), "()");
  EXPECT_EQ(txn("", R"({"request_put":{"key":"Yw=="}},{"request_put":{"key":"Yw=="}})", ""),
            "3 etcdserver: duplicate key given in txn request");
}

TEST_F(Etcd, ComparesWhatIsThere) {
  put("a", "m");
  const auto holds = [&](std::string_view compare) {
    return call("/v3/kv/txn", fmt::format(R"({{"compare":[{{"key":"YQ==",{}}}]}})", compare)) ==
           R"({"succeeded":true})";
  };
  EXPECT_TRUE(holds(R"("target":"VALUE","value":"bQ==")"));
  EXPECT_TRUE(holds(R"("target":"VALUE","result":"GREATER","value":"YQ==")"));
  EXPECT_FALSE(holds(R"("target":"VALUE","result":"LESS","value":"YQ==")"));
  EXPECT_TRUE(holds(R"("target":"MOD","result":"NOT_EQUAL","mod_revision":"3")"));
  EXPECT_TRUE(holds(R"("target":"VERSION","version":"1")"));
  EXPECT_TRUE(holds(R"("target":"LEASE","lease":"0")"));
  call("/v3/kv/deleterange", R"({"key":"YQ=="})");
  EXPECT_TRUE(holds(R"("target":"VERSION","version":"0")"));
  EXPECT_FALSE(holds(R"("target":"VALUE","result":"NOT_EQUAL","value":"bQ==")"));
}

TEST_F(Etcd, ForgetsWhatIsCompacted) {
  put("a", "1");
  put("a", "2");
  put("b", "1");
  call("/v3/kv/deleterange", R"({"key":"Yg=="})");
  EXPECT_EQ(call("/v3/kv/compaction", R"({"revision":"5"})"), "{}");
  EXPECT_EQ(list(all()), "a=2 (1)");
  EXPECT_EQ(call("/v3/kv/range", R"({"key":"YQ==","revision":"4"})"),
            "11 etcdserver: mvcc: required revision has been compacted");
  EXPECT_EQ(call("/v3/kv/range", R"({"key":"YQ==","revision":"9"})"),
            "11 etcdserver: mvcc: required revision is a future revision");
  EXPECT_EQ(call("/v3/kv/compaction", R"({"revision":"5"})"),
            "11 etcdserver: mvcc: required revision has been compacted");
}

TEST_F(Etcd, RefusesWhatItCannotDo) {
  EXPECT_EQ(put("", "x"), "3 etcdserver: key is not provided");
  EXPECT_EQ(put("a", "x", R"(,"lease":"7")"), "5 etcdserver: requested lease not found");
  EXPECT_EQ(put("a", "", R"(,"ignore_value":true)"), "3 etcdserver: key not found");
  EXPECT_EQ(call("/v3/kv/range", R"({"key":"%"})"), "3 etcdserver: key is not in base64");
  EXPECT_EQ(call("/v3/kv/range", R"({"key":"YQ==","limit":"x"})"),
            "3 etcdserver: limit is not a number");
  EXPECT_EQ(call("/v3/kv/range", R"({"key":"YQ==","sort_order":"UP"})"),
            "3 etcdserver: sort_order is none of the choices");
  EXPECT_EQ(Service::find_method("/etcdserverpb.Lease/LeaseGrant"), nullptr);
}

TEST_F(Etcd, IsAClusterOfOne) {
  EXPECT_THAT(call("/v3/maintenance/status", "{}"), HasSubstr(R"("version":"3.6.0")"));
  EXPECT_THAT(call("/v3/cluster/member/list", "{}"),
              HasSubstr(R"("clientURLs":["http://127.0.0.1:2379"],"name":"default")"));
}

TEST(EtcdMessages, AreThoseOfTheProtocol) {
  const std::string bytes(
      "\x0a\x01"
      "a\x12\x01"
      "b\x18\x05\x28\x02",
      10);
  const value::Document read = decode(bytes, kRangeRequest).value();
  EXPECT_EQ(value::to_json(read.root()),
            R"({"key":"YQ==","limit":"5","range_end":"Yg==","sort_order":"DESCEND"})");
  EXPECT_EQ(encode(read.root(), kRangeRequest), bytes);
  EXPECT_FALSE(
      decode("\x0a\x05"
             "a",
             kRangeRequest));
  EXPECT_FALSE(decode(std::string_view("\x08\x01", 2), kRangeRequest));
  std::string nested;
  for (int i = 0; i < 30; ++i) {
    std::string op = "\x22" + std::string(1, static_cast<char>(nested.size())) + nested;
    nested = "\x12" + std::string(1, static_cast<char>(op.size())) + op;
  }
  const auto deep = decode(nested, kTxnRequest);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message(), "messages are nested deeper than 16");
}

class EtcdOverHttp : public ::testing::Test {
 protected:
  http::Response ask(std::string path, std::string type, std::string body) {
    http::Request request{.method = "POST",
                          .path = std::move(path),
                          .query = {},
                          .headers = {},
                          .body = std::move(body)};
    request.headers.add("Content-Type", type);
    async::Loops loops(1);
    return async::run_blocking(
               loops.at(0),
               [](Handler& handler, http::Request asked) -> async::Task<http::Response> {
                 co_return co_await handler.handle(std::move(asked));
               }(handler_, std::move(request)))
        .value();
  }
  static std::string text(const http::Response& response) {
    std::string out;
    for (const http::Piece& piece : response.body) out += piece.view();
    return out;
  }
  Handler handler_{Service("default", "http://127.0.0.1:2379")};
};

TEST_F(EtcdOverHttp, SpeaksGrpc) {
  const std::string range(
      "\0\0\0\0\x03\x0a\x01"
      "a",
      8);
  const http::Response good = ask("/etcdserverpb.KV/Range", "application/grpc", range);
  EXPECT_EQ(good.status, 200);
  ASSERT_TRUE(good.stream);
  EXPECT_EQ(good.stream->trailers().get("grpc-status"), "0");
  const auto refused = [&](std::string path, std::string body) {
    const http::Response response = ask(std::move(path), "application/grpc+proto", std::move(body));
    return fmt::format("{} {}", response.headers.get("grpc-status"),
                       response.headers.get("grpc-message"));
  };
  EXPECT_EQ(refused("/etcdserverpb.KV/Range", std::string(5, '\0')),
            "3 etcdserver: key is not provided");
  EXPECT_EQ(refused("/etcdserverpb.KV/Range", "\1" + range.substr(1)),
            "12 compressed messages are not supported");
  EXPECT_EQ(refused("/etcdserverpb.KV/Range", range + "x"),
            "3 must be one message of the size that it says");
  EXPECT_EQ(refused("/etcdserverpb.Lease/LeaseGrant", range),
            "12 strake as etcd has no /etcdserverpb.Lease/LeaseGrant");
}

TEST_F(EtcdOverHttp, HasAGatewayOfJson) {
  EXPECT_EQ(ask("/v3/kv/put", "application/json", R"({"key":"YQ==","value":"Yg=="})").status, 200);
  EXPECT_THAT(text(ask("/v3/kv/range", "application/json", R"({"key":"YQ=="})")),
              HasSubstr(R"("value":"Yg==")"));
  const http::Response refused = ask("/v3/kv/range", "application/json", "{}");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(
      text(refused),
      R"({"error":"etcdserver: key is not provided","code":3,"message":"etcdserver: key is not provided"})");
  EXPECT_EQ(ask("/v3/kv/range", "application/json", "[").status, 400);
  EXPECT_EQ(ask("/etcdserverpb.KV/Range", "application/json", "{}").status, 404);
}

}  // namespace
}  // namespace strake::etcd
