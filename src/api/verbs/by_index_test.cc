// Lists by the value of a field: an index finds what a look at every object would, and a list costs
// what it finds.
#include "api/verbs/by_index.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "api/test_server.h"
#include "async/run.h"
#include "value/json_reader.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kThings = "/registry/things/";

// A cache that is written as the hub writes it, and what it must hold.
class IndexedCache {
 public:
  void write(const std::string& name, const std::string& color, bool remove = false) {
    const std::string key = fmt::format("{}{}", kThings, name);
    const auto before = model_.find(key);
    if (remove && before == model_.end()) return;
    ++revision_;
    store::Bytes text;
    if (!remove) {
      text = std::make_shared<const std::string>(fmt::format(
          R"({{"apiVersion":"v1","metadata":{{"name":"n"}},"spec":{{"color":"{}"}}}})", color));
    }
    cache.apply({.key = key,
                 .value = text,
                 .previous = nullptr,
                 .revision = revision_,
                 .create_revision = revision_,
                 .previous_revision = 0},
                std::chrono::steady_clock::now());
    if (remove) {
      model_.erase(before);
    } else {
      model_[key] = color;
    }
  }

  // Objects whose color is "?" cannot be told.
  static std::shared_ptr<FieldIndex> index() {
    return std::make_shared<FieldIndex>(
        [](const Object& object) -> std::optional<std::string> {
          const auto content = parse_stored(*object.bytes()).value();
          std::string color(content.root().get("spec").get("color").as_string());
          return color == "?" ? std::nullopt : std::optional(std::move(color));
        },
        kThings.size());
  }

  // By the index; nothing when it cannot tell.
  std::optional<std::vector<std::string>> found(const std::shared_ptr<FieldIndex>& index,
                                                std::string_view color,
                                                std::string_view start = "") const {
    const ResourceCache::Sought sought[] = {{.index = index, .text = color}};
    const auto taken = cache.take_by(sought, kThings, start);
    if (!taken) return std::nullopt;
    std::vector<std::string> out;
    for (const ObjectPtr& one : taken->objects.slice(0, taken->objects.size()))
      out.push_back(one->key());
    return out;
  }
  std::vector<std::string> all_of(std::string_view color, std::string_view start = "") const {
    std::vector<std::string> out;
    for (const auto& [key, its] : model_)
      if (its == color && key >= start) out.push_back(key);
    return out;
  }

  ResourceCache cache{std::string(kThings), 1};

 private:
  std::map<std::string, std::string> model_;
  Revision revision_ = 0;
};

bool always() { return true; }

TEST(FieldIndex, FindsWhatALookAtAllFindsWhateverIsDone) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  IndexedCache things;
  const auto disturb = [&] {
    things.write(fmt::format("t{}", random() % 500), fmt::format("c{}", random() % 6),
                 random() % 4 == 0);
  };
  for (int i = 0; i < 1'000; ++i) disturb();
  const auto index = IndexedCache::index();
  ASSERT_TRUE(things.cache.add_index(index, always));
  for (int i = 0; i < 3'000; ++i) {
    disturb();
    const std::string color = fmt::format("c{}", random() % 7);
    const std::string start = random() % 2 ? "" : fmt::format("{}t{}", kThings, random() % 500);
    ASSERT_EQ(things.found(index, color, start), things.all_of(color, start));
  }
}

