#include "robustness/api_dice.h"

#include <fmt/format.h>

#include "value/document.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::robustness {
namespace {

constexpr std::string_view kScalars[] = {"null",
                                         "true",
                                         "false",
                                         "0",
                                         "1",
                                         "-1",
                                         "3.5",
                                         "1e400",
                                         "9223372036854775808",
                                         "\"\"",
                                         "\"a\"",
                                         "\"1\"",
                                         "\"/\"",
                                         "\"a b\"",
                                         "[]",
                                         "{}",
                                         "[null]",
                                         "\"\\u0000\"",
                                         "\"\\ud800\"",
                                         "\"2024-01-01T00:00:00Z\"",
                                         "\"\xc3\xa9\""};
constexpr std::string_view kKeys[] = {"a",          "b",      "spec",       "metadata", "name",
                                      "labels",     "$patch", "apiVersion", "kind",     "",
                                      "finalizers", "n",      "items",      "k"};

// A node of the tree, counted from the root.
value::Value* node_at(value::Value& root, std::size_t& index) {
  if (index == 0) return &root;
  --index;
  for (value::Value& item : root.mutable_items())
    if (value::Value* found = node_at(item, index)) return found;
  for (value::Member& member : root.mutable_members())
    if (value::Value* found = node_at(member.value, index)) return found;
  return nullptr;
}

std::size_t node_count(const value::Value& root) {
  std::size_t count = 1;
  for (const value::Value& item : root.items()) count += node_count(item);
  for (const value::Member& member : root.members()) count += node_count(member.value);
  return count;
}

}  // namespace

std::string Dice::json(std::size_t depth) {
  if (depth == 0 || percent(50)) return std::string(pick(kScalars));
  if (percent(2)) {
    const std::size_t levels = 50 + below(200);
    return std::string(levels, '[') + std::string(levels, ']');
  }
  const bool list = percent(40);
  std::string out(1, list ? '[' : '{');
  for (std::size_t i = below(4); i > 0; --i) {
    if (!list) out += fmt::format("\"{}\":", pick(kKeys));
    out += json(depth - 1);
    if (i > 1) out += ',';
  }
  return out + (list ? ']' : '}');
}

std::string Dice::broken(std::string_view text) {
  std::string out(text);
  if (percent(30)) {  // as bytes
    const std::size_t at = below(out.size() + 1);
    if (percent(40)) return out.substr(0, at);
    if (percent(50)) return out.insert(at, 1, static_cast<char>(below(256)));
    out.erase(at, 1 + below(8));
    return out;
  }
  auto document = value::read_json(text);
  if (!document) return json();
  auto other = value::read_json(json());
  std::size_t index = below(node_count(document->root()));
  value::Value* node = node_at(document->root(), index);
  if (node != nullptr && other) *node = value::deep_copy(other->root(), document->arena());
  return value::to_json(document->root());
}

}  // namespace strake::robustness
