#include "schema/stream/stream.h"

#include <algorithm>

#include "schema/stream/stream_impl.h"
#include "schema/type_check.h"

// A stack automaton: a frame for each container that is open, with what must be remembered of it
// until it ends (which required members were seen, how many items there were, faults so far). A
// value is judged when it ends, and its faults move up into the frame around it, so that they come
// out in the order in which validate() lists them, which is not that of the text. Memory is that of
// the open frames, the faults, and 24 bytes or so for each element of a set or map (Frame::seen).
//
// Four things can happen to an event, and begin() decides which at the start of a value:
//   - it belongs to a frame: the usual case;
//   - it is skipped, since no schema speaks of the value (Impl::skipped has the open containers);
//   - it is held, since the schema needs the value whole (unions, enumerations, elements of sets
//     and maps): the builder makes a document of it, and take_whole() judges that as in memory;
//   - besides any of these, it goes to the tees, which gather values for rules and embedded
//     resources (StreamParts).
// Skipping and holding end with the value that began them, so they never overlap.
//
// The invariant that everything rests on: the verdict is that of prune, default and validate over
// the whole document. The tests run both over the same inputs, and schema_fuzz.cc does so for any.

namespace strake::schema {
namespace {

using value::FieldError;
using value::Value;

bool needs_whole(const Node& schema) {
  return schema.composition != nullptr || schema.enumeration != nullptr;
}

std::optional<std::size_t> index_of(const Node& schema, std::string_view name) {
  const auto at = std::ranges::lower_bound(schema.properties, name, {}, &Property::name);
  if (at == schema.properties.end() || at->name != name) return std::nullopt;
  return static_cast<std::size_t>(at - schema.properties.begin());
}

}  // namespace

FieldPath StreamValidator::Impl::path() const {
  FieldPath out;
  for (const Frame& frame : frames) {
    if (frame.object) {
      out.push_field(frame.key);
    } else {
      out.push_index(frame.count);
    }
  }
  return out;
}

FieldPath StreamValidator::Impl::list_path() const {
  FieldPath out;
  for (const Frame& frame : frames) {
    if (!frame.object) {
      out.push_index(frame.count);
    } else if (frame.named) {
      out.push_field(frame.key);
    } else {
      out.push_key(frame.key);
    }
  }
  return out;
}

void StreamValidator::Impl::note_unknown(FieldPath at, std::string_view nearest) {
  if (unknown.size() >= options.max_errors) return;
  std::string text = at.to_k8s();
  unknown.push_back({std::move(text), std::move(at), nearest});
}

const Node* StreamValidator::Impl::next_schema(bool& dropped) {
  dropped = false;
  if (frames.empty()) return &root;
  Frame& frame = frames.back();
  const Node& schema = *frame.schema;
  if (!frame.object) return schema.items.get();
  frame.named = false;
  if (frames.size() == 1 && options.passes_metadata && frame.key == "metadata") return nullptr;
  const auto named = index_of(schema, frame.key);
  frame.named = named.has_value();
  if (named) {
    frame.property = *named;
    frame.property_sent[*named] = true;
    return schema.properties[*named].node.get();
  }
  if (unpruned_next() || schema.additional != Additional::kAbsent)
    return schema.additional_schema.get();
  dropped = !frame.keeps_unknown;
  if (dropped && unknown.size() < options.max_errors) {
    frame.unknown.push_back(unknown.size());
    note_unknown(path());
  }
  return nullptr;
}

// Of parts without a schema only an emptied one has something to tell: the members that its
// outermost objects lose.
bool StreamValidator::Impl::skip_begin(bool object) {
  skipped.push_back({object, 0});
  skipped_objects += object;
  return true;
}

bool StreamValidator::Impl::skip_end() {
  skipped_objects -= skipped.back().object;
  skipped.pop_back();
  if (!skipped.empty()) return skipped.back().index += !skipped.back().object, true;
  return skip == Skip::kDropped || finish_value({});
}

void StreamValidator::Impl::skip_key(std::string_view name) {
  if (skip != Skip::kEmptied || skipped_objects != 1 || !skipped.back().object) return;
  FieldPath at = path();
  for (std::size_t i = 0; i + 1 < skipped.size(); ++i) at.push_index(skipped[i].index);
  at.push_field(name);
  note_unknown(std::move(at));
}

bool StreamValidator::Impl::hold(std::size_t bytes) {
  if (options.strategy == StreamOptions::Strategy::kFullBuffer) return true;
  held_bytes += bytes;
  if (held_bytes <= std::min(options.max_buffer, options.max_total_buffer)) return true;
  gave_up = true;
  return false;
}

bool StreamValidator::Impl::begin(bool object) {
  if (!skipped.empty()) return skip_begin(object);
  bool dropped = false;
  const Node* schema = next_schema(dropped);
  if (schema == nullptr) {
    const bool meta = unpruned_next();
    // additionalProperties speak of objects: the elements of an array are kept whatever they say.
    const bool uncovered =
        !frames.back().object || frames.back().schema->additional == Additional::kAbsent;
    const bool kept = meta || (frames.back().keeps_unknown && uncovered);
    skip = dropped ? Skip::kDropped : kept ? Skip::kKept : Skip::kEmptied;
    return skip_begin(object);
  }
  const bool element =
      !frames.empty() && !frames.back().object && is_unique_list(*frames.back().schema);
  if (needs_whole(*schema) || element) {
    held_schema = schema;
    held_keeps_unknown = !frames.empty() && !frames.back().object && frames.back().keeps_unknown;
    held_unpruned = unpruned_next();
    held_bytes = 0;
    gave_up = false;
    holding = 1;
    return true;
  }
  Frame frame;
  frame.schema = schema;
  frame.object = object;
  frame.keeps_meta =
      object && ((frames.empty() && options.resource_root) || schema->embedded_resource);
  frame.unpruned = unpruned_next();
  frame.inherits_unknown = !frames.empty() && !frames.back().object && frames.back().keeps_unknown;
  frame.keeps_unknown = schema->preserve_unknown || frame.inherits_unknown;
  Value empty = object ? Value::object({}) : Value::array({});
  // Whether the type fits is known at the brace; what is inside is still read, since pruning
  // reports its unknown fields either way. The path is built only for a fault.
  if (check_type(empty, *schema, PathTrail(FieldPath()))) {
    const FieldPath at = path();
    frame.type_error = check_type(empty, *schema, PathTrail(at));
  }
  if (object) {
    frame.required_seen.resize(schema->required.size());
    frame.property_sent.resize(schema->properties.size());
    if (schema->has_defaults_below && options.apply_defaults)
      frame.property_seen.resize(schema->properties.size());
  }
  const auto need =
      options.parts != nullptr ? options.parts->need(*schema) : StreamParts::Need::kNothing;
  if (need != StreamParts::Need::kNothing) {
    const bool unbounded = options.strategy == StreamOptions::Strategy::kFullBuffer;
    frame.tee.emplace(need, unbounded ? SIZE_MAX : options.max_buffer);
    ++tees;
  }
  frames.push_back(std::move(frame));
  return true;
}

// All who hold a part that the event belongs to, and within what may be held at one time: the
// outermost, which is the largest, gives way first.
template <typename Event>
void StreamValidator::Impl::to_tees(Event event) {
  if (tees == 0) return;
  std::size_t sum = 0;
  for (Frame& frame : frames) {
    if (!frame.tee) continue;
    event(*frame.tee);
    sum += frame.tee->bytes();
  }
  if (options.strategy == StreamOptions::Strategy::kFullBuffer) return;
  for (Frame& frame : frames) {
    if (sum <= options.max_total_buffer) return;
    if (!frame.tee) continue;
    sum -= frame.tee->bytes();
    frame.tee->give_up();
  }
}

bool StreamValidator::Impl::scalar(const Value& v) {
  if (!skipped.empty()) return skipped.back().index += !skipped.back().object, true;
  bool dropped = false;
  const Node* schema = next_schema(dropped);
  Faults faults;
  if (dropped) return true;
  if (schema == nullptr) return finish_value(std::move(faults));
  if (v.is_null() && !schema->nullable && !frames.empty()) {
    const bool in_object = frames.back().object;
    const bool takes_default = schema->default_value && options.apply_defaults;
    // kube-apiserver 1.36 drops a member that is null where the schema allows none, or puts the
    // default in its place. An item cannot be dropped: without a default it is judged as null.
    if (in_object && !takes_default) return true;  // dropped, as if it had not been there
    if (takes_default) {
      const bool sound = absent_or_default(*schema, faults);
      check_element(schema->default_value->root());
      return finish_value(std::move(faults), sound);
    }
  }
  judge(v, *schema, faults);
  check_element(v);
  const bool sound = judge_below(v, *schema);
  return finish_value(std::move(faults), sound);
}

StreamValidator::StreamValidator(const Node& schema, const StreamOptions& options)
    : impl_(std::make_unique<Impl>(schema, options)) {}

StreamValidator::~StreamValidator() = default;

// Each event goes to the part that is held, if there is one; else to the frames.
bool StreamValidator::begin_object(const Position& at) {
  Impl& in = *impl_;
  in.to_tees([&](StreamTee& tee) { tee.begin(true, at); });
  if (in.holding != 0) {
    ++in.holding;
    return in.gave_up || !in.hold(sizeof(Value) * 2) || in.builder.begin_object(at);
  }
  if (!in.begin(true)) return false;
  in.start_tee(true, at);
  return in.holding == 0 || in.builder.begin_object(at);
}

bool StreamValidator::begin_array(const Position& at) {
  Impl& in = *impl_;
  in.to_tees([&](StreamTee& tee) { tee.begin(false, at); });
  if (in.holding != 0) {
    ++in.holding;
    return in.gave_up || !in.hold(sizeof(Value) * 2) || in.builder.begin_array(at);
  }
  if (!in.begin(false)) return false;
  in.start_tee(false, at);
  return in.holding == 0 || in.builder.begin_array(at);
}

bool StreamValidator::key(std::string_view name, const Position& at) {
  Impl& in = *impl_;
  in.to_tees([&](StreamTee& tee) { tee.key(name, at); });
  if (in.holding != 0)
    return in.gave_up || !in.hold(name.size() + sizeof(Value)) || in.builder.key(name, at);
  if (in.skipped.empty()) {
    in.frames.back().key.assign(name);
  } else {
    in.skip_key(name);
  }
  return true;
}

bool StreamValidator::scalar(const Value& v, const Position& at) {
  Impl& in = *impl_;
  in.to_tees([&](StreamTee& tee) { tee.scalar(v, at); });
  if (in.holding == 0) return in.scalar(v);
  const std::size_t text = v.is_string() ? v.size() : 0;
  return in.gave_up || !in.hold(text + sizeof(Value)) || in.builder.scalar(v, at);
}

bool StreamValidator::end_object(const Position& at) { return impl_->end_container(at, true); }

bool StreamValidator::end_array(const Position& at) { return impl_->end_container(at, false); }

bool StreamValidator::Impl::end_container(const Position& at, bool object) {
  to_tees([&](StreamTee& tee) { tee.end(object, at); });
  if (holding == 0) return end();
  if (!gave_up && !(object ? builder.end_object(at) : builder.end_array(at))) return false;
  if (--holding != 0) return true;
  if (gave_up) {
    builder.reset();
    if (not_judged.size() < options.max_errors) not_judged.push_back(path());
    if (options.strategy == StreamOptions::Strategy::kFailFast) return stopped = true, false;
    return finish_value({});
  }
  value::Document held = builder.take();
  return take_whole(held.root(), *held_schema, held.arena());
}

bool StreamValidator::end_document(const Position&) { return true; }

StreamVerdict StreamValidator::take() {
  Impl& in = *impl_;
  // A validator that stopped its source still knows the faults of what is open.
  while (!in.done && !in.frames.empty()) {
    Impl::Frame frame = std::move(in.frames.back());
    in.frames.pop_back();
    Impl::Faults faults;
    for (Impl::MemberFaults& member : frame.members) faults.merge(std::move(member.faults));
    faults.merge(std::move(frame.items));
    in.finish_value(std::move(faults));
  }
  StreamVerdict verdict;
  verdict.total_errors = in.total + in.result.total();
  verdict.errors = std::move(in.result.values).take();
  verdict.errors.append(std::move(in.result.lists).take());
  verdict.errors.keep_first(in.options.max_errors);
  std::ranges::sort(in.unknown, {}, &UnknownField::text);
  verdict.unknown = std::move(in.unknown);
  verdict.not_judged = std::move(in.not_judged);
  return verdict;
}

}  // namespace strake::schema
