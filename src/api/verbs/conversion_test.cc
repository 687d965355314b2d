// Conversion that waits, as for a webhook: every verb waits for it, nobody else does, and the wait
// ends with the client, the request's time, or the watch.
#include <gtest/gtest.h>

#include <future>

#include "api/verbs/test_waits.h"

namespace strake::api::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

std::string in(std::string_view version, std::string_view rest = "") {
  return fmt::format("/apis/a.example/{}/namespaces/default/things{}", version, rest);
}

std::string thing(std::string_view version, std::string_view name,
                  std::string_view spec = R"({"a":"1","old":"o"})",
                  std::string_view metadata = "") {
  return fmt::format(
      R"({{"apiVersion":"a.example/{}","kind":"Thing","metadata":{{"name":"{}"{}}},"spec":{}}})",
      version, name, metadata, spec);
}

// Objects are stored in v1, which has a field that v2 lacks; v2 offers one to select by.
class SlowConversion : public ::testing::Test {
 protected:
  SlowConversion() : server(TestServer::Options{.converter = &converter}) {
    std::string text = things({{"v1", R"("a":{"type":"string"},"old":{"type":"string"})"},
                               {"v2", R"("a":{"type":"string"})"}});
    constexpr std::string_view kNone = R"("selectableFields":[])";
    text.replace(text.rfind(kNone), kNone.size(), R"("selectableFields":[{"jsonPath":".spec.a"}])");
    server.create(kCrds, text);
    for (const std::string_view name : {"x", "y", "z"}) server.create(in("v1"), thing("v1", name));
  }
  // The answer to a request that has to wait, while others are answered on every loop.
  Answered held(const std::function<Answered()>& ask) {
    return ask_held(converter.turnstile, ask, [&] {
      for (int i = 0; i < 4; ++i) EXPECT_EQ(server.get(in("v1", "/x")).code, 200);
    });
  }
  SlowConverter converter;
  TestServer server;
};

TEST_F(SlowConversion, IsWaitedForByAGet) {
  const Answered got = held([&] { return server.get(in("v2", "/x")); });
  expect_ok(got);
  EXPECT_EQ(got.at("spec"), R"({"a":"1"})");
  EXPECT_EQ(got.text("apiVersion"), "a.example/v2");
  // What was made is kept for everyone.
  converter.turnstile.hold(true);
  EXPECT_EQ(server.get(in("v2", "/x")).body, got.body);
  EXPECT_EQ(converter.batches().size(), 1u);
}

TEST_F(SlowConversion, IsSharedByThoseWhoWaitForIt) {
  const EndpointPtr things = server.core().registry.find("a.example", "things");
  converter.turnstile.hold(true);
  std::vector<Answered> got(3);
  std::vector<std::thread> clients;
  const auto ask = [&](std::size_t i) {
    clients.emplace_back([&, i] { got[i] = server.get(in("v2", i == 2 ? "" : "/x")); });
  };
  ask(0);
  converter.turnstile.wait_for_somebody();
  ask(1);
  ask(2);  // the list has y and z to convert
  while (things->renderings().waiting() < 2 || converter.turnstile.waiting() < 2)
    std::this_thread::sleep_for(1ms);
  converter.turnstile.hold(false);
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(got[0].at("spec"), R"({"a":"1"})");
  EXPECT_EQ(got[1].body, got[0].body);
  EXPECT_EQ(got[2].names(), "x y z");
  EXPECT_EQ(converter.batches(), (std::vector<std::size_t>{1, 2}));
}

TEST_F(SlowConversion, IsTakenUpByAnotherWhenTheFirstIsGone) {
  const EndpointPtr things = server.core().registry.find("a.example", "things");
  CancelSource client;
  converter.turnstile.hold(true);
  Answered left;
  std::thread first(
      [&] { left = server.ask({.target = in("v2", "/x"), .cancel = client.token()}); });
  converter.turnstile.wait_for_somebody();
  Answered got;
  std::thread second([&] { got = server.get(in("v2", "/x")); });
  while (things->renderings().waiting() < 1) std::this_thread::sleep_for(1ms);
  client.cancel();
  first.join();
  converter.turnstile.hold(false);
  second.join();
  EXPECT_EQ(left.code, 503);
  EXPECT_EQ(got.at("spec"), R"({"a":"1"})");
  EXPECT_EQ(converter.batches(), (std::vector<std::size_t>{1, 1}));
}

