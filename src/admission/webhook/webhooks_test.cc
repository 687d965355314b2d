// Webhooks that are really called, over TLS: what they are told, what their answers do, and what
// happens when they fail.
#include "admission/webhook/webhooks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>

#include "admission/webhook/test_hooks.h"
#include "base/base64.h"
#include "support/metrics.h"
#include "value/json_writer.h"

namespace strake::admission::testing {
namespace {

using namespace std::chrono_literals;
using api::testing::Answered;
using api::testing::expect_ok;
using api::testing::expect_status;
using Texts = std::vector<std::string>;

std::string patch_of(std::string_view operations) {
  return fmt::format(R"("allowed":true,"patchType":"JSONPatch","patch":"{}")",
                     base64_encode(operations));
}

std::string why(const Answered& answered) { return answered.text("message"); }

// ---- What they are told

TEST_F(Hooked, TellsWhatIsAskedByWhom) {
  configure(Phase::kValidating, "v", {{.path = "/a/../b//c/"}});
  expect_ok(make("m", R"({"k":"1"})", "", "?fieldManager=me&fieldValidation=Strict"), 201);
  EXPECT_EQ(hooks.take_asked(), Texts{"/b/c"});
  const Asked asked = hooks.last();
  const value::Value& request = asked.review.root().get("request");
  const auto json = [&](std::string_view key) { return value::to_json(request.get(key)); };
  EXPECT_EQ(asked.review.root().get("apiVersion").as_string(), "admission.k8s.io/v1");
  EXPECT_EQ(json("kind"), R"({"group":"","kind":"ConfigMap","version":"v1"})");
  EXPECT_EQ(json("resource"), R"({"group":"","resource":"configmaps","version":"v1"})");
  EXPECT_EQ(json("requestKind"), json("kind"));
  EXPECT_EQ(json("name"), R"("m")");
  EXPECT_EQ(json("namespace"), R"("default")");
  EXPECT_EQ(json("operation"), R"("CREATE")");
  EXPECT_EQ(json("dryRun"), "false");
  EXPECT_EQ(json("oldObject"), "null");
  EXPECT_EQ(json("options"),
            R"({"apiVersion":"meta.k8s.io/v1","fieldManager":"me","fieldValidation":"Strict",)"
            R"("kind":"CreateOptions"})");
  EXPECT_EQ(value::to_json(request.get("userInfo").get("username")), R"("tester")");
  EXPECT_EQ(value::to_json(asked.object().get("data")), R"({"k":"1"})");
  EXPECT_TRUE(asked.object().get("metadata").find("uid") != nullptr);
}

TEST_F(Hooked, TellsOfUpdatesAndDeletions) {
  configure(Phase::kValidating, "v", {{}});
  const std::string one = std::string(kMaps) + "/m";
  expect_ok(make("m", R"({"k":"1"})"), 201);
  expect_ok(server.merge(one, R"({"data":{"k":"2"}})"));
  Asked asked = hooks.last();
  const auto data = [&](std::string_view key) {
    return value::to_json(asked.review.root().get("request").get(key).get("data"));
  };
  EXPECT_EQ(data("object"), R"({"k":"2"})");
  EXPECT_EQ(data("oldObject"), R"({"k":"1"})");
  EXPECT_EQ(asked.review.root().get("request").get("options").get("kind").as_string(),
            "UpdateOptions");
  expect_ok(server.remove(one + "?propagationPolicy=Background&gracePeriodSeconds=3"));
  asked = hooks.last();
  EXPECT_EQ(data("oldObject"), R"({"k":"2"})");
  EXPECT_TRUE(asked.object().is_null());
  EXPECT_EQ(value::to_json(asked.review.root().get("request").get("options")),
            R"({"apiVersion":"meta.k8s.io/v1","gracePeriodSeconds":3,"kind":"DeleteOptions",)"
            R"("propagationPolicy":"Background"})");
  EXPECT_EQ(hooks.take_asked().size(), 3u);
  expect_ok(make("n"), 201);
  expect_ok(server.remove(kMaps));
  asked = hooks.last();
  EXPECT_EQ(asked.review.root().get("request").find("name"), nullptr) << "one of a collection";
  EXPECT_EQ(server.remove(one).code, 404);
  EXPECT_EQ(hooks.take_asked().size(), 2u) << "nobody is asked about what is not there";
}

TEST_F(Hooked, AreNotAskedAboutThemselves) {
  const std::string all =
      R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*/*"]})";
  hooks.say = [](const Asked&) { return R"("allowed":false)"; };
  configure(Phase::kValidating, "v", {{.path = "/", .rules = all}});
  EXPECT_EQ(make("m").code, 400);
  hooks.take_asked();
  unconfigure(Phase::kValidating, "v");
  EXPECT_EQ(hooks.take_asked(), Texts());
  expect_ok(make("m"), 201);
}

TEST_F(Hooked, AreAskedUnderTheirConditions) {
  const auto with = [](std::string_view expression, std::string_view more = "") {
    return HookText{.more =
                        fmt::format(R"(,"matchConditions":[{{"name":"c","expression":"{}"}}]{})",
                                    expression, more)};
  };
  constexpr std::string_view kIgnore = R"(,"failurePolicy":"Ignore")";
  const struct {
    std::string_view expression;
    std::string_view more;
    std::size_t asked;
    int code = 201;
  } cases[] = {
      {"object.metadata.name == 'm'", "", 1},
      {"object.metadata.name == 'z'", "", 0},
      {"oldObject == null && request.operation == 'CREATE'", "", 1},
      {"request.userInfo.username == 'tester' && request.resource.resource == 'configmaps'", "", 1},
      {"authorizer.group('').resource('pods').check('create').allowed()", "", 1},
      {"object.nothing == 'x'", "", 0, 403},
      {"object.nothing == 'x'", kIgnore, 0},
  };
  for (const Phase phase : {Phase::kMutating, Phase::kValidating}) {
    for (const auto& one : cases) {
      configure(phase, "v", {with(one.expression, one.more)});
      const Answered answered = make("m", "{}", "", "?dryRun=All");
      EXPECT_EQ(answered.code, one.code) << one.expression;
      if (one.code == 403) {
        EXPECT_EQ(why(answered),
                  "configmaps \"m\" is forbidden: expression 'object.nothing == 'x'' resulted in "
                  "error: no such key: nothing");
      }
      EXPECT_EQ(hooks.take_asked().size(), one.asked) << one.expression;
    }
    unconfigure(phase, "v");
  }
}

// ---- What their answers do

TEST_F(Hooked, DenyWithTheirOwnWords) {
  const struct {
    std::string_view said;
    int code;
    std::string_view reason;
    std::string_view message;
  } cases[] = {
      {R"("allowed":false)", 400, "", "denied the request without explanation"},
      {R"("allowed":false,"status":{"message":"no"})", 400, "", "denied the request: no"},
      {R"("allowed":false,"status":{"reason":"Conflict"})", 400, "Conflict",
       "denied the request: Conflict"},
      {R"("allowed":false,"status":{"code":404,"reason":"NotFound","message":"x"})", 404,
       "NotFound", "denied the request: x"},
      {R"("allowed":false,"status":{"code":200,"message":"odd"})", 400, "",
       "denied the request: odd"},
  };
  for (const Phase phase : {Phase::kValidating, Phase::kMutating}) {
    configure(phase, "v", {{}});
    for (const auto& one : cases) {
      hooks.say = [&](const Asked&) { return std::string(one.said); };
      expect_status(make("m"), one.code, one.reason,
                    fmt::format("admission webhook \"h0.v.example\" {}", one.message));
    }
    unconfigure(phase, "v");
  }
  EXPECT_EQ(server.get(kMaps).names(), "");
}

TEST_F(Hooked, AreCountedByWhatTheySaid) {
  configure(Phase::kValidating, "counted",
            {{.path = "/says"}, {.path = "/fails", .more = R"(,"failurePolicy":"Ignore")"}});
  hooks.reply = [](const Asked& asked) -> boost::asio::awaitable<http::Response> {
    if (asked.path == "/fails") co_return json_answer("boom", 500);
    const bool good = asked.object().get("metadata").get("name").as_string() == "good";
    co_return json_answer(fmt::format(
        R"({{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{{"uid":"{}",)"
        R"("allowed":{},"status":{{"code":418}}}}}})",
        asked.uid(), good));
  };
  expect_ok(make("good"), 201);
  EXPECT_EQ(make("bad").code, 418);
  const auto counted = [](std::string_view family, std::string_view labels) {
    return strake::testing::metric(
        fmt::format("apiserver_admission_webhook_{}{{{}}}", family, labels));
  };
  constexpr std::string_view kSays = R"(name="h0.counted.example",operation="CREATE")";
  EXPECT_EQ(counted("request_total",
                    fmt::format(R"(code="200",{},rejected="false",type="validating")", kSays)),
            1);
  EXPECT_EQ(counted("request_total",
                    fmt::format(R"(code="418",{},rejected="true",type="validating")", kSays)),
            1);
  EXPECT_EQ(
      counted(
          "rejection_count",
          fmt::format(R"(error_type="no_error",{},rejection_code="418",type="validating")", kSays)),
      1);
  EXPECT_EQ(counted("admission_duration_seconds_count",
                    fmt::format(R"({},rejected="true",type="validating")", kSays)),
            1);
  EXPECT_EQ(counted("fail_open_count", R"(name="h1.counted.example",type="validating")"), 2);
}

TEST_F(Hooked, WarnInTheirOrder) {
  hooks.say = [](const Asked& asked) {
    return asked.path == "/a" ? R"("allowed":true,"warnings":["one","two","one",""])"
                              : R"("allowed":false,"warnings":["two","three"])";
  };
  configure(Phase::kValidating, "v", {{.path = "/a"}, {.path = "/b"}});
  const Answered refused = make("m");
  EXPECT_EQ(refused.code, 400);
  EXPECT_EQ(refused.warnings, (Texts{"299 - \"one\"", "299 - \"two\"", "299 - \"three\""}));
}

TEST_F(Hooked, ChangeTheObjectOneAfterTheOther) {
  hooks.say = [](const Asked& asked) {
    const std::string before(asked.object().get("data").get("trail").as_string());
    return patch_of(fmt::format(R"([{{"op":"add","path":"/data/trail","value":"{}{}"}}])", before,
                                asked.path.substr(1)));
  };
  configure(Phase::kMutating, "z", {{.path = "/1"}, {.path = "/2"}});
  configure(Phase::kMutating, "a", {{.path = "/3"}});
  EXPECT_EQ(make("m", R"({"trail":""})").at("data"), R"({"trail":"312"})");
  unconfigure(Phase::kMutating, "a");
  constexpr std::string_view kAgain = R"(,"reinvocationPolicy":"IfNeeded")";
  configure(Phase::kMutating, "z",
            {{.path = "/a", .more = std::string(kAgain)},
             {.path = "/b"},
             {.path = "/c", .more = std::string(kAgain)}});
  EXPECT_EQ(make("n", R"({"trail":""})").at("data"), R"({"trail":"abcac"})");
  configure(Phase::kMutating, "z", {{.path = "/a", .more = std::string(kAgain)}});
  EXPECT_EQ(make("o", R"({"trail":""})").at("data"), R"({"trail":"a"})");
}

TEST_F(Hooked, SeeWhatThoseBeforeThemMade) {
  hooks.say = [](const Asked& asked) {
    return asked.path == "/label"
               ? patch_of(R"([{"op":"add","path":"/metadata/labels","value":{"x":"y"}}])")
               : R"("allowed":false)";
  };
  configure(Phase::kMutating, "a", {{.path = "/label"}});
  configure(Phase::kMutating, "b",
            {{.path = "/deny", .more = R"(,"objectSelector":{"matchLabels":{"x":"y"}})"}});
  EXPECT_EQ(make("m").code, 400);
  EXPECT_EQ(hooks.take_asked(), (Texts{"/label", "/deny"}));
}

TEST_F(Hooked, MayChangeTheNameAndNotTheNamespace) {
  std::string path = "/metadata/name";
  hooks.say = [&](const Asked&) {
    return patch_of(fmt::format(R"([{{"op":"replace","path":"{}","value":"other"}}])", path));
  };
  configure(Phase::kMutating, "m",
            {{.path = "/",
              .rules = R"({"operations":["CREATE"],"apiGroups":[""],)"
                       R"("apiVersions":["v1"],"resources":["configmaps"]})"}});
  EXPECT_EQ(make("m").text("metadata.name"), "other");
  path = "/metadata/uid";
  EXPECT_NE(make("n").uid(), "other");
  path = "/metadata/namespace";
  expect_status(make("o"), 400, "BadRequest",
                "the namespace of the provided object does not match the namespace sent on the "
                "request");
}

TEST_F(Hooked, CannotBreakWhoOwnsWhat) {
  std::string managed = "[]";
  hooks.say = [&](const Asked&) {
    return patch_of(fmt::format(
        R"([{{"op":"replace","path":"/metadata/managedFields","value":{}}}])", managed));
  };
  configure(Phase::kMutating, "m", {{}});
  const Answered none = make("m", R"({"k":"1"})");
  EXPECT_EQ(none.at("metadata.managedFields"), "");
  EXPECT_EQ(none.warnings, Texts());
  managed = R"([{"manager":"x","operation":"Steal"}])";
  const Answered kept = make("n", R"({"k":"1"})");
  EXPECT_TRUE(kept.at("metadata.managedFields").contains("test")) << kept.body;
  ASSERT_EQ(kept.warnings.size(), 1u);
  EXPECT_TRUE(kept.warnings[0].contains(
      ".metadata.managedFields was in an invalid state after admission; this could be caused by "
      "an outdated mutating admission controller; please fix your requests: "
      "metadata.managedFields[0].operation: Invalid value: \\\"Steal\\\": must be `Apply` or "
      "`Update`"))
      << kept.warnings[0];
}

TEST_F(Hooked, GetPatchesCheckedBeforeTheyCount) {
  const struct {
    std::string said;
    std::string_view message;
    bool is_ignored = true;  // with failurePolicy Ignore
  } cases[] = {
      {R"("allowed":true,"patch":"W10=")",
       "failed calling webhook \"h0.m.example\": received invalid webhook response: webhook "
       "returned response.patch but not response.patchType"},
      {R"("allowed":true,"patchType":"JSONPatch")",
       "failed calling webhook \"h0.m.example\": received invalid webhook response: webhook "
       "returned response.patchType but not response.patch"},
      {fmt::format(R"("allowed":true,"patchType":"MergePatch","patch":"{}")",
                   base64_encode(R"([{"op":"add","path":"/data","value":{}}])")),
       "failed calling webhook \"h0.m.example\": unsupported patch type \"MergePatch\""},
      {patch_of("nope"),
       "failed calling webhook \"h0.m.example\": received undecodable patch in webhook response: "
       "invalid character 'o' in literal null (expecting 'u')"},
      {patch_of(R"({"a":1})"),
       "failed calling webhook \"h0.m.example\": received undecodable patch in webhook response: "
       "json: cannot unmarshal object into Go value of type jsonpatch.Patch"},
      {patch_of(R"([{"op":"remove","path":"/nope"}])"),
       "error in remove for path: '/nope': Unable to remove nonexistent key: nope: missing value",
       false},
      {patch_of(R"([{"op":"test","path":"/data/k","value":"2"}])"),
       "testing value /data/k failed: test failed", false},
      {patch_of(R"([{"op":"add","path":"/data/k","value":5}])"),
       "json: cannot unmarshal number into Go struct field ConfigMap.data of type string", false},
  };
  for (const bool ignore : {false, true}) {
    configure(Phase::kMutating, "m", {{.more = ignore ? R"(,"failurePolicy":"Ignore")" : ""}});
    for (const auto& one : cases) {
      hooks.say = [&](const Asked&) { return one.said; };
      const Answered answered = make("m", R"({"k":"1"})", "", "?dryRun=All");
      if (ignore && one.is_ignored) {
        EXPECT_EQ(answered.code, 201) << one.said;
      } else {
        expect_status(answered, 500, "InternalError",
                      fmt::format("Internal error occurred: {}", one.message));
      }
    }
  }
  for (const std::string_view nothing : {"[]", "null"}) {
    hooks.say = [&](const Asked&) { return patch_of(nothing); };
    expect_ok(make("m", "{}", "", "?dryRun=All"), 201);
  }
}

TEST_F(Hooked, CannotChangeWhatIsDeleted) {
  expect_ok(make("m"), 201);
  hooks.say = [](const Asked&) { return patch_of(R"([{"op":"add","path":"/a","value":1}])"); };
  configure(Phase::kMutating, "m", {{}});
  expect_status(server.remove(std::string(kMaps) + "/m"), 500, "InternalError",
                "Internal error occurred: admission webhook \"h0.m.example\" attempted to modify "
                "the object, which is not supported for this operation");
}

TEST_F(Hooked, MayNotPatchWhenTheyValidate) {
  configure(Phase::kValidating, "v", {{}});
  hooks.say = [](const Asked&) { return patch_of(R"([{"op":"add","path":"/a","value":1}])"); };
  EXPECT_EQ(why(make("m")),
            "Internal error occurred: failed calling webhook \"h0.v.example\": received invalid "
            "webhook response: validating webhook may not return response.patch");
}

// ---- What happens when they fail

TEST_F(Hooked, FailInTheWordsOfGo) {
  boost::asio::awaitable<http::Response> (*answer_with)(std::string, int, std::string_view) =
      [](std::string text, int code,
         std::string_view type) -> boost::asio::awaitable<http::Response> {
    co_return json_answer(std::move(text), code, type);
  };
  const struct {
    std::string_view text;
    int code;
    std::string_view type;
    std::string_view message;
  } cases[] = {
      {"boom", 500, "application/json",
       "failed to call webhook: an error on the server (\"unknown\") has prevented the request "
       "from succeeding"},
      {" boom\n", 500, "text/plain",
       "failed to call webhook: an error on the server (\"boom\") has prevented the request from "
       "succeeding"},
      {"x", 404, "", "failed to call webhook: the server could not find the requested resource"},
      {R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"mine"})", 403,
       "application/json", "failed to call webhook: mine"},
      {"", 200, "application/json",
       "failed to call webhook: 0-length response with status code: 200 and content type: "
       "application/json"},
      {"<html>", 200, "text/html",
       "failed to call webhook: couldn't get version/kind; json parse error: invalid character "
       "'<' looking for beginning of value"},
      {R"({"hello":"world"})", 200, "application/json",
       "received invalid webhook response: webhook response was absent"},
      {R"({"response":{"uid":"x","allowed":true}})", 200, "application/json", ""},
      {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{}})", 200,
       "application/json",
       "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): "
       "unknown conversion"},
  };
  for (const auto& one : cases) {
    std::string uid;
    hooks.reply = [&](const Asked& asked) {
      uid = asked.uid();
      return answer_with(std::string(one.text), one.code, one.type);
    };
    const std::string message(one.message);
    for (const Phase phase : {Phase::kMutating, Phase::kValidating}) {
      configure(phase, "v", {{}});
      const Answered answered = make("m");
      expect_status(answered, 500, "InternalError",
                    fmt::format("Internal error occurred: failed calling webhook \"h0.v.example\": "
                                "{}",
                                !message.empty() ? message
                                                 : fmt::format("received invalid webhook response: "
                                                               "expected response.uid=\"{}\", got "
                                                               "\"x\"",
                                                               uid)));
      EXPECT_EQ(answered.text("details.causes.0.message"), why(answered).substr(25));
      configure(phase, "v", {{.more = R"(,"failurePolicy":"Ignore")"}});
      expect_ok(make("m", "{}", "", "?dryRun=All"), 201);
      unconfigure(phase, "v");
    }
  }
}

TEST_F(Hooked, FailWhereNobodyCanBeReached) {
  const std::string url = hooks.url("/x");
  const std::string other =
      base64_encode(http::make_ca("other", {.from = system_clock().now() - 1h,
                                            .until = system_clock().now() + 1h})
                        .value()
                        .certificate_pem);
  const struct {
    std::string client;
    std::string message;
  } cases[] = {
      {R"("url":"https://127.0.0.1:1/x")",
       "failed to call webhook: Post \"https://127.0.0.1:1/x?timeout=10s\": dial tcp 127.0.0.1:1: "
       "connect: connection refused"},
      {fmt::format(R"("url":"{}","caBundle":"{}")", url, other),
       fmt::format("failed to call webhook: Post \"{}?timeout=10s\": tls: failed to verify "
                   "certificate: x509: certificate signed by unknown authority",
                   url)},
      {fmt::format(R"("url":"{}")", url),
       fmt::format("failed to call webhook: Post \"{}?timeout=10s\": tls: failed to verify "
                   "certificate: x509: certificate signed by unknown authority",
                   url)},
      {fmt::format(R"("url":"{}","caBundle":"{}")", url, base64_encode("garbage")),
       "could not get REST client: unable to load root certificates: unable to parse bytes as PEM "
       "block"},
      {R"("service":{"name":"s","namespace":"n.invalid","path":"/p"})",
       "failed to call webhook: Post \"https://s.n.invalid.svc:443/p?timeout=10s\": service \"s\" "
       "not found"},
      {fmt::format(R"("url":"https://localhost:{}/x","caBundle":"{}")", hooks.port(),
                   hooks.ca_bundle()),
       fmt::format("failed to call webhook: Post \"https://localhost:{}/x?timeout=10s\": tls: "
                   "failed to verify certificate: x509: certificate is valid for hook.example, not "
                   "localhost",
                   hooks.port())},
  };
  for (const auto& one : cases) {
    configure(Phase::kValidating, "v", {{.client = one.client}});
    EXPECT_EQ(why(make("m")),
              "Internal error occurred: failed calling webhook \"h0.v.example\": " + one.message);
  }
}

boost::asio::awaitable<http::Response> late(std::chrono::milliseconds time) {
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, time);
  co_await timer.async_wait(boost::asio::use_awaitable);
  co_return json_answer("{}");
}

TEST_F(Hooked, HaveTheirTimeAndNoMore) {
  hooks.reply = [](const Asked&) { return late(20s); };
  configure(Phase::kValidating, "v", {{.path = "/slow", .more = R"(,"timeoutSeconds":1)"}});
  expect_status(make("m"), 500, "InternalError",
                fmt::format("Internal error occurred: failed calling webhook \"h0.v.example\": "
                            "failed to call webhook: Post \"{}?timeout=1s\": context deadline "
                            "exceeded",
                            hooks.url("/slow")));
  configure(Phase::kValidating, "v",
            {{.path = "/slow", .more = R"(,"timeoutSeconds":1,"failurePolicy":"Ignore")"}});
  expect_ok(make("m"), 201);
}

TEST_F(Hooked, HoldUpOnlyWhoMatchesThem) {
  hooks.reply = [](const Asked&) { return late(20s); };
  configure(Phase::kMutating, "m",
            {{.more = R"(,"objectSelector":{"matchLabels":{"slow":"yes"}},"timeoutSeconds":30)"}});
  CancelSource gone;
  std::vector<std::thread> waiting;
  std::atomic<int> ended = 0;
  for (int i = 0; i < 8; ++i) {
    waiting.emplace_back([&, i] {
      const Answered left =
          server.ask({.method = "POST",
                      .target = kMaps,
                      .body = api::testing::config_map_json(fmt::format("s{}", i), "{}",
                                                            R"("labels":{"slow":"yes"})"),
                      .type = "application/json",
                      .cancel = gone.token()});
      EXPECT_EQ(left.code, 503) << left.body;
      ++ended;
    });
  }
  for (int i = 0; hooks.take_asked().empty() && i < 500; ++i) std::this_thread::sleep_for(10ms);
  for (int i = 0; i < 50; ++i) expect_ok(make(fmt::format("q{}", i)), 201);
  EXPECT_EQ(ended, 0);
  gone.cancel();
  for (std::thread& one : waiting) one.join();
}

TEST_F(Hooked, AreAskedAtTheSameTimeWhenTheyValidate) {
  // Each waits for the other.
  auto both = std::make_shared<std::atomic<int>>(0);
  hooks.reply = [both](const Asked& asked) -> boost::asio::awaitable<http::Response> {
    const std::string text = fmt::format(
        R"({{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{{"uid":"{}","allowed":true}}}})",
        asked.uid());
    ++*both;
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
    for (int i = 0; *both < 2 && i < 500; ++i) {
      timer.expires_after(10ms);
      co_await timer.async_wait(boost::asio::use_awaitable);
    }
    co_return json_answer(*both < 2 ? std::string("alone") : text);
  };
  configure(Phase::kValidating, "v", {{.path = "/a"}, {.path = "/b"}});
  expect_ok(make("m"), 201);
}

TEST_F(Hooked, AreInForceForTheNextRequest) {
  hooks.say = [](const Asked&) { return R"("allowed":false)"; };
  for (int i = 0; i < 20; ++i) {
    configure(Phase::kValidating, "v", {{}});
    EXPECT_EQ(make("m", "{}", "", "?dryRun=All").code, 400);
    unconfigure(Phase::kValidating, "v");
    EXPECT_EQ(make("m", "{}", "", "?dryRun=All").code, 201);
  }
}

// ---- Other versions and other kinds

class HookedThings : public Hooked {
 protected:
  void define(std::string_view conversion = "None") {
    server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                  api::testing::things({{"v1", R"("a":{"type":"string"})"},
                                        {"v2", R"("b":{"type":"string"},)"
                                               R"("c":{"type":"string","default":"d"})"}},
                                       conversion));
    server.wait_for(200, kThings);
  }
  static constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";
  static constexpr std::string_view kThing =
      R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"a":"1"}})";
  static std::string rule(std::string_view version) {
    return fmt::format(
        R"({{"operations":["*"],"apiGroups":["a.example"],"apiVersions":["{}"],"resources":["*"]}})",
        version);
  }
};

TEST_F(HookedThings, AreSeenInTheVersionThatMatches) {
  define();
  hooks.say = [](const Asked&) {
    return patch_of(R"([{"op":"add","path":"/metadata/labels","value":{"x":"y"}}])");
  };
  configure(Phase::kMutating, "m", {{.rules = rule("v2")}});
  const Answered made = server.post(kThings, kThing);
  expect_ok(made, 201);
  EXPECT_EQ(made.at("spec"), R"({"a":"1"})") << "nothing was lost on the way";
  EXPECT_EQ(made.at("metadata.labels"), R"({"x":"y"})");
  const Asked asked = hooks.last();
  const value::Value& request = asked.review.root().get("request");
  EXPECT_EQ(asked.object().get("apiVersion").as_string(), "a.example/v2");
  EXPECT_EQ(value::to_json(request.get("kind")),
            R"({"group":"a.example","kind":"Thing","version":"v2"})");
  EXPECT_EQ(value::to_json(request.get("requestResource")),
            R"({"group":"a.example","resource":"things","version":"v1"})");
  hooks.take_asked();
  configure(Phase::kMutating, "m", {{.rules = rule("v2"), .more = R"(,"matchPolicy":"Exact")"}});
  expect_ok(server.post(std::string(kThings) + "?dryRun=All",
                        R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"u"}})"),
            201);
  EXPECT_EQ(hooks.take_asked(), Texts());
}

TEST_F(HookedThings, AreReadAgainWhenTheyWereChanged) {
  define();
  std::string operations;
  hooks.say = [&](const Asked&) { return patch_of(operations); };
  configure(Phase::kMutating, "m", {{.rules = rule("v1")}});
  operations = R"([{"op":"add","path":"/spec/bogus","value":1}])";
  const std::string dry = std::string(kThings) + "?dryRun=All";
  EXPECT_EQ(server.post(dry, kThing).at("spec"), R"({"a":"1"})");
  operations = R"([{"op":"replace","path":"/spec/a","value":5}])";
  EXPECT_EQ(why(server.post(dry, kThing)),
            "Thing.a.example \"t\" is invalid: spec.a: Invalid value: \"integer\": spec.a in body "
            "must be of type string: \"integer\"");
  operations = R"([{"op":"replace","path":"/kind","value":"Gadget"}])";
  EXPECT_EQ(server.post(dry, kThing).code, 422);
  configure(Phase::kMutating, "m", {{.rules = rule("v2")}});
  operations = R"([{"op":"remove","path":"/spec/c"}])";
  EXPECT_EQ(server
                .post("/apis/a.example/v2/namespaces/default/things?dryRun=All",
                      R"({"apiVersion":"a.example/v2","kind":"Thing","metadata":{"name":"t"},)"
                      R"("spec":{"b":"1"}})")
                .code,
            201)
      << "defaults are filled in again";
}

TEST_F(Hooked, SeeScales) {
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                api::testing::widgets_crd());
  constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
  server.wait_for(200, kWidgets);
  configure(Phase::kMutating, "m",
            {{.rules = R"({"operations":["UPDATE"],"apiGroups":["example.com"],)"
                       R"("apiVersions":["v1"],"resources":["widgets/scale"]})"}});
  configure(Phase::kValidating, "v",
            {{.path = "/v",
              .rules = R"({"operations":["UPDATE"],"apiGroups":["example.com"],)"
                       R"("apiVersions":["v1"],"resources":["widgets/scale"]})"}});
  hooks.say = [](const Asked& asked) {
    return asked.path == "/v" ? R"("allowed":true)"
                              : patch_of(R"([{"op":"replace","path":"/spec/replicas","value":7}])");
  };
  const Answered made =
      server.create(kWidgets, api::testing::widget_json("w", R"({"replicas":1})"));
  EXPECT_EQ(hooks.take_asked(), Texts());
  const std::string one = std::string(kWidgets) + "/w";
  const Answered scaled = server.merge(one + "/scale", R"({"spec":{"replicas":3}})");
  expect_ok(scaled);
  EXPECT_EQ(scaled.at("spec.replicas"), "7");
  EXPECT_EQ(hooks.take_asked(), (Texts{"/", "/v"}));
  const Asked asked = hooks.last();
  const value::Value& request = asked.review.root().get("request");
  EXPECT_EQ(value::to_json(request.get("kind")),
            R"({"group":"autoscaling","kind":"Scale","version":"v1"})");
  EXPECT_EQ(request.get("subResource").as_string(), "scale");
  EXPECT_EQ(value::to_json(asked.object().get("spec")), R"({"replicas":7})");
  EXPECT_EQ(value::to_json(request.get("oldObject").get("spec")), R"({"replicas":1})");
  expect_ok(server.merge(one, R"({"metadata":{"labels":{"a":"b"}}})"));
  EXPECT_EQ(hooks.take_asked(), Texts());
}

}  // namespace
}  // namespace strake::admission::testing
