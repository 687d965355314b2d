// Any JSON as a schema and any JSON as a value: importing never fails badly, and judging over a
// stream says exactly what judging in memory says. The input is split at the first newline.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "schema/compile.h"
#include "schema/defaults.h"
#include "schema/prune.h"
#include "schema/stream/stream.h"
#include "schema/validate.h"
#include "value/json_reader.h"

using namespace strake;
using namespace strake::schema;

namespace {

struct Told {
  std::vector<std::string> errors;
  std::vector<std::string> unknown;
  friend bool operator==(const Told&, const Told&) = default;
};

void add(const value::FieldErrors& errors, Told& told) {
  for (const value::FieldError& error : errors) told.errors.push_back(error.to_string());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\n');
  if (cut == std::string_view::npos) return 0;
  value::ReadOptions options;
  options.limits.depth = 40;
  const auto schema_document = value::read_json(input.substr(0, cut), options);
  const auto read = value::read_json(input.substr(cut + 1), options);
  if (!schema_document || !read) return 0;
  const Result<NodePtr> schema = compile(schema_document->root());
  if (!schema) return 0;
  STRAKE_ASSERT(*compile(schema_document->root()) == *schema);  // equal schemas are one node

  value::Document tree = read->fork();
  tree.root() = value::deep_copy(read->root(), tree.arena());
  Told want;
  prune(tree.root(), **schema, {}, &want.unknown);
  // What is pruned stays as it is. Defaults may bring unknown fields of their own: no server takes
  // such a schema.
  std::vector<std::string> again;
  prune(tree.root(), **schema, {}, &again);
  STRAKE_ASSERT(again.empty());
  prune_nulls(tree.root(), **schema);
  apply_defaults(tree.root(), **schema, tree.arena());
  add(validate(tree.root(), **schema), want);
  add(validate_list_types(tree.root(), **schema), want);

  StreamOptions stream;
  stream.strategy = StreamOptions::Strategy::kFullBuffer;
  stream.max_errors = 1'000'000;
  StreamValidator validator(**schema, stream);
  STRAKE_ASSERT(value::play(read->root(), validator));
  StreamVerdict verdict = validator.take();
  Told got;
  for (const UnknownField& field : verdict.unknown) got.unknown.push_back(field.text);
  add(verdict.errors, got);
  if (got != want) {
    for (const auto& [who, told] : {std::pair("memory", &want), std::pair("stream", &got)}) {
      for (const std::string& text : told->errors) fmt::print(stderr, "{} error {}\n", who, text);
      for (const std::string& text : told->unknown)
        fmt::print(stderr, "{} unknown {}\n", who, text);
    }
  }
  STRAKE_ASSERT(got == want);
  return 0;
}