TEST_F(SlowConversion, IsAskedOnceForAllObjectsOfAList) {
  const Answered list = held([&] { return server.get(in("v2")); });
  EXPECT_EQ(list.names(), "x y z");
  EXPECT_EQ(list.at("items.2.spec"), R"({"a":"1"})");
  EXPECT_EQ(converter.batches(), std::vector<std::size_t>{3});
}

TEST_F(SlowConversion, IsAskedForThePageThatIsShown) {
  const Answered first = held([&] { return server.get(in("v2", "?limit=2")); });
  EXPECT_EQ(first.names(), "x y");
  const std::string more = first.text("metadata.continue");
  const Answered second = held([&] { return server.get(in("v2", "?limit=2&continue=" + more)); });
  EXPECT_EQ(second.names(), "z");
  EXPECT_EQ(converter.batches(), (std::vector<std::size_t>{2, 1}));
}

TEST_F(SlowConversion, IsAskedForAPageOfAnOlderRevision) {
  const Answered first = held([&] { return server.get(in("v2", "?limit=1")); });
  // From here on the pages come from the store.
  server.create(in("v1"), thing("v1", "w"));
  const Answered second = held([&] {
    return server.get(
        in("v2", "?limit=1&fieldSelector=spec.a%3D1&continue=" + first.text("metadata.continue")));
  });
  EXPECT_EQ(second.names(), "y") << second.body;
}

TEST_F(SlowConversion, DecidesWhatAFieldSelects) {
  server.create(in("v1"), thing("v1", "w", R"({"a":"2"})"));
  const Answered list =
      held([&] { return server.get(in("v2", "?fieldSelector=spec.a%3D1&limit=2")); });
  EXPECT_EQ(list.names(), "x y");
  EXPECT_NE(list.text("metadata.continue"), "");
  server.create(in("v1"), thing("v1", "n"));
  const Answered named =
      held([&] { return server.get(in("v2", "?fieldSelector=spec.a%3D1,metadata.name%3Dn")); });
  EXPECT_EQ(named.names(), "n") << named.body;
}

TEST_F(SlowConversion, IsWaitedForByListsOfManyObjects) {
  for (int i = 0; i < 300; ++i) server.create(in("v1"), thing("v1", fmt::format("m{:03}", i)));
  const Answered selected = held([&] { return server.get(in("v2", "?fieldSelector=spec.a%3D1")); });
  EXPECT_EQ(selected.json().get("items").size(), 303u);
  server.create(in("v1"), thing("v1", "n"));
  const Answered table = held([&] {
    return server.ask("GET", in("v2"), {}, "application/json;as=Table;v=v1;g=meta.k8s.io");
  });
  EXPECT_EQ(table.json().get("rows").size(), 304u);
}

TEST_F(SlowConversion, IsWaitedForByWrites) {
  const Answered made =
      held([&] { return server.post(in("v2"), thing("v2", "n", R"({"a":"1"})")); });
  expect_ok(made, 201);
  EXPECT_EQ(made.text("apiVersion"), "a.example/v2");
  EXPECT_EQ(server.get(in("v1", "/n")).at("spec"), R"({"a":"1"})");

  const Answered put = held([&] {
    return server.put(
        in("v2", "/x"),
        thing("v2", "x", R"({"a":"2"})",
              fmt::format(R"(,"resourceVersion":{})",
                          server.get(in("v1", "/x")).at("metadata.resourceVersion"))));
  });
  expect_ok(put);
  EXPECT_EQ(server.get(in("v1", "/x")).at("spec"), R"({"a":"2"})");

  const Answered patched =
      held([&] { return server.merge(in("v2", "/y"), R"({"spec":{"a":"3"}})"); });
  expect_ok(patched);
  EXPECT_EQ(patched.at("spec"), R"({"a":"3"})");
  EXPECT_EQ(server.get(in("v1", "/y")).at("spec"), R"({"a":"3"})");

  const Answered applied = held([&] {
    return server.ask("PATCH", in("v2", "/p?fieldManager=m"), thing("v2", "p", R"({"a":"4"})"));
  });
  expect_ok(applied, 201);
}

