// Any bytes: reading must not crash or hang, and what was read must survive being written and read
// again, as YAML and as JSON.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace {

using namespace strake;
using namespace strake::value;

ReadOptions small_limits(std::uint8_t variant) {
  ReadOptions options;
  options.limits = {.depth = 100,
                    .bytes = 1 << 16,
                    .nodes = 10'000,
                    .string_bytes = 1 << 16,
                    .alias_nodes = 1'000};
  options.duplicates = variant % 2 == 0 ? DuplicatePolicy::kLastWins : DuplicatePolicy::kError;
  options.numbers = static_cast<NumberPolicy>(variant / 2 % 4);
  options.yaml = variant / 8 % 2 == 0 ? YamlSchema::kKubernetes : YamlSchema::kCore;
  options.positions = variant / 16 % 2 == 0;
  options.text = TextPolicy::kReplace;
  return options;
}

void require(bool holds, std::string_view law, std::string_view yaml) {
  if (holds) return;
  std::fprintf(stderr, "%.*s\n%.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(yaml.size()), yaml.data());
  std::abort();
}

void check(const Document& document, NumberPolicy numbers) {
  ReadOptions options;  // with the usual limits: the text grows when it is written out in blocks
  options.numbers = numbers;
  const std::string yaml = to_yaml(document.root());
  const Result<Document> again = read_yaml(yaml, options);
  require(again.has_value(), again ? "" : again.error().to_string(), yaml);
  require(equal(again->root(), document.root()), "YAML written and read differs", yaml);
  require(to_yaml(again->root()) == yaml, "YAML written twice differs", yaml);
  const std::string json = to_json(document.root());
  const Result<Document> from_json = read_json(json, options);
  require(from_json.has_value() && equal(from_json->root(), document.root()),
          "JSON written and read differs", json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ReadOptions options = small_limits(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  YamlReader reader(text, options);
  for (;;) {
    const auto document = reader.next();
    if (!document || !*document) break;
    if (options.numbers != NumberPolicy::kLiteral) check(**document, options.numbers);
    // Literals may be beyond any double, which equal() and the readers see differently; written,
    // they must still be YAML.
    if (options.numbers == NumberPolicy::kLiteral)
      require(read_yaml(to_yaml((*document)->root())).has_value(), "literal", text);
  }
  return 0;
}
