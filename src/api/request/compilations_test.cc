// Schemas are compiled by workers, once, whoever asks first.
#include "api/request/compilations.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "api/test_server.h"
#include "async/loops.h"
#include "async/run.h"
#include "value/json_reader.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

std::shared_ptr<const crd::Crd> two_versions(std::string text) {
  return std::make_shared<const crd::Crd>(
      crd::Crd::read(value::read_json(std::move(text)).value()).value());
}

TEST(Compilations, LetEveryoneWaitForOne) {
  async::Loops loops(1);
  async::Workers workers(2);
  const Compilations compilations;
  const auto crd = two_versions(things({{"v1", ""}}));
  std::atomic<int> loads = 0;
  std::atomic<bool> on_loop = false;
  std::promise<void> begun;
  std::promise<void> go_on;
  const kinds::ResourcePtr resource = kinds::resource_of(*crd, [&] {
    ++loads;
    on_loop = loops.current() < loops.size();
    begun.set_value();
    go_on.get_future().wait();
    return crd;
  });
  const kinds::ServedVersion& version = resource->versions.front();
  const auto ask = [&](CancelToken cancel) {
    return async::run_blocking(loops.at(0),
                               compilations.compile(workers, resource, version, cancel));
  };
  std::vector<std::future<Result<>>> asked;
  for (int i = 0; i < 4; ++i) asked.push_back(std::async(std::launch::async, ask, CancelToken()));
  begun.get_future().wait();
  // Who gives up does not wait for the worker, and the other worker is free.
  CancelSource client;
  auto left = std::async(std::launch::async, ask, client.token());
  client.cancel();
  EXPECT_EQ(left.get().error().code(), Code::kCancelled);
  std::promise<void> other;
  workers.post([&] { other.set_value(); });
  other.get_future().wait();
  EXPECT_FALSE(version.is_compiled());
  go_on.set_value();
  for (auto& one : asked) EXPECT_TRUE(one.get());
  EXPECT_TRUE(version.is_compiled());
  EXPECT_EQ(loads, 1);
  EXPECT_FALSE(on_loop);
  EXPECT_TRUE(ask({})) << "who comes later does not wait";
}

// A read in a version that nobody has used is what compiles its schema.
TEST(Compilations, AreNotTheBusinessOfALoopThatReads) {
  TestServer server;
  const std::string text = things({{"v1", R"("a":{"type":"string"},"b":{"type":"string"})"},
                                   {"v2", R"("a":{"type":"string"})"}});
  server.create(kCrds, text);
  const std::string v1 = "/apis/a.example/v1/namespaces/default/things";
  const std::string v2 = "/apis/a.example/v2/namespaces/default/things";
  server.create(
      v1,
      R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"a":"1","b":"2"}})");
  Core& core = server.core();
  const EndpointPtr found = core.registry.find("a.example", "things");
  const auto crd = two_versions(server.get(std::string(kCrds) + "/things.a.example").body);
  for (const std::string& target : {v2 + "/t", v2, v2 + "?watch=true&timeoutSeconds=1",
                                    v2 + "?fieldSelector=metadata.name%3Dt"}) {
    std::atomic<int> loads = 0;
    std::atomic<int> on_loops = 0;
    const auto load = [&] {
      ++loads;
      if (core.hub.loops().current() < core.hub.loops().size()) ++on_loops;
      return crd;
    };
    // A new one, of which nothing is compiled yet.
    core.registry.put(std::make_shared<const Endpoint>(kinds::resource_of(*crd, load),
                                                       found->strategy(), found->converter(),
                                                       found->cache(), 0, 0));
    const Answered got = server.get(target);
    EXPECT_EQ(got.code, 200) << got.body;
    EXPECT_TRUE(got.body.contains(R"("spec":{"a":"1"})")) << got.body;
    EXPECT_GT(loads, 0) << target;
    EXPECT_EQ(on_loops, 0) << target;
  }
  core.registry.put(found);
}

}  // namespace
}  // namespace strake::api::testing
