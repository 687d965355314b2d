// Lines of JSON: a schema, two objects, and entries of managedFields. Sets read and written obey
// their laws; writing and applying the objects gives an answer or a refusal, and no change that
// applying twice would bring.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "meta/object_meta.h"
#include "patch/apply.h"
#include "patch/field_set.h"
#include "patch/managed_fields.h"
#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;
using patch::FieldSet;

namespace {

void check_set(const value::Value& v, Arena& arena) {
  const auto set = FieldSet::read(v, arena);
  if (!set) return;
  const value::Value written = set->write(arena);
  const auto again = FieldSet::read(written, arena);
  STRAKE_ASSERT(again && *again == *set);
  STRAKE_ASSERT(difference(*set, *set, arena).empty());
  STRAKE_ASSERT(unite(*set, *again, arena) == *set);
  STRAKE_ASSERT(intersection(*set, *again, arena) == *set);
}

void check_writes(const schema::Node* schema, const value::Value& first, const value::Value& second,
                  Arena& arena) {
  patch::WriteContext context{
      .manager = "one", .api_version = "g/v1", .time = "2024-01-01T00:00:00Z"};
  value::Value stored = value::deep_copy(first, arena);
  patch::update_managed_fields(stored, nullptr, schema, context, arena);
  value::Value next = value::deep_copy(second, arena);
  context.manager = "two";
  patch::update_managed_fields(next, &stored, schema, context, arena);

  patch::ApplyContext how{.write = context, .kind = "K", .force = true};
  const auto applied = patch::apply(&stored, second, schema, how, arena);
  if (!applied) return;
  const auto twice = patch::apply(&applied->object, second, schema, how, arena);
  if (!twice) return;
  const auto thrice = patch::apply(&twice->object, second, schema, how, arena);
  if (thrice) STRAKE_ASSERT(!thrice->changed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  value::ReadOptions options;
  options.limits.depth = 60;
  std::vector<value::Document> lines;
  while (!input.empty() && lines.size() < 4) {
    const std::size_t cut = input.find('\n');
    auto line = value::read_json(input.substr(0, cut), options);
    if (!line) return 0;
    lines.push_back(*std::move(line));
    input = cut == std::string_view::npos ? std::string_view() : input.substr(cut + 1);
  }
  Arena arena;
  for (const value::Document& line : lines) check_set(line.root(), arena);
  if (lines.size() < 3) return 0;

  const auto schema = schema::compile(lines[0].root());
  const schema::Node* node = schema ? schema->get() : nullptr;
  for (value::Document* object : {&lines[1], &lines[2]}) {
    value::Value& root = object->root();
    if (!root.is_object()) return 0;
    root.set("apiVersion", value::Value::string("g/v1"), object->arena());
    root.set("kind", value::Value::string("K"), object->arena());
    value::Value* metadata = root.find("metadata");
    if (metadata != nullptr &&
        !meta::coerce_object_meta(*metadata, object->arena(), {.drop_malformed = true})) {
      return 0;
    }
  }
  if (lines.size() > 3 && lines[3].root().is_array()) {
    value::Value* metadata = lines[1].root().find("metadata");
    if (metadata != nullptr) metadata->set("managedFields", lines[3].root(), lines[1].arena());
  }
  check_writes(node, lines[1].root(), lines[2].root(), arena);
  return 0;
}
