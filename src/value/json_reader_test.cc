#include "value/json_reader.h"

#include <gtest/gtest.h>

#include "value/json_writer.h"

namespace strake::value {
namespace {

std::string read(std::string_view text, const ReadOptions& options = {}) {
  const Result<Document> document = read_json(text, options);
  return document ? to_json(document->root()) : document.error().to_string();
}

TEST(JsonReader, ReadsEveryKindOfValue) {
  EXPECT_EQ(read(R"( {"b":[1,-2,3.5,1e3],"a":{"x":null,"t":true,"f":false},"s":"\u00e9\n"} )"),
            R"({"a":{"f":false,"t":true,"x":null},"b":[1,-2,3.5,1000],"s":"é\n"})");
}

}  // namespace
}  // namespace strake::value
