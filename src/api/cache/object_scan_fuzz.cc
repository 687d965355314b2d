// Any JSON as an object: what a scan of its text finds is what parsing it finds. Texts come as the
// server writes them, and as others wrote them: with white space, and members in any order.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "api/cache/object_scan.h"
#include "base/assert.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;

namespace {

// Whether a text means itself, without escapes.
bool is_plain(std::string_view text) {
  std::string quoted;
  value::write_json_string(text, quoted);
  return quoted.size() == text.size() + 2;
}

void check_labels(const value::Value& labels, std::string_view text) {
  std::map<std::string_view, std::string_view> want;
  for (const value::Member& m : labels.members()) {
    if (!m.value.is_string() || !is_plain(m.key) || !is_plain(m.value.as_string())) return;
    want[m.key] = m.value.as_string();
  }
  std::map<std::string_view, std::string_view> found;
  api::for_each_string(text, [&](std::string_view key, std::string_view v) { found[key] = v; });
  STRAKE_ASSERT(found == want);
}

// Of a text as the server writes it: sorted, without white space, keys that mean themselves.
void check_places(const value::Value& root, const std::string& text) {
  const auto places = api::find_places(text);
  const value::Value* metadata = root.find("metadata");
  STRAKE_ASSERT(places.has_value() == (metadata != nullptr && metadata->is_object()));
  if (!places) return;
  const value::Value& version = root.get("apiVersion");
  if (is_plain(version.as_string())) STRAKE_ASSERT(places->api_version == version.as_string());
  STRAKE_ASSERT(places->metadata_empty == (metadata->size() == 0));
  STRAKE_ASSERT(places->has_version == (metadata->find("resourceVersion") != nullptr));
  STRAKE_ASSERT(places->owned == (metadata->find("ownerReferences") != nullptr));
  STRAKE_ASSERT(places->being_deleted == (metadata->find("deletionTimestamp") != nullptr));
  const value::Value* labels = metadata->find("labels");
  STRAKE_ASSERT(places->labels == (labels != nullptr ? value::to_json(*labels) : ""));
  if (labels != nullptr && labels->is_object()) check_labels(*labels, places->labels);
  if (places->has_version) return;
  // A resource version put in its place belongs to the object, in the order of keys.
  for (const value::Member& m : metadata->members())
    if (!is_plain(m.key)) return;
  const std::string_view member = "\"resourceVersion\":\"1\"";
  std::string with = text.substr(0, places->version_place);
  if (places->version_last && !places->metadata_empty) with += ',';
  with += member;
  if (!places->version_last) with += ',';
  with += text.substr(places->version_place);
  auto read = value::read_json(with);
  STRAKE_ASSERT(read.has_value() && value::to_json(read->root()) == with);
  STRAKE_ASSERT(read->root().get("metadata").get("resourceVersion").as_string() == "1");
}

void check_parts(const value::Value& root, std::string_view text) {
  const auto parts = api::parts_without_type(text);
  if (!parts) return;
  std::string joined;
  for (const std::string_view part : *parts) joined += part;
  const auto read = value::read_json(joined);
  STRAKE_ASSERT(read.has_value() && read->root().is_object());
  STRAKE_ASSERT(read->root().size() + 2 == root.size());
  for (const value::Member& m : read->root().members()) {
    const value::Value* there = root.find(m.key);
    STRAKE_ASSERT(m.key != "kind" && m.key != "apiVersion" && there != nullptr &&
                  value::identical(*there, m.value));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  value::ReadOptions options;
  options.limits.depth = 100;
  const auto document = value::read_json(input, options);
  if (!document || !document->root().is_object()) return 0;
  const value::Value& root = document->root();
  const std::string text = value::to_json(root);
  // A small number may be written as -0, which reads as 0.
  const auto stable = value::read_json(text, options);
  if (!stable || value::to_json(stable->root()) != text) return 0;
  check_places(root, text);
  // A number with a fraction may be written as an integer: compared with what the text says.
  check_parts(stable->root(), text);
  // As it came: found or not, within the text. Objects of ours have no duplicate keys.
  if (!document->duplicates().empty()) return 0;
  if (const auto places = api::find_places(input)) {
    STRAKE_ASSERT(places->metadata_begin <= input.size() && places->version_place <= input.size());
    STRAKE_ASSERT(root.get("metadata").is_object());
  }
  if (input.find('\\') == std::string_view::npos) check_parts(root, input);
  return 0;
}
