#include "provider/names/hashes.h"

#include <gtest/gtest.h>

#include "provider/names/kube_names.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

TEST(Hashes, AreThoseOfTheRecordedTexts) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "hashes.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("shortHash").items()) {
    const auto length = static_cast<std::size_t>(one.get("n").as_int());
    EXPECT_EQ(short_hash(text_of(one, "input"), length), text_of(one, "hash"))
        << text_of(one, "input");
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 12U, 4U));
}

TEST(Hashes, OfOwnersAreThoseRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "hashes.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("hierarchy").items()) {
    const Hashes got = hashes_of(text_of(one, "workspace"), text_of(one, "provider"),
                                 text_of(one, "cluster"), text_of(one, "app"));
    const Value& want = one.get("expect");
    const std::pair<std::string_view, const std::string&> hashes[] = {
        {"workspace", got.workspace},
        {"provider", got.provider},
        {"cluster", got.cluster},
        {"appID", got.app_id},
        {"appInstance", got.app_instance}};
    for (const auto& [name, hash] : hashes) {
      EXPECT_EQ(hash, text_of(want, name)) << name;
      EXPECT_EQ(short_hash(text_of(one.get("inputs"), name)), hash) << name;
    }
    EXPECT_EQ(app_namespace(got, text_of(one, "app")), text_of(want, "namespace"));
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 8U, 2U));
}

TEST(Hashes, AreTheBeginningOfLongerOnesAndPaddedBeyondTheNumber) {
  const std::string whole = short_hash("a", 50);
  for (std::size_t length = 0; length <= whole.size(); ++length)
    EXPECT_EQ(short_hash("a", length), whole.substr(0, length));
  // 36^50 is more than 2^256, so 60 characters never do without zeros.
  const std::string padded = short_hash("a", 60);
  EXPECT_EQ(padded, std::string(10, '0') + whole);
}

TEST(Hashes, NameAnUndeclaredWorkspace) {
  const OwnerNames owner = {.workspace = std::string(kNoWorkspace),
                            .provider = "aks1",
                            .cluster = "cluster1",
                            .app = "app1"};
  EXPECT_EQ(hashes_of(owner).workspace, "3ny9mc");
  EXPECT_EQ(hashes_of(owner).app_instance, "2031me");
}

TEST(ContentHashes, AreThoseRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "content-hash.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("content").items()) {
    std::map<std::string, std::string> content;
    for (const auto& [key, text] : one.get("data").members()) content.emplace(key, text_of(text));
    EXPECT_EQ(content_hash(content), text_of(one, "hash"));
    ++cases;
  }
  for (const Value& one : data->root().get("pod").items()) {
    std::vector<std::string> segments;
    for (const Value& segment : one.get("segments").items())
      segments.emplace_back(text_of(segment));
    EXPECT_EQ(pod_content_hash(segments), text_of(one, "hash"));
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 10U, 5U));
}

}  // namespace
}  // namespace strake::provider
