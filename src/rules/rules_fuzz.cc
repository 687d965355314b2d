// Any rule on any schema over any object: what compiles within the cost limits is run over values
// of the schema's types, with all of Kubernetes' libraries, inside the budget of an object. Lines:
// schema, rule, object, old object.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/lines.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "schema/compile.h"
#include "schema/defaults.h"
#include "schema/prune.h"
#include "schema/validate.h"
#include "value/json_reader.h"

using namespace strake;

namespace {

// The object as the server would hand it to the rules; nothing when it would not get that far.
std::optional<value::Document> settled(std::string_view text, const schema::Node& schema) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.depth = 40;
  auto read = value::read_json(text, options);
  if (!read || !read->root().is_object()) return std::nullopt;
  schema::prune(read->root(), schema);
  schema::prune_nulls(read->root(), schema);
  schema::apply_defaults(read->root(), schema, read->arena());
  if (!schema::validate(read->root(), schema).empty()) return std::nullopt;
  return *std::move(read);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view schema_text = take_line(rest);
  const std::string_view rule = take_line(rest);
  value::ReadOptions options;
  options.limits.depth = 40;
  auto document = value::read_json(schema_text, options);
  if (!document || !document->root().is_object()) return 0;
  value::Value entry = value::Value::object({});
  entry.set("rule", value::Value::string(rule), document->arena());
  entry.set("messageExpression", value::Value::string("string(self)"), document->arena());
  value::Value list = value::Value::array({});
  list.append(entry, document->arena());
  document->root().set("x-kubernetes-validations", list, document->arena());
  const auto schema = schema::compile(document->root());
  if (!schema) return 0;

  rules::CrdRules compiler;
  const FieldPath root;
  const auto checks = compiler.begin(*schema, {});
  const bool good = checks->check({.node = schema->get(), .at = &root}).empty();

  const auto object = settled(take_line(rest), **schema);
  if (!object) return 0;
  const auto old = settled(take_line(rest), **schema);
  const rules::Engine engine;
  const auto outcome = engine.run(object->root(), *schema, old ? &old->root() : nullptr);
  for (const value::FieldError& error : outcome.errors) {
    if (error.to_string().empty()) __builtin_trap();
  }
  static_cast<void>(
      good);  // rules that were refused are run too: each failure must be an error, not a crash
  return 0;
}
