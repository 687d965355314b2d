#include "schema/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/edit_distance.h"
#include "base/hash.h"
#include "schema/defaults.h"
#include "schema/drop_nulls.h"
#include "schema/list_key.h"
#include "schema/prune.h"
#include "schema/stream_tee.h"
#include "schema/type_check.h"
#include "schema/validate.h"
#include "value/builder.h"

namespace strake::schema {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// What is wrong at and below a place. Lists are a second pass of the whole document, so their
// faults are kept apart.
struct Faults {
  FieldErrors values;
  FieldErrors lists;
  bool empty() const { return values.empty() && lists.empty(); }
};

void append(FieldErrors& to, FieldErrors&& from) {
  for (FieldError& error : from) {
    // As in memory, a message stands once among the faults of a node.
    const std::string text = error.to_string();
    const bool known = std::any_of(to.begin(), to.end(), [&](const FieldError& other) {
      return other.type == error.type && other.to_string() == text;
    });
    if (!known) to.push_back(std::move(error));
  }
}

struct MemberFaults {
  std::string key;
  bool named;
  Faults faults;
};

// The reference reports additional members before named ones, each by name.
bool comes_first(const MemberFaults& a, const MemberFaults& b) {
  return a.named != b.named ? b.named : a.key < b.key;
}

// Hashes of 128 bits stand for the elements that were seen: 16 bytes an element and a count.
struct Print {
  std::uint64_t low;
  std::uint64_t high;
  friend bool operator==(const Print&, const Print&) = default;
};
struct PrintHash {
  std::size_t operator()(const Print& p) const { return p.low; }
};
Print print_of(std::string_view text) { return {hash64(text, 1), hash64(text, 2)}; }

struct Frame {
  const Node* schema = nullptr;
  bool object = false;
  bool keeps_meta = false;  // apiVersion, kind and metadata are never unknown here
  bool keeps_unknown =
      false;                 // x-kubernetes-preserve-unknown-fields, here or on the list around it
  bool unpruned = false;     // in the metadata of a resource: nothing is unknown
  bool named = false;        // the member being read is one that the schema names
  std::size_t property = 0;  // which one
  std::size_t count = 0;     // members or items that stay
  std::string key;           // of the member being read
  std::optional<FieldError> type_error;
  std::vector<bool> required_seen;
  std::vector<bool> property_sent;
  std::vector<bool> property_seen;   // and not dropped; only where defaults need it
  std::vector<std::size_t> unknown;  // which of the unknown fields are its members
  std::optional<StreamTee> tee;      // for those who need it whole
  bool inherits_unknown = false;     // keeps_unknown, from the list around it
  std::vector<MemberFaults> members;
  bool sound = true;  // as far as the defaults that it takes
  Faults items;
  FieldErrors list_faults;  // of this list's own elements
  bool broken_map = false;  // a list-type map with an element that is no object
  struct Seen {
    std::size_t first = 0;
    bool told = false;
  };
  std::unordered_map<Print, Seen, PrintHash> seen;
};

bool needs_whole(const Node& schema) {
  return schema.composition != nullptr || schema.enumeration != nullptr;
}

std::optional<std::size_t> index_of(const Node& schema, std::string_view name) {
  const auto at = std::ranges::lower_bound(schema.properties, name, {}, &Property::name);
  if (at == schema.properties.end() || at->name != name) return std::nullopt;
  return static_cast<std::size_t>(at - schema.properties.begin());
}

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

bool is_unique_list(const Node& schema) {
  return schema.list_type == ListType::kSet || schema.list_type == ListType::kMap;
}

}  // namespace

struct StreamValidator::Impl {
  Impl(const Node& root_schema, const StreamOptions& o)
      : root(root_schema), options(o), builder(read_options()) {}

  static value::ReadOptions read_options() {
    value::ReadOptions o;
    o.duplicates = value::DuplicatePolicy::kLastWins;
    return o;
  }

