// size, contains, startsWith, endsWith, matches.
#include "base/utf8.h"
#include "cel/lib/regex.h"
#include "cel/lib/std_library.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

Value count(std::uint64_t n) { return Value::integer(static_cast<std::int64_t>(n)); }

Value size_of_string(EvalContext&, Args x) { return count(utf8::count(x[0].as_text())); }
Value size_of_bytes(EvalContext&, Args x) { return count(x[0].as_text().size()); }
Value size_of_list(EvalContext&, Args x) { return count(list_size(x[0])); }
Value size_of_map(EvalContext&, Args x) { return count(map_size(x[0])); }

Value matches(EvalContext& c, Args x) {
  const CallRegex regex(c, x[1].as_text());
  if (!regex.ok()) return c.error(regex.error());
  const std::string_view text = x[0].as_text();
  return Value::boolean(RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex));
}

}  // namespace

void declare_string_functions(Library& library) {
  const Type* list = library.types().list(library.types().param("A"));
  const Type* map = library.types().map(library.types().param("A"), library.types().param("B"));
  const Type* string = &types::string;
  library.function("size")
      .global("size_string", {string}, &types::integer, size_of_string)
      .global("size_bytes", {&types::bytes}, &types::integer, size_of_bytes)
      .global("size_list", {list}, &types::integer, size_of_list)
      .global("size_map", {map}, &types::integer, size_of_map)
      .member("string_size", {string}, &types::integer, size_of_string)
      .member("bytes_size", {&types::bytes}, &types::integer, size_of_bytes)
      .member("list_size", {list}, &types::integer, size_of_list)
      .member("map_size", {map}, &types::integer, size_of_map);
  library.function("matches")
      .global("matches", {string, string}, &types::boolean, matches)
      .prepare(prepare_regex)
      .member("matches_string", {string, string}, &types::boolean, matches)
      .prepare(prepare_regex);
  library.function("contains")
      .member("contains_string", {string, string}, &types::boolean, [](EvalContext&, Args x) {
        return Value::boolean(x[0].as_text().find(x[1].as_text()) != std::string_view::npos);
      });
  library.function("startsWith")
      .member("starts_with_string", {string, string}, &types::boolean, [](EvalContext&, Args x) {
        return Value::boolean(x[0].as_text().starts_with(x[1].as_text()));
      });
  library.function("endsWith")
      .member("ends_with_string", {string, string}, &types::boolean, [](EvalContext&, Args x) {
        return Value::boolean(x[0].as_text().ends_with(x[1].as_text()));
      });
}

}  // namespace strake::cel
