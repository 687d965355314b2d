#include "schema/prune.h"

#include <fmt/format.h>

#include <algorithm>

#include "schema/property_cursor.h"

// Pruning as kube-apiserver 1.36 does it, in place. Three modes, chosen at each node:
//   prune          members without a schema go
//   keep           below x-kubernetes-preserve-unknown-fields: they stay, named ones are pruned
//   empty_objects  nothing is said of the value: objects lose all members, lists and scalars stay
// apiVersion, kind and metadata of a resource or an embedded resource are never pruned. Recursion
// is bounded by the depth of the schema, except where there is none (empty_objects).

namespace strake::schema {
namespace {

using value::Member;
using value::Value;

class Pruner {
 public:
  Pruner(std::vector<std::string>* unknown, const PruneOptions& options)
      : unknown_(unknown), places_(options.places), at_(options.at) {
    path_.reserve(16);
  }

  bool met_null() const { return met_null_; }

  void prune(Value& v, const Node* schema, bool resource_root) {
    if (schema == nullptr) {
      empty_objects(v);
    } else if (schema->preserve_unknown) {
      keep(v, schema, resource_root);
    } else if (v.is_object()) {
      prune_object(v, *schema, resource_root);
    } else if (v.is_array()) {
      for_items(v, [&](Value& item) { prune(item, schema->items.get(), false); });
    }
  }

  // Below x-kubernetes-preserve-unknown-fields only what the schema names is pruned.
  void keep(Value& v, const Node* schema, bool resource_root) {
    if (schema == nullptr) return;
    if (v.is_object()) {
      const bool keeps_meta = resource_root || schema->embedded_resource;
      PropertyCursor properties(*schema);
      for (Member& m : v.mutable_members()) {
        if (keeps_meta && is_type_meta(m.key)) {
          pass_meta(m.value, properties.find(m.key), *schema);
          continue;
        }
        if (const Node* property = properties.find(m.key)) {
          descend(m, property);
        } else if (schema->additional != Additional::kAbsent) {
          descend(m, schema->additional_schema.get());
        }
      }
    } else if (v.is_array()) {
      // A list passes the mode on to its items, an object does not pass it to its members: below a
      // named member pruning starts again.
      for_items(v, [&](Value& item) { keep(item, schema->items.get(), false); });
    }
  }

 private:
  // What has no schema keeps its arrays and scalars. It may be nested as deep as the reader allows,
  // so no recursion.
  void empty_objects(Value& v) {
    if (v.is_object()) {
      for (const Member& m : v.members()) report(m.key);
      // The members are gone, so nothing below them is reported.
      v.truncate(0);
    }
    if (!v.is_array()) return;
    std::vector<Value*> open{&v};
    path_.push_back({.is_index = true});
    while (!open.empty()) {
      const std::size_t i = path_.back().index;
      if (i == open.back()->size()) {
        open.pop_back();
        path_.pop_back();
        if (!open.empty()) ++path_.back().index;
        continue;
      }
      Value& item = open.back()->mutable_items()[i];
      if (item.is_array()) {
        open.push_back(&item);
        path_.push_back({.is_index = true});
        continue;
      }
      if (item.is_object()) {
        for (const Member& m : item.members()) report(m.key);
        item.truncate(0);
      }
      ++path_.back().index;
    }
  }

  void prune_object(Value& v, const Node& schema, bool resource_root) {
    const bool keeps_meta = resource_root || schema.embedded_resource;
    PropertyCursor properties(schema);
    const std::span<Member> members = v.mutable_members();
    std::size_t kept = 0;
    for (Member& m : members) {
      const Node* property = properties.find(m.key);
      if (keeps_meta && is_type_meta(m.key)) {
        pass_meta(m.value, property, schema);
      } else {
        if (property == nullptr && schema.additional == Additional::kAbsent) {
          report(m.key);
          continue;
        }
        descend(m, property != nullptr ? property : schema.additional_schema.get());
      }
      // Compacts in place; Value::truncate then forgets the positions, which no longer fit.
      if (&members[kept] != &m) members[kept] = m;
      ++kept;
    }
    v.truncate(kept);
  }

  void descend(Member& m, const Node* schema) {
    if (!m.value.is_object() && !m.value.is_array()) {
      met_null_ |= m.value.is_null();
      return;
    }
    path_.push_back({.key = m.key});
    prune(m.value, schema, false);
    path_.pop_back();
  }

  // Not looked into, but nulls may go where a schema has something to say.
  void pass_meta(const Value& v, const Node* property, const Node& parent) {
    const Node* schema = property != nullptr ? property : parent.additional_schema.get();
    if (schema == nullptr) return;
    met_null_ |=
        v.is_null() || schema->items || schema->additional_schema || !schema->properties.empty();
  }

  template <typename Body>
  void for_items(Value& v, Body body) {
    std::size_t i = 0;
    for (Value& item : v.mutable_items()) {
      path_.push_back({.is_index = true, .index = i++});
      body(item);
      path_.pop_back();
    }
  }

  void report(std::string_view key) {
    if (places_ != nullptr) places_->push_back(place_of(key));
    if (unknown_ == nullptr) return;
    std::string text(at_);
    for (const Step& step : path_) {
      if (step.is_index) {
        text += fmt::format("[{}]", step.index);
      } else {
        if (!text.empty()) text += '.';
        text += step.key;
      }
    }
    if (!text.empty()) text += '.';
    text += key;
    unknown_->push_back(std::move(text));
  }

  FieldPath place_of(std::string_view key) const {
    FieldPath out;
    for (const Step& step : path_) {
      if (step.is_index) {
        out.push_index(step.index);
      } else {
        out.push_field(step.key);
      }
    }
    out.push_field(key);
    return out;
  }

  struct Step {
    std::string_view key;
    bool is_index = false;
    std::size_t index = 0;
  };
  std::vector<std::string>* unknown_;
  std::vector<FieldPath>* places_;
  std::string_view at_;
  std::vector<Step> path_;
  bool met_null_ = false;
};

// A null with a default stays: apply_defaults() puts the default in its place.
bool drops_null(const Node& schema) { return !schema.nullable && !schema.default_value; }

}  // namespace

bool prune(Value& v, const Node& schema, const PruneOptions& options,
           std::vector<std::string>* unknown) {
  const std::size_t before = unknown != nullptr ? unknown->size() : 0;
  Pruner pruner(unknown, options);
  if (options.keep_unknown) {
    pruner.keep(v, &schema, options.resource_root);
  } else {
    pruner.prune(v, &schema, options.resource_root);
  }
  if (unknown != nullptr)
    std::sort(unknown->begin() + static_cast<std::ptrdiff_t>(before), unknown->end());
  return pruner.met_null();
}

void prune_nulls(Value& v, const Node& schema) {
  if (v.is_object()) {
    PropertyCursor properties(schema);
    const std::span<Member> members = v.mutable_members();
    std::size_t kept = 0;
    for (Member& m : members) {
      const Node* property = properties.find(m.key);
      if (property == nullptr) property = schema.additional_schema.get();
      if (property != nullptr) {
        if (m.value.is_null() && drops_null(*property)) continue;
        prune_nulls(m.value, *property);
      }
      if (&members[kept] != &m) members[kept] = m;
      ++kept;
    }
    v.truncate(kept);
  } else if (v.is_array() && schema.items) {
    for (Value& item : v.mutable_items()) prune_nulls(item, *schema.items);
  }
}

}  // namespace strake::schema
