// Any bytes as a JSONPath: compiled, evaluated over a document, and the match printed.
#include <cstdint>
#include <string>
#include <string_view>

#include "publish/json_path.h"
#include "value/json_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strake;
  static const value::Document document =
      value::read_json(
          R"({"metadata":{"name":"a","labels":{"a.b":"c","d":"e"}},"spec":{"n":3,"f":1.5,"t":true,"z":null,
              "l":["x","y","z"],"e":[],"o":[{"type":"Ready","status":"True","n":1},{"type":"Other","n":2.5},
              {"deep":[[1,[2,[3]]]]}]}})")
          .value();
  const std::string_view path(reinterpret_cast<const char*>(data), size);
  const auto compiled = publish::JsonPath::compile(path);
  if (!compiled) return 0;
  if (const auto match = compiled->first(document.root())) {
    std::string text;
    publish::append_printed(text, *match);
  }
  return 0;
}
