#include <fmt/format.h>

#include <algorithm>

#include "base/edit_distance.h"
#include "base/hash.h"
#include "schema/defaults.h"
#include "schema/drop_nulls.h"
#include "schema/list_key.h"
#include "schema/prune.h"
#include "schema/stream/stream_impl.h"
#include "schema/validate.h"

namespace strake::schema {
namespace {

using value::FieldError;
using value::Value;

FieldPath joined(FieldPath path, const FieldPath& below) {
  for (const FieldPath::Step& step : below.steps()) {
    if (step.kind == FieldPath::Kind::kIndex) {
      path.push_index(step.index);
    } else {
      path.push_field(step.name);
    }
  }
  return path;
}

// The field that may have been meant, of those that the object has not.
template <typename Has>
std::string_view nearest_field(std::string_view key, const Node& schema, Has has) {
  std::vector<std::string_view> absent;
  for (std::size_t i = 0; i < schema.properties.size(); ++i) {
    if (!has(i)) absent.push_back(schema.properties[i].name);
  }
  const auto near = closest(key, absent);
  return near && *near != key ? *near : std::string_view();
}

// The same in a part that is at hand, pruned already.
std::string_view nearest_field(const Value& part, const Node& part_schema, const FieldPath& place) {
  const Value* v = &part;
  const Node* schema = &part_schema;
  for (std::size_t i = 0; i + 1 < place.steps().size() && schema != nullptr; ++i) {
    const FieldPath::Step& step = place.steps()[i];
    const bool item = step.kind == FieldPath::Kind::kIndex;
    schema = item ? schema->items.get() : schema->member(step.name);
    v = item ? &v->items()[step.index] : v->find(step.name);
  }
  if (schema == nullptr) return {};
  return nearest_field(place.steps().back().name, *schema, [&](std::size_t i) {
    return v->find(schema->properties[i].name) != nullptr;
  });
}

}  // namespace

StreamValidator::Impl::Print StreamValidator::Impl::print_of(std::string_view text) {
  return {hash64(text, 1), hash64(text, 2)};
}

// A member that was there, or that its default brings in. False when more than its schema is
// against it.
bool StreamValidator::Impl::absent_or_default(const Node& schema, Faults& faults) {
  if (!schema.default_value) return true;
  Arena arena;
  Value v = value::deep_copy(schema.default_value->root(), arena);
  apply_defaults(v, schema, arena);
  judge(v, schema, faults);
  return judge_below(v, schema);
}

// Those who look at more than the schema are asked about a value and all that is in it.
bool StreamValidator::Impl::judge_below(const Value& v, const Node& schema) const {
  if (options.parts == nullptr || in_dropped_member()) return true;
  if (!schema.has_rules_below && !schema.has_embedded_below) return true;
  return options.parts->judge(v, {schema, list_path(), true});
}

void StreamValidator::Impl::settle(Value& v, const Node& schema, const Settling& how,
                                   Arena& arena) {
  if (!how.unpruned) {
    prune(v, schema,
          {.resource_root = how.root && options.resource_root,
           .keep_unknown = how.keep_unknown,
           .places = how.dropped});
  }
  if (how.dropped != nullptr) {
    for (const FieldPath& place : *how.dropped)
      note_unknown(joined(path(), place), nearest_field(v, schema, place));
  }
  if (options.apply_defaults) {
    prune_nulls(v, schema);
  } else {
    drop_nulls(v, schema);
  }
  if (options.parts != nullptr && (schema.has_embedded_below || how.root))
    options.parts->decode(v, {schema, list_path(), true}, arena);
  if (options.apply_defaults) apply_defaults(v, schema, arena);
  if (how.root && !options.dropped_member.empty() && v.is_object())
    v.remove(options.dropped_member);
}

// The frame has ended, and is no longer among the open ones.
bool StreamValidator::Impl::judge_tee(Frame& frame) {
  --tees;
  std::optional<value::Document> held = frame.tee->take();
  const bool dropped = in_dropped_member();
  const FieldPath at = list_path();
  const StreamParts::Part part{*frame.schema, at, false};
  if (!held) {
    if (!dropped) options.parts->left_out(part);
    return true;
  }
  settle(
      held->root(), *frame.schema,
      {.root = frames.empty(), .unpruned = frame.unpruned, .keep_unknown = frame.inherits_unknown},
      held->arena());
  return dropped || options.parts->judge(held->root(), part);
}

// A part that was held is settled and judged as a document of its own.
bool StreamValidator::Impl::take_whole(Value& v, const Node& schema, Arena& arena) {
  std::vector<FieldPath> dropped;
  settle(v, schema,
         {.root = frames.empty(),
          .unpruned = held_unpruned,
          .keep_unknown = held_keeps_unknown,
          .dropped = &dropped},
         arena);
  Faults faults;
  judge(v, schema, faults);
  check_element(v);
  const bool sound = judge_below(v, schema);
  return finish_value(std::move(faults), sound);
}

// Most values are right, and then nobody asks where they stand: the path is made for the others.
void StreamValidator::Impl::judge(const Value& v, const Node& schema, Faults& faults) const {
  if (!validate(v, schema).empty()) faults.values.add_all(validate(v, schema, path()));
  if (schema.has_lists_below && !validate_list_types(v, schema).empty())
    faults.lists.add_all(validate_list_types(v, schema, list_path()));
  tell(faults);
}

// An element of a set or map, against those before it. Other values pass.
void StreamValidator::Impl::check_element(const Value& item) {
  if (frames.empty() || frames.back().object || !is_unique_list(*frames.back().schema)) return;
  Frame& list = frames.back();
  const auto first_before = [&](const std::string& identity) -> std::optional<std::size_t> {
    const auto [at, fresh] = list.seen.try_emplace(print_of(identity), Frame::Seen{list.count});
    // Told once, at the second; what is past the limit is counted.
    if (fresh || std::exchange(at->second.told, true)) return std::nullopt;
    if (list.list_faults.size() < options.max_errors) return at->second.first;
    return ++total, std::nullopt;
  };
  const auto add = [&](const Value& shown, std::size_t first) {
    FieldError error = FieldError::duplicate(list_path(), shown);
    error.first = first;
    list.list_faults.push_back(std::move(error));
  };
  if (list.schema->list_type == ListType::kSet) {
    if (const auto first = first_before(element_identity(item))) add(item, *first);
    return;
  }
  // In memory the whole list is looked at for a non-object first, and that error replaces those
  // about duplicates. The stream meets it last, so it clears what was found.
  if (list.broken_map) return;
  if (!item.is_object() && !item.is_null()) {
    list.broken_map = true;
    list.list_faults.clear();
    list.list_faults.push_back(
        FieldError::invalid(list_path(), item, "must be an object for an array of list-type map"));
    return;
  }
  if (const auto first = first_before(element_identity(item, list.schema->map_keys))) {
    Arena arena;
    add(key_fields(item, list.schema->map_keys, arena), *first);
  }
}

// A map of millions may be wrong in each of its entries: those that come first are told.
void StreamValidator::Impl::keep_first_members(Frame& frame) {
  // Cut at twice the limit, so that selecting costs a constant per entry on average.
  const std::size_t most = std::max<std::size_t>(options.max_errors, 1);
  if (frame.members.size() < 2 * most) return;
  const auto cut = frame.members.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(frame.members.begin(), cut, frame.members.end(), comes_first);
  for (auto left_out = cut; left_out != frame.members.end(); ++left_out)
    total += left_out->faults.total();
  frame.members.erase(cut, frame.members.end());
}

// A value has been judged: its faults go to the container, or are the document's own.
bool StreamValidator::Impl::finish_value(Faults&& faults, bool sound) {
  if (frames.size() == 1 && in_dropped_member()) return true;
  const bool stop =
      stop_early(faults) || (!sound && options.strategy == StreamOptions::Strategy::kFailFast);
  if (frames.empty()) {
    result = std::move(faults);
    done = true;
  } else {
    Frame& frame = frames.back();
    ++frame.count;
    if (frame.object) {
      const Node& schema = *frame.schema;
      met_metadata = met_metadata || (frames.size() == 1 && frame.key == "metadata");
      for (std::size_t i = 0; i < schema.required.size(); ++i) {
        if (schema.required[i] == frame.key) frame.required_seen[i] = true;
      }
      if (!frame.property_seen.empty() && frame.named) frame.property_seen[frame.property] = true;
      if (!frame.named && schema.additional == Additional::kFalse &&
          !(frame.keeps_meta && is_type_meta(frame.key))) {
        FieldPath container = path();
        const std::string text = container.to_k8s();
        container.pop();
        faults.values.add(FieldError::invalid(container, Value::string(frame.key),
                                              text + " in body is a forbidden property"));
      }
      if (!faults.empty()) {
        frame.members.push_back({frame.key, frame.named, std::move(faults)});
        keep_first_members(frame);
      }
    } else if (frame.items.size() < options.max_errors) {
      if (!faults.empty()) frame.items.merge(std::move(faults));
    } else {
      total += faults.total();
    }
  }
  if (stop) stopped = true;
  return !stop;
}

void StreamValidator::Impl::end_object(Frame& frame, Faults& faults) {
  const Node& schema = *frame.schema;
  if (frame.type_error) faults.values.add(*std::move(frame.type_error));
  // Defaults bring in what is missing; their own faults, if any, are the schema's.
  for (std::size_t i = 0; i < frame.property_seen.size(); ++i) {
    if (frame.property_seen[i] || !schema.properties[i].node->default_value) continue;
    if (is_settled_elsewhere(schema.properties[i].name)) continue;
    ++frame.count;
    frame.key = schema.properties[i].name;
    frame.named = true;
    // The frame goes back on the stack while the default is judged: paths are read from the open
    // frames.
    frames.push_back(std::move(frame));
    MemberFaults added{frames.back().key, true, {}};
    const bool sound = absent_or_default(*schema.properties[i].node, added.faults);
    frame = std::move(frames.back());
    frame.sound = frame.sound && sound;
    frames.pop_back();
    if (!added.faults.empty()) frame.members.push_back(std::move(added));
  }
  for (const std::size_t i : frame.unknown) {
    unknown[i].nearest =
        nearest_field(unknown[i].path.steps().back().name, schema,
                      [&](std::size_t property) { return frame.property_sent[property]; });
  }
  const bool adds_metadata = frames.empty() && options.passes_metadata && !met_metadata;
  frame.count += adds_metadata;
  std::sort(frame.members.begin(), frame.members.end(), comes_first);
  // The order of validate(): sizes of the object, then its members by name, then missing ones.
  // Faults of lists are a separate pass there and are collected apart.
  for (MemberFaults& member : frame.members) faults.lists.merge(std::move(member.faults.lists));
  const auto size = static_cast<std::int64_t>(frame.count);
  if (schema.min_properties && size < *schema.min_properties) {
    const FieldPath at = path();
    FieldError error =
        FieldError::invalid(at, Value::integer(size),
                            fmt::format("{} in body should have at least {} properties",
                                        at.to_k8s(), *schema.min_properties));
    error.nil_path = at.empty();
    faults.values.add(std::move(error));
  }
  if (schema.max_properties && size > *schema.max_properties) {
    faults.values.add(FieldError::too_many(path(), size, *schema.max_properties));
  }
  for (MemberFaults& member : frame.members) faults.values.merge(std::move(member.faults.values));
  for (std::size_t i = 0; i < schema.required.size(); ++i) {
    if (frame.required_seen[i]) continue;
    const Node* named = schema.property(schema.required[i]);
    const bool dropped = frames.empty() && schema.required[i] == options.dropped_member;
    if (named != nullptr && named->default_value && !dropped) continue;
    if (adds_metadata && schema.required[i] == "metadata") continue;
    faults.values.add(FieldError::required(path() / schema.required[i]));
  }
}

void StreamValidator::Impl::end_array(Frame& frame, Faults& faults) {
  const Node& schema = *frame.schema;
  if (frame.type_error) faults.values.add(*std::move(frame.type_error));
  faults.values.merge(std::move(frame.items.values));
  faults.lists.add_all(std::move(frame.list_faults));
  faults.lists.merge(std::move(frame.items.lists));
  const auto size = static_cast<std::int64_t>(frame.count);
  if (schema.min_items && size < *schema.min_items) {
    const FieldPath at = path();
    FieldError error = FieldError::invalid(
        at, Value::integer(size),
        fmt::format("{} in body should have at least {} items", at.to_k8s(), *schema.min_items));
    error.nil_path = at.empty();
    faults.values.add(std::move(error));
  }
  if (schema.max_items && size > *schema.max_items) {
    faults.values.add(FieldError::too_many(path(), size, *schema.max_items));
  }
}

bool StreamValidator::Impl::end() {
  if (!skipped.empty()) return skip_end();
  Frame frame = std::move(frames.back());
  frames.pop_back();
  Faults faults;
  if (frame.object) {
    end_object(frame, faults);
  } else {
    end_array(frame, faults);
  }
  tell(faults);
  if (frame.tee) frame.sound = judge_tee(frame) && frame.sound;
  return finish_value(std::move(faults), frame.sound);
}

}  // namespace strake::schema
