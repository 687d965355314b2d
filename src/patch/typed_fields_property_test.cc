// One walk checks two objects, compares them and names what it finds. Here the same is said again
// as plainly as it can be, path by path, and both must agree on objects made by chance.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "patch/managed_fields.h"
#include "patch/typed_check.h"
#include "patch/typed_fields.h"
#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using schema::JsonType;
using schema::Node;
using value::Member;
using value::read_json;
using value::to_json;
using value::Value;
using Form = FieldType::Form;

constexpr std::string_view kSchemas[] = {
    R"({"type":"object","properties":{
      "spec":{"type":"object","properties":{
        "n":{"type":"integer"},"s":{"type":"string"},"b":{"type":"boolean"},"x":{"type":"number"},
        "when":{"type":"string","format":"date-time"},
        "mixed":{"x-kubernetes-int-or-string":true},
        "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
        "anything":{"x-kubernetes-preserve-unknown-fields":true},
        "map":{"type":"object","additionalProperties":{"type":"object","properties":{
          "image":{"type":"string"},"ports":{"type":"array","items":{"type":"integer"}}}}},
        "whole":{"type":"object","x-kubernetes-map-type":"atomic","properties":{
          "x":{"type":"integer"},"inner":{"type":"array","x-kubernetes-list-type":"set",
            "items":{"type":"string"}}}},
        "list":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"}}}},
        "set":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
        "ports":{"type":"array","x-kubernetes-list-type":"map",
          "x-kubernetes-list-map-keys":["proto","port"],
          "items":{"type":"object","properties":{
            "port":{"type":"integer"},"proto":{"type":"string","default":"TCP"},
            "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
            "rules":{"type":"array","x-kubernetes-list-type":"map",
              "x-kubernetes-list-map-keys":["k"],"items":{"type":"object",
                "properties":{"k":{"type":"string"},"v":{"type":"integer"}}}}}}},
        "template":{"type":"object","x-kubernetes-embedded-resource":true,
          "properties":{"spec":{"type":"object"}}}}},
      "status":{"type":"object","properties":{"ready":{"type":"boolean"}}}}})",
    // Many properties, of which few stand next to each other, with others in between.
    R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{
      "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{
        "a1":{"type":"integer"},"a2":{"type":"integer"},"a3":{"type":"integer"},
        "a4":{"type":"integer"},"a6":{"type":"integer"},"a7":{"type":"integer"},
        "a5":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}},
        "a8":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}},
        "a9":{"type":"object","x-kubernetes-map-type":"atomic"},
        "z":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}}}}}})",
};

// Objects that mostly fit a schema, and are mostly like one before.
class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed), faults_(chance(30) ? 3 : 0) {}

  std::string object(const Node* node, const Value* before) {
    const Value none;
    const Value& old = before != nullptr ? *before : none;
    return fmt::format(
        R"({{"apiVersion":"g/v1","kind":"K","metadata":{{"name":"n","labels":{{"a":"{}"}}{}}}{}}})",
        number(3), chance(30) ? R"(,"finalizers":["y","x"])" : "",
        node != nullptr ? fields_of(*node, old, true) : R"(,"data":)" + anything(4));
  }

 private:
  bool chance(int percent) { return number(100) < percent; }
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::string anything(int levels) {
    switch (number(levels > 0 ? 8 : 6)) {
      case 0: return "null";
      case 1: return "true";
      case 2: return "1.0";
      case 3: return std::to_string(number(3));
      case 4: return R"("s")";
      case 5: return R"({})";
      case 6: return fmt::format("[{},{}]", anything(levels - 1), anything(levels - 1));
      default:
        return fmt::format(R"({{"a":{},"b":{}}})", anything(levels - 1), anything(levels - 1));
    }
  }

  std::string fields_of(const Node& node, const Value& before, bool more) {
    std::string out;
    const auto put = [&](std::string_view name, const std::string& text) {
      out += fmt::format(R"({}"{}":{})", out.empty() && !more ? "" : ",", name, text);
    };
    for (const schema::Property& p : node.properties)
      if (chance(70)) put(p.name, value(*p.node, before.find(p.name)));
    if (node.additional_schema != nullptr) {
      for (const char* name : {"k1", "k2", "k3"})
        if (chance(60)) put(name, value(*node.additional_schema, before.find(name)));
    }
    const char* unknown[] = {"a0", "a45", "a55", "unknown", "zz"};
    if (chance(node.preserve_unknown ? 60 : faults_)) put(unknown[number(5)], anything(3));
    return out;
  }

  std::string value(const Node& node, const Value* before) {
    if (before != nullptr && chance(50)) return to_json(*before);
    if (chance(faults_)) return anything(2);
    if (chance(4)) return "null";
    const Value none;
    switch (node.type) {
      case JsonType::kInteger: return std::to_string(number(4));
      case JsonType::kNumber: return chance(50) ? "1" : chance(50) ? "1.0" : "2.5";
      case JsonType::kBoolean: return chance(50) ? "true" : "false";
      case JsonType::kString: return fmt::format(R"("{}")", number(3));
      case JsonType::kNone: return anything(3);
      case JsonType::kObject:
        return "{" + fields_of(node, before != nullptr ? *before : none, false) + "}";
      case JsonType::kArray: break;
    }
    std::string items;
    for (int i = number(5); i > 0; --i)
      items += (items.empty() ? "" : ",") + value(*node.items, {});
    return "[" + items + "]";
  }

  std::mt19937 random_;
  int faults_;
};

