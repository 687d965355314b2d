#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "schema/loose/import.h"
#include "schema/loose/stream.h"
#include "value/json_reader.h"

namespace strake::schema::loose {
namespace {

// What the process holds now, in bytes; 0 when the system does not tell.
std::size_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::size_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib << 10;
  }
  return 0;
}

TEST(LooseStream, HoldsNothingOfALongArray) {
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
  const auto schema = value::read_json(R"({"type":"array","minItems":9,
    "contains":{"properties":{"n":{"const":7}}},"items":{
      "oneOf":[{"required":["s"],"properties":{"s":{"type":"string"}}},{"required":["n"],"properties":{"n":{"type":"integer"}}}],
      "if":{"properties":{"n":{"minimum":5}}},"then":{"required":["n"]},"not":{"required":["bad"]},
      "unevaluatedProperties":false,"properties":{"l":{"uniqueItems":true}}}})");
  const auto imported = import_schema(schema->root());
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  StreamEvaluator evaluator(*imported->schema, *imported->schema->root(), {});
  value::JsonPushParser parser(evaluator, {});
  std::string chunk;
  for (int i = 0; i < 100; ++i)
    chunk += R"({"n":)" + std::to_string(i % 10) + R"(,"l":[1,2,{"a":[3]}]},)";
  ASSERT_TRUE(parser.feed("[" + chunk).has_value());
  const std::size_t before = resident_bytes();
  std::size_t fed = 0;
  while (fed < (4u << 20)) {
    ASSERT_TRUE(parser.feed(chunk).has_value());
    fed += chunk.size();
  }
  const std::size_t after = resident_bytes();
  ASSERT_TRUE(parser.feed(R"({"n":1}])").has_value());
  ASSERT_TRUE(parser.finish().has_value());
  EXPECT_EQ(evaluator.take().verdict, Verdict::kValid);
  EXPECT_LT(after, before + (1u << 20));
}

}  // namespace
}  // namespace strake::schema::loose
