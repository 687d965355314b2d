// A few managers apply and update in turn: each line of the input is a letter (the manager, in
// upper case when it forces, a digit when it updates) and the JSON of what it wants. Whatever
// happens, the owners that are noted can be read again and own only what is there, a configuration
// that was applied can be found in the object, and applying it again changes nothing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

namespace {

const schema::Node& schema_of_all() {
  static const schema::NodePtr node =
      schema::compile(value::read_json(R"({"type":"object","properties":{
        "metadata":{"type":"object"},
        "spec":{"type":"object","properties":{
          "a":{"type":"integer"},"b":{"type":"string","nullable":true},
          "m":{"type":"object","additionalProperties":{"type":"string"}},
          "w":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"x":{"type":"integer"}}},
          "l":{"type":"array","items":{"type":"string"}},
          "s":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
          "i":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","p"],
            "items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},
              "p":{"type":"integer","default":1},"v":{"type":"integer"},
              "n":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
              "j":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
                "items":{"type":"object","properties":{"k":{"type":"string"},"v":{"type":"string"}}}}}}},
          "f":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}})")
                          .value()
                          .root())
          .value();
  return *node;
}

// Lists and objects go with the last of what their manager had in them.
bool says_nothing(const value::Value& config) {
  if (config.is_array()) return config.size() == 0;
  if (!config.is_object()) return config.is_null();
  return std::ranges::all_of(config.members(),
                             [](const value::Member& m) { return says_nothing(m.value); });
}

// What a configuration says is in the object: members and items, by their keys where they have
// some. Lists are compared by their length only: items may have moved.
bool holds(const value::Value& object, const value::Value& config) {
  if (says_nothing(config)) return true;
  if (config.is_object()) {
    return object.is_object() && std::ranges::all_of(config.members(), [&](const value::Member& m) {
             return holds(object.get(m.key), m.value);
           });
  }
  if (config.is_array()) {
    const auto said = std::ranges::count_if(
        config.items(), [](const value::Value& one) { return !says_nothing(one); });
    return object.is_array() && std::cmp_greater_equal(object.size(), said);
  }
  return value::equal(object, config);
}

void check_owners(const value::Value& object, Arena& arena) {
  const value::Value& entries = object.get("metadata").get("managedFields");
  for (const value::Value& entry : entries.items()) {
    STRAKE_ASSERT(entry.get("manager").is_string() && entry.get("operation").is_string());
    const auto owned = patch::FieldSet::read(entry.get("fieldsV1"), arena);
    STRAKE_ASSERT(owned.has_value());
    STRAKE_ASSERT(value::equal(owned->write(arena), entry.get("fieldsV1")));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.depth = 60;
  Arena arena;
  std::optional<value::Value> live;
  for (int step = 0; step < 8 && !input.empty(); ++step) {
    const std::size_t cut = input.find('\n');
    const std::string_view line = input.substr(0, cut);
    input = cut == std::string_view::npos ? std::string_view() : input.substr(cut + 1);
    if (line.size() < 2) continue;
    auto config = value::read_json(line.substr(1), options);
    if (!config || !config->root().is_object()) continue;
    value::Value& root = config->root();
    root.set("apiVersion", value::Value::string("g/v1"), config->arena());
    root.set("kind", value::Value::string("K"), config->arena());
    if (value::Value* metadata = root.find("metadata");
        metadata != nullptr &&
        !meta::coerce_object_meta(*metadata, config->arena(), {.drop_malformed = true})) {
      continue;
    }
    const char who = line[0];
    const bool update = who >= '0' && who <= '9';
    const std::string manager(1, static_cast<char>(who | 0x20));
    patch::ApplyContext how{.write = {.manager = manager,
                                      .api_version = "g/v1",
                                      .subresource = {},
                                      .time = "2024-01-01T00:00:00Z",
                                      .reset = {}},
                            .kind = "K",
                            .force = who >= 'A' && who <= 'Z'};
    if (update) {
      value::Value next = value::deep_copy(root, arena);
      const std::string before = live ? value::to_json(*live) : "";
      patch::update_managed_fields(next, live ? &*live : nullptr, &schema_of_all(), how.write,
                                   arena);
      STRAKE_ASSERT(!live || value::to_json(*live) == before);
      live = next;
      check_owners(*live, arena);
      continue;
    }
    const std::string before = live ? value::to_json(*live) : "";
    const auto applied = patch::apply(live ? &*live : nullptr, root, &schema_of_all(), how, arena);
    STRAKE_ASSERT(!live || value::to_json(*live) == before);
    if (!applied) {
      STRAKE_ASSERT(applied.error().code >= 400 && !applied.error().message.empty());
      STRAKE_ASSERT(!how.force || applied.error().code != 409);
      continue;
    }
    check_owners(applied->object, arena);
    if (const value::Value* spec = root.find("spec"); spec != nullptr && !spec->is_null())
      STRAKE_ASSERT(holds(applied->object.get("spec"), *spec));
    const auto twice = patch::apply(&applied->object, root, &schema_of_all(), how, arena);
    // What the first made of nulls and of items without keys may not fit.
    if (twice) {
      const auto thrice = patch::apply(&twice->object, root, &schema_of_all(), how, arena);
      STRAKE_ASSERT(!thrice || !thrice->changed);
    }
    // The configuration goes away with this turn: nothing of it may be missed.
    live = applied->object;
  }
  if (live) static_cast<void>(value::to_json(*live));
  return 0;
}