using Paths = std::set<std::string>;

struct PlainComparison {
  Paths removed;
  Paths modified;
  Paths added;
};

class PlainComparer {
 public:
  PlainComparison compare(const Value& before, const Value& after, const FieldType& type) {
    inside({&before}, {&after}, type, "");
    return out_;
  }

 private:
  using Values = std::vector<const Value*>;  // those of one name: none, one or duplicates

  // A field with all that is below it.
  void field(const Values& before, const Values& after, const FieldType& type,
             const std::string& path) {
    if (before.size() >= 2 && after.size() >= 2) {
      if (!std::equal(before.begin(), before.end(), after.begin(), after.end(),
                      [](const Value* a, const Value* b) { return value::equal(*a, *b); })) {
        out_.modified.insert(path);
      }
    } else if (before.size() >= 2) {
      out_.removed.insert(path);
      if (!after.empty()) field({}, after, type, path);
    } else if (after.size() >= 2) {
      out_.added.insert(path);
      if (!before.empty()) field(before, {}, type, path);
    } else {
      if (before.empty()) out_.added.insert(path);
      if (after.empty()) out_.removed.insert(path);
      if (inside(before, after, type, path)) out_.modified.insert(path);
    }
  }

  // True when both are one field, and differ.
  bool inside(const Values& before, const Values& after, const FieldType& type,
              const std::string& path) {
    std::set<Form> forms;
    for (const Values* side : {&before, &after})
      if (!side->empty()) forms.insert(type.form(side->front()));
    bool differ = false;
    for (const Form form : forms) {
      const bool list = form == Form::kList;
      const bool one_field =
          form == Form::kScalar || (list ? type.atomic_list() : type.atomic_map());
      const auto holds = [&](const Values& side) {
        return !side.empty() && (list ? side[0]->is_array() : side[0]->is_object()) &&
               side[0]->size() != 0;
      };
      if (one_field || (!holds(before) && !holds(after))) {
        if (!before.empty() && !after.empty() && !value::equal(*before[0], *after[0]))
          differ = true;
        continue;
      }
      std::map<std::string, std::tuple<Values, Values, FieldType>> children;
      if (holds(before)) name_children(*before[0], type, false, children);
      if (holds(after)) name_children(*after[0], type, true, children);
      for (const auto& [name, child] : children)
        field(std::get<0>(child), std::get<1>(child), std::get<2>(child), path + name);
    }
    return differ;
  }

  void name_children(const Value& v, const FieldType& type, bool after,
                     std::map<std::string, std::tuple<Values, Values, FieldType>>& out) {
    const auto put = [&](const PathElement& element, const Value& child, const FieldType& of) {
      auto& there = out.try_emplace(print({element}), Values(), Values(), of).first->second;
      (after ? std::get<1>(there) : std::get<0>(there)).push_back(&child);
    };
    for (const Value& item : v.items())
      put(name_item(type, item, arena_).value(), item, type.items());
    for (const Member& m : v.members()) put(PathElement::field(m.key), m.value, type.member(m.key));
  }