  // The schema of the value that comes next, null when there is none; `dropped` when pruning takes
  // it away.
  const Node* next_schema(bool& dropped);
  bool begin(bool object);
  bool end();
  void end_object(Frame& frame, Faults& faults);
  void end_array(Frame& frame, Faults& faults);
  bool finish_value(Faults&& faults, bool sound = true);
  bool take_whole(Value& v, const Node& schema, Arena& arena);
  // Brings a part into the form in which it is judged.
  struct Settling {
    bool root = false;
    bool unpruned = false;
    bool keep_unknown = false;
    std::vector<FieldPath>* dropped = nullptr;
  };
  void settle(Value& v, const Node& schema, const Settling& how, Arena& arena);
  bool judge_tee(Frame& frame);
  bool judge_below(const Value& v, const Node& schema) const;
  template <typename Event>
  void to_tees(Event event);
  // For the frame that has just been opened, when it has one.
  void start_tee(bool object, const Position& at) {
    if (skipped.empty() && holding == 0 && frames.back().tee) frames.back().tee->begin(object, at);
  }
  // The member of the root that is only pruned and decoded is being read.
  bool in_dropped_member() const {
    return !frames.empty() && !options.dropped_member.empty() && frames[0].object &&
           frames[0].key == options.dropped_member;
  }
  bool unpruned_next() const {
    if (frames.empty()) return false;
    const Frame& frame = frames.back();
    return frame.unpruned || (frame.object && frame.keeps_meta && is_type_meta(frame.key));
  }
  // A member of the root, which has ended, that is not for the defaults here.
  bool is_settled_elsewhere(std::string_view name) const {
    if (!frames.empty()) return false;
    return (options.passes_metadata && name == "metadata") ||
           (!options.dropped_member.empty() && name == options.dropped_member);
  }
  void tell(const Faults& faults) const {
    if (options.parts == nullptr || in_dropped_member()) return;
    options.parts->found(faults.values);
    options.parts->found(faults.lists);
  }
  bool scalar(const Value& v);
  void keep_first_members(Frame& frame);
  bool absent_or_default(const Node& schema, Faults& faults);
  void judge(const Value& v, const Node& schema, Faults& faults) const;
  void check_element(const Value& item);
  bool hold(std::size_t bytes);
  FieldPath path() const;
  FieldPath list_path() const;  // as the pass over lists prints it: entries of maps in brackets
  void note_unknown(FieldPath at, std::string_view nearest = {});
  bool skip_begin(bool object);
  bool skip_end();
  void skip_key(std::string_view name);
  bool end_container(const Position& at, bool object);
  bool stop_early(const Faults& faults) const {
    return options.strategy == StreamOptions::Strategy::kFailFast && !faults.empty();
  }

  const Node& root;
  StreamOptions options;
  std::vector<Frame> frames;
  // A part that is passed over, since no schema speaks of it.
  enum class Skip : std::uint8_t {
    kDropped,  // pruning takes it away
    kKept,     // it stays as it is
    kEmptied,  // it stays, but objects in it lose their members
  };
  Skip skip = Skip::kKept;
  struct Skipped {
    bool object;
    std::size_t index;  // of the next element, in an array
  };
  std::vector<Skipped> skipped;     // open containers of that part
  std::size_t skipped_objects = 0;  // of these, objects
  value::DocumentBuilder builder;   // the part that is held
  std::size_t holding = 0;          // open containers of that part
  const Node* held_schema = nullptr;
  bool held_keeps_unknown = false;
  bool held_unpruned = false;
  std::size_t held_bytes = 0;
  bool gave_up = false;  // the part outgrew its threshold
  bool stopped = false;
  bool done = false;
  Faults result;
  std::uint64_t total = 0;
  std::size_t tees = 0;  // open frames with one
  bool met_metadata = false;
  std::vector<UnknownField> unknown;
  std::vector<FieldPath> not_judged;
};

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
  if (!validate(v, schema).empty()) append(faults.values, validate(v, schema, path()));
  if (schema.has_lists_below && !validate_list_types(v, schema).empty())
    append(faults.lists, validate_list_types(v, schema, list_path()));
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
    list.list_faults.push_back(FieldError::duplicate(list_path(), shown));
    list.list_faults.back().first = first;
  };
  if (list.schema->list_type == ListType::kSet) {
    if (const auto first = first_before(element_identity(item))) add(item, *first);
    return;
  }
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
  const std::size_t most = std::max<std::size_t>(options.max_errors, 1);
  if (frame.members.size() < 2 * most) return;
  const auto cut = frame.members.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(frame.members.begin(), cut, frame.members.end(), comes_first);
  for (auto left_out = cut; left_out != frame.members.end(); ++left_out)
    total += left_out->faults.values.size() + left_out->faults.lists.size();
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
        faults.values.push_back(FieldError::invalid(container, Value::string(frame.key),
                                                    text + " in body is a forbidden property"));
      }
      if (!faults.empty()) {
        frame.members.push_back({frame.key, frame.named, std::move(faults)});
        keep_first_members(frame);
      }
    } else if (frame.items.values.size() + frame.items.lists.size() < options.max_errors) {
      append(frame.items.values, std::move(faults.values));
      append(frame.items.lists, std::move(faults.lists));
    } else {
      total += faults.values.size() + faults.lists.size();
    }
  }
  if (stop) stopped = true;
  return !stop;
}