TEST_F(SlowConversion, IsWaitedForByDeletions) {
  server.create(in("v1"), thing("v1", "f", "{}", R"(,"finalizers":["a.example/f"])"));
  const Answered marked = held([&] { return server.remove(in("v2", "/f")); });
  EXPECT_EQ(marked.text("apiVersion"), "a.example/v2") << marked.body;
  EXPECT_NE(marked.at("metadata.deletionTimestamp"), "");
  const Answered gone = held([&] { return server.remove(in("v2")); });
  EXPECT_EQ(gone.names(), "f x y z") << gone.body;
  EXPECT_EQ(server.get(in("v1")).names(), "f");
}

TEST_F(SlowConversion, KeepsTheOrderOfAWatchAndHoldsUpNoOther) {
  TestServer::Watch other(server, in("v1", "?watch=true"));
  EXPECT_EQ(other.take(3), "ADDED x, ADDED y, ADDED z");
  converter.turnstile.hold(true);
  std::promise<void> begun;
  std::string seen;
  std::thread client([&] {
    // Its initial events wait, and so does its answer.
    TestServer::Watch watch(server, in("v2", "?watch=true"));
    seen = watch.take(3);
    begun.set_value();
    seen += "; " + watch.take(5);
  });
  converter.turnstile.wait_for_somebody();
  EXPECT_EQ(server.get(in("v1", "/x")).code, 200);
  converter.turnstile.hold(false);
  begun.get_future().wait();
  converter.turnstile.hold(true);
  server.create(in("v1"), thing("v1", "n"));
  converter.turnstile.wait_for_somebody();
  server.merge(in("v1", "/n"), R"({"spec":{"a":"2"}})");
  server.create(in("v1"), thing("v1", "o"));
  server.remove(in("v1", "/n"));
  server.remove(in("v1", "/z"));
  EXPECT_EQ(other.take(5), "ADDED n, MODIFIED n, ADDED o, DELETED n, DELETED z");
  converter.turnstile.hold(false);
  client.join();
  EXPECT_EQ(seen, "ADDED x, ADDED y, ADDED z; ADDED n, MODIFIED n, ADDED o, DELETED n, DELETED z");
}

TEST_F(SlowConversion, ShowsEventsOfAWatchInItsVersion) {
  TestServer::Watch watch(server, in("v2", "?watch=true&fieldSelector=spec.a%3D1"));
  EXPECT_EQ(watch.take(3), "ADDED x, ADDED y, ADDED z");
  server.merge(in("v1", "/x"), R"({"spec":{"a":"2"}})");
  const Event left = watch.next();
  EXPECT_EQ(left.summary(), "DELETED x");
  EXPECT_EQ(left.object.at("spec"), R"({"a":"1"})");
  EXPECT_EQ(left.object.version(), server.get(in("v1", "/x")).version());
}

TEST_F(SlowConversion, EndsWithTheClient) {
  CancelSource client;
  converter.turnstile.hold(true);
  Answered left;
  std::thread asking([&] { left = server.ask({.target = in("v2"), .cancel = client.token()}); });
  converter.turnstile.wait_for_somebody();
  client.cancel();
  // While nothing else ends the wait.
  asking.join();
  EXPECT_EQ(left.code, 503) << left.body;
}

TEST_F(SlowConversion, EndsWithTheTimeOfTheRequest) {
  for (const std::string_view target : {"/x", ""}) {
    converter.turnstile.hold(true);
    Answered late;
    std::thread client([&] { late = server.get(in("v2", std::string(target) + "?timeout=3s")); });
    converter.turnstile.wait_for_somebody();
    server.clock().advance(3s);
    server.expire_requests();
    client.join();
    converter.turnstile.hold(false);
    EXPECT_EQ(late.code, 504) << late.body;
    EXPECT_EQ(late.text("message"),
              "Timeout: request did not complete within the allotted timeout");
  }
}

TEST_F(SlowConversion, EndsWithTheServer) {
  const Answered late = ask_held(
      converter.turnstile, [&] { return server.get(in("v2", "/x")); }, [&] { server.cancel(); });
  EXPECT_EQ(late.code, 503) << late.body;
}

TEST_F(SlowConversion, EndsWithTheWatch) {
  TestServer::Watch watch(server, in("v2", "?watch=true&timeoutSeconds=1&resourceVersion=" +
                                               server.get(in("v1")).version()));
  converter.turnstile.hold(true);
  server.create(in("v1"), thing("v1", "n"));
  EXPECT_EQ(watch.next().type, "") << "it ends, and says nothing";
  converter.turnstile.hold(false);
}

}  // namespace
}  // namespace strake::api::testing