  PlainComparison out_;
  Arena arena_;
};

Paths paths_of(const FieldSet& set) {
  Paths out;
  set.each([&](const FieldSteps& path) { out.insert(print(path)); });
  return out;
}

// By the walk that says what is wrong, which the other one leaves out.
bool fits(const Value& v, const FieldType& type, Arena& arena) {
  const TypedFaults faults = check_typed(v, type, Duplicates::kRefused, arena);
  return std::all_of(faults.begin(), faults.end(), [](const TypedFault& fault) {
    return fault.message.starts_with("duplicate entries");
  });
}

class TypedFieldsProperty : public ::testing::TestWithParam<int> {
 protected:
  TypedFieldsProperty() {
    if (GetParam() < 0) return;
    const auto index = static_cast<std::size_t>(GetParam());
    schema_ = schema::compile(read_json(kSchemas[index])->root()).value();
  }
  FieldType type() const { return FieldType::of_resource(schema_.get()); }

  schema::NodePtr schema_;
};

TEST_P(TypedFieldsProperty, ComparesAsIfPathByPath) {
  int compared = 0;
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    Maker maker(seed);
    Arena arena;
    const auto first = read_json(maker.object(schema_.get(), nullptr)).value();
    const auto second = read_json(maker.object(schema_.get(), &first.root())).value();
    SCOPED_TRACE(
        fmt::format("seed {}\n{}\n{}", seed, to_json(first.root()), to_json(second.root())));
    const auto got = check_and_compare(first.root(), second.root(), type(), arena);
    const bool fit = fits(first.root(), type(), arena) && fits(second.root(), type(), arena);
    ASSERT_EQ(got.has_value(), fit);
    ASSERT_EQ(fits_typed(second.root(), type(), 0, arena), fits(second.root(), type(), arena));
    if (!fit) continue;
    ++compared;
    const PlainComparison want = PlainComparer().compare(first.root(), second.root(), type());
    for (const Comparison& c : {*got, compare_fields(first.root(), second.root(), type(), arena)}) {
      ASSERT_EQ(paths_of(c.removed), want.removed);
      ASSERT_EQ(paths_of(c.modified), want.modified);
      ASSERT_EQ(paths_of(c.added), want.added);
    }
  }
  EXPECT_GT(compared, 280);
}

TEST_P(TypedFieldsProperty, CreatesAsIfComparedWithNothing) {
  int tracked = 0;
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    Arena arena;
    const auto made = read_json(Maker(seed).object(schema_.get(), nullptr)).value();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, to_json(made.root())));
    Value object = made.root();
    update_managed_fields(object, nullptr, schema_.get(),
                          {.manager = "m", .api_version = "g/v1", .reset = {"status"}}, arena);
    const Value& entries = object.get("metadata").get("managedFields");
    const bool fit = fits(made.root(), type(), arena);
    ASSERT_EQ(entries.size(), fit ? 1u : 0u);
    if (!fit) continue;
    ++tracked;
    const PlainComparison all =
        PlainComparer().compare(read_json("{}")->root(), made.root(), type());
    Paths want;
    for (const std::string& path : all.added) {
      if (path == ".apiVersion" || path == ".kind" || path == ".metadata" ||
          path == ".metadata.name" || path.starts_with(".status")) {
        continue;
      }
      want.insert(path);
    }
    const Value& written = entries.items()[0].get("fieldsV1");
    const FieldSet owned = FieldSet::read(written, arena).value();
    ASSERT_EQ(paths_of(owned), want);
    ASSERT_EQ(to_json(owned.write(arena)), to_json(written));
  }
  EXPECT_GT(tracked, 280);
}

INSTANTIATE_TEST_SUITE_P(Schemas, TypedFieldsProperty, ::testing::Values(-1, 0, 1));

}  // namespace
}  // namespace strake::patch
