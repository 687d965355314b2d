// Arbitrary JSON as a schema, arbitrary JSON as a value: import and evaluation never crash, and the
// stream says what the tree says. The input is a schema, a zero byte or newline, and a value.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "schema/loose/evaluate.h"
#include "schema/loose/import.h"
#include "schema/loose/stream.h"
#include "value/json_reader.h"

using namespace strake;
using namespace strake::schema::loose;

namespace {

std::string told(const Report& report) {
  std::string out =
      std::to_string(static_cast<int>(report.verdict)) + " " + std::to_string(report.total);
  for (const Issue& issue : report.issues) out += "\n" + issue.to_json();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find_first_of(std::string_view("\0\n", 2));
  if (cut == std::string_view::npos) return 0;
  value::ReadOptions read;
  read.limits.bytes = 1 << 16;
  read.numbers = size % 2 == 0 ? value::NumberPolicy::kLiteral : value::NumberPolicy::kApi;
  const auto schema = value::read_json(input.substr(0, cut), read);
  if (!schema) return 0;
  ImportOptions import_options;
  import_options.max_nodes = 2000;
  import_options.root = schema->root().find("$defs") != nullptr && size % 3 == 0 ? "#/$defs/a" : "";
  const auto imported = import_schema(schema->root(), import_options);
  if (!imported || imported->schema->root() == nullptr) return 0;
  const auto instance = value::read_json(input.substr(cut + 1), read);
  if (!instance) return 0;
  Options options;
  options.max_issues = 20;
  options.formats = size % 5 == 0 ? FormatMode::kEnforce : FormatMode::kProfile;
  options.unknown = size % 7 == 0 ? UnknownMode::kStrict : UnknownMode::kPrune;
  options.ambiguity = size % 4 == 1 ? Ambiguity::kScoreBest : Ambiguity::kError;
  options.strategy = Strategy::kFullBuffer;
  const Report tree = evaluate(instance->root(), *imported->schema, options);

  StreamEvaluator evaluator(*imported->schema, *imported->schema->root(), options);
  value::JsonPushParser parser(evaluator, read);
  Result<> fed;
  const std::string_view text = input.substr(cut + 1);
  for (std::size_t i = 0; i < text.size() && fed; i += 5) fed = parser.feed(text.substr(i, 5));
  if (fed) fed = parser.finish();
  const Report stream = evaluator.take();
  if (told(tree) != told(stream)) {
    std::fprintf(stderr, "tree:\n%s\nstream:\n%s\n", told(tree).c_str(), told(stream).c_str());
    std::abort();
  }
  return 0;
}