TEST(FieldIndex, MissesNothingThatChangesWhileItIsMade) {
  for (int round = 0; round < 20; ++round) {
    IndexedCache things;
    for (int i = 0; i < 2'000; ++i) things.write(fmt::format("t{}", i), "red");
    std::atomic<int> writes{0};
    std::thread writer([&] {
      std::mt19937 random(static_cast<unsigned>(round));
      for (; writes < 3'000; ++writes) {
        things.write(fmt::format("t{}", random() % 2'500), random() % 2 ? "red" : "blue",
                     random() % 5 == 0);
      }
    });
    while (writes < 50 * round) std::this_thread::yield();
    const auto index = IndexedCache::index();
    EXPECT_TRUE(things.cache.add_index(index, always));
    writer.join();
    for (const std::string_view color : {"red", "blue"})
      ASSERT_EQ(things.found(index, color), things.all_of(color)) << color << round;
  }
}

TEST(FieldIndex, TellsNothingWhileATextIsUnknown) {
  IndexedCache things;
  things.write("a", "red");
  const auto index = IndexedCache::index();
  ASSERT_TRUE(things.cache.add_index(index, always));
  things.write("b", "?");
  EXPECT_EQ(things.found(index, "red"), std::nullopt);
  things.write("b", "red");
  EXPECT_EQ(things.found(index, "red"), things.all_of("red"));
  things.write("b", "?");
  things.write("b", "", true);
  EXPECT_EQ(things.found(index, "red"), things.all_of("red"));
}

TEST(FieldIndex, IsGivenUpWhenNobodyAsks) {
  IndexedCache things;
  const auto index = IndexedCache::index();
  ASSERT_TRUE(things.cache.add_index(index, always));
  for (std::uint32_t i = 0; i < ResourceCache::kUnusedChanges; ++i) things.write("a", "red");
  ASSERT_TRUE(things.found(index, "red")) << "and is asked now";
  for (std::uint32_t i = 0; i < ResourceCache::kUnusedChanges; ++i) things.write("a", "red");
  EXPECT_TRUE(index->is_kept());
  things.write("a", "red");
  EXPECT_FALSE(index->is_kept());
  EXPECT_EQ(things.found(index, "red"), std::nullopt);
}

TEST(FieldIndex, IsNotMadeForWhoHasGone) {
  IndexedCache things;
  for (int i = 0; i < 1'000; ++i) things.write(fmt::format("t{}", i), "red");
  const auto index = IndexedCache::index();
  int asked = 0;
  EXPECT_FALSE(things.cache.add_index(index, [&] { return ++asked < 3; }));
  EXPECT_FALSE(index->is_kept());
}

// ---- Lists

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kWidgets = "/registry/example.com/widgets/";

class ListByField : public ::testing::Test {
 protected:
  ListByField() {
    server.create(kCrds, widgets_crd());
    server.wait_for(200, "/apis/example.com/v1/widgets");
    for (int i = 0; i < 3'000; ++i) write(i, fmt::format("c{}", i % 300));
  }
  static std::string key_of(int number) {
    return fmt::format("{}ns{}/w{:05}", kWidgets, number % 2, number / 2);
  }
  // Straight into the store: this is about reading.
  void write(int number, const std::string& color, bool remove = false,
             std::string_view version = "v1") {
    const std::string key = key_of(number);
    const ObjectPtr present = cache().get(key);
    if (remove && !present) return;
    auto text = std::make_shared<const std::string>(fmt::format(
        R"({{"apiVersion":"example.com/{}","kind":"Widget","metadata":{{"name":"w{:05}","namespace":"ns{}","uid":"u"}},"spec":{{"color":"{}","size":{}}}}})",
        version, number / 2, number % 2, color, number));
    const auto written = async::run_blocking(
        server.core().hub.loops().next(),
        server.core().hub.store().write({.key = key,
                                         .value = remove ? nullptr : text,
                                         .expected = present ? present->revision() : 0}));
    ASSERT_TRUE(written && written->applied);
  }
  ResourceCache& cache() { return server.core().hub.cache(kWidgets); }

  // Their sizes, which tell them apart, and how many objects were looked at for it.
  struct Shown {
    std::vector<std::int64_t> sizes;
    std::uint64_t cost = 0;
  };
  Shown shown(const std::string& target) {
    const std::uint64_t before = cache().objects_read();
    Shown out;
    std::string token;
    do {
      const Answered page = server.get(target + (token.empty() ? "" : "&continue=" + token));
      EXPECT_EQ(page.code, 200) << page.body;
      if (page.code != 200) return out;
      for (const value::Value& item : page.json().find("items")->items())
        out.sizes.push_back(item.get("spec").get("size").as_int());
      token = page.text("metadata.continue");
    } while (!token.empty());
    out.cost = cache().objects_read() - before;
    return out;
  }

  TestServer server;
};

constexpr std::string_view kAll = "/apis/example.com/v1/widgets?fieldSelector=";

TEST_F(ListByField, CostsWhatIsFound) {
  const std::string target = fmt::format("{}spec.color%3Dc7", kAll);
  const Shown first = shown(target);
  EXPECT_EQ(first.sizes.size(), 10u);
  const Shown second = shown(target);
  EXPECT_EQ(second.sizes, first.sizes);
  EXPECT_EQ(second.cost, 10u);
  EXPECT_EQ(shown(fmt::format("{}spec.color%3Dnone", kAll)).cost, 0u);
  EXPECT_EQ(shown(fmt::format("{}spec.color%3Dc7,metadata.namespace%3Dns1", kAll)).cost, 10u);
  EXPECT_EQ(shown(fmt::format("{}spec.color%3Dc8,metadata.namespace%3Dns1", kAll)).cost, 0u);
  EXPECT_EQ(shown(fmt::format("{}spec.color!%3Dc7", kAll)).cost, 3'000u)
      << "that needs a look at all";
}

TEST_F(ListByField, IsWhatALookAtAllFindsWhileObjectsChange) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 20; ++i) {
      write(static_cast<int>(random() % 3'200), fmt::format("c{}", random() % 20),
            random() % 5 == 0);
    }
    const std::string color = fmt::format("c{}", random() % 25);
    const std::string base =
        random() % 2 ? std::string("/apis/example.com/v1/widgets")
                     : fmt::format("/apis/example.com/v1/namespaces/ns{}/widgets", random() % 2);
    std::vector<std::int64_t> wanted;
    const Answered all = server.get(base);
    for (const value::Value& item : all.json().find("items")->items())
      if (item.get("spec").get("color").as_string() == color)
        wanted.push_back(item.get("spec").get("size").as_int());
    const std::string limit = random() % 2 ? "" : fmt::format("&limit={}", 1 + random() % 9);
    EXPECT_EQ(shown(fmt::format("{}?fieldSelector=spec.color%3D{}{}", base, color, limit)).sizes,
              wanted)
        << base << color << limit;
  }
}

TEST_F(ListByField, LooksAtAllWhereObjectsWereStoredInAnotherVersion) {
  const std::string target = fmt::format("{}spec.color%3Dc7", kAll);
  EXPECT_EQ(shown(target).sizes.size(), 10u);
  // Another schema: what was written before is read through it.
  expect_ok(server.patch(
      fmt::format("{}/widgets.example.com", kCrds), "application/json-patch+json",
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas/default","value":3}])"));
  while (server.get("/apis/example.com/v1/namespaces/ns0/widgets/w00000").at("spec.replicas") !=
         "3")
    std::this_thread::yield();
  EXPECT_EQ(shown(target).sizes.size(), 10u);
  EXPECT_GE(shown(target).cost, 3'000u);
}

}  // namespace
}  // namespace strake::api::testing