void StreamValidator::Impl::end_object(Frame& frame, Faults& faults) {
  const Node& schema = *frame.schema;
  if (frame.type_error) faults.values.push_back(*std::move(frame.type_error));
  // Defaults bring in what is missing; their own faults, if any, are the schema's.
  for (std::size_t i = 0; i < frame.property_seen.size(); ++i) {
    if (frame.property_seen[i] || !schema.properties[i].node->default_value) continue;
    if (is_settled_elsewhere(schema.properties[i].name)) continue;
    ++frame.count;
    frame.key = schema.properties[i].name;
    frame.named = true;
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
  for (MemberFaults& member : frame.members) append(faults.lists, std::move(member.faults.lists));
  const auto size = static_cast<std::int64_t>(frame.count);
  if (schema.min_properties && size < *schema.min_properties) {
    const FieldPath at = path();
    FieldError error =
        FieldError::invalid(at, Value::integer(size),
                            fmt::format("{} in body should have at least {} properties",
                                        at.to_k8s(), *schema.min_properties));
    error.nil_path = at.empty();
    append(faults.values, {std::move(error)});
  }
  if (schema.max_properties && size > *schema.max_properties) {
    append(faults.values, {FieldError::too_many(path(), size, *schema.max_properties)});
  }
  for (MemberFaults& member : frame.members) append(faults.values, std::move(member.faults.values));
  for (std::size_t i = 0; i < schema.required.size(); ++i) {
    if (frame.required_seen[i]) continue;
    const Node* named = schema.property(schema.required[i]);
    const bool dropped = frames.empty() && schema.required[i] == options.dropped_member;
    if (named != nullptr && named->default_value && !dropped) continue;
    if (adds_metadata && schema.required[i] == "metadata") continue;
    append(faults.values, {FieldError::required(path() / schema.required[i])});
  }
}

void StreamValidator::Impl::end_array(Frame& frame, Faults& faults) {
  const Node& schema = *frame.schema;
  if (frame.type_error) faults.values.push_back(*std::move(frame.type_error));
  append(faults.values, std::move(frame.items.values));
  append(faults.lists, std::move(frame.list_faults));
  append(faults.lists, std::move(frame.items.lists));
  const auto size = static_cast<std::int64_t>(frame.count);
  if (schema.min_items && size < *schema.min_items) {
    const FieldPath at = path();
    FieldError error = FieldError::invalid(
        at, Value::integer(size),
        fmt::format("{} in body should have at least {} items", at.to_k8s(), *schema.min_items));
    error.nil_path = at.empty();
    append(faults.values, {std::move(error)});
  }
  if (schema.max_items && size > *schema.max_items) {
    append(faults.values, {FieldError::too_many(path(), size, *schema.max_items)});
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

StreamValidator::StreamValidator(const Node& schema, const StreamOptions& options)
    : impl_(std::make_unique<Impl>(schema, options)) {}
StreamValidator::~StreamValidator() = default;

std::size_t StreamValidator::buffered_bytes() const {
  return impl_->holding != 0 ? impl_->held_bytes : 0;
}

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
    Frame frame = std::move(in.frames.back());
    in.frames.pop_back();
    Faults faults;
    for (MemberFaults& member : frame.members) {
      append(faults.values, std::move(member.faults.values));
      append(faults.lists, std::move(member.faults.lists));
    }
    append(faults.values, std::move(frame.items.values));
    append(faults.lists, std::move(frame.items.lists));
    in.finish_value(std::move(faults));
  }
  StreamVerdict verdict;
  verdict.errors = std::move(in.result.values);
  for (FieldError& error : in.result.lists) verdict.errors.push_back(std::move(error));
  verdict.total_errors = in.total + verdict.errors.size();
  if (verdict.errors.size() > in.options.max_errors) verdict.errors.resize(in.options.max_errors);
  std::ranges::sort(in.unknown, {}, &UnknownField::text);
  verdict.unknown = std::move(in.unknown);
  verdict.not_judged = std::move(in.not_judged);
  return verdict;
}

}  // namespace strake::schema
