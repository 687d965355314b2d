#include "schema/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "schema/defaults.h"
#include "schema/drop_nulls.h"
#include "schema/list_key.h"
#include "schema/prune.h"
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
      false;              // x-kubernetes-preserve-unknown-fields, here or on the list around it
  bool named = false;     // the member being read is one that the schema names
  std::size_t count = 0;  // members or items that stay
  std::string key;        // of the member being read
  std::optional<FieldError> type_error;
  std::vector<bool> required_seen;
  std::vector<bool> property_seen;  // only where defaults or counts need it
  std::vector<MemberFaults> members;
  Faults items;
  FieldErrors list_faults;  // of this list's own elements
  bool broken_map = false;  // a list-type map with an element that is no object
  std::unordered_map<Print, std::uint8_t, PrintHash> seen;
};

bool needs_whole(const Node& schema) {
  return schema.composition != nullptr || schema.enumeration != nullptr;
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
  bool finish_value(Faults&& faults);
  bool take_whole(Value& v, const Node& schema, Arena& arena);
  bool scalar(const Value& v);
  void keep_first_members(Frame& frame);
  void absent_or_default(const Node& schema, Faults& faults);
  void judge(const Value& v, const Node& schema, Faults& faults) const;
  void check_element(const Value& item);
  bool hold(std::size_t bytes);
  FieldPath path() const;
  FieldPath list_path() const;  // as the pass over lists prints it: entries of maps in brackets
  void note_unknown(std::string text);
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
  std::size_t held_bytes = 0;
  bool gave_up = false;  // the part outgrew its threshold
  bool stopped = false;
  bool done = false;
  Faults result;
  std::uint64_t total = 0;
  std::vector<std::string> unknown;
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

void StreamValidator::Impl::note_unknown(std::string text) {
  if (unknown.size() < options.max_errors) unknown.push_back(std::move(text));
}

const Node* StreamValidator::Impl::next_schema(bool& dropped) {
  dropped = false;
  if (frames.empty()) return &root;
  Frame& frame = frames.back();
  const Node& schema = *frame.schema;
  if (!frame.object) return schema.items.get();
  if (const Node* named = schema.property(frame.key)) return frame.named = true, named;
  frame.named = false;
  if (frame.keeps_meta && is_type_meta(frame.key)) return schema.additional_schema.get();
  if (schema.additional != Additional::kAbsent) return schema.additional_schema.get();
  dropped = !frame.keeps_unknown;
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
  note_unknown(at.to_k8s());
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
    if (dropped) note_unknown(path().to_k8s());
    const bool meta = frames.back().keeps_meta && is_type_meta(frames.back().key);
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
  const bool inherits = !frames.empty() && !frames.back().object && frames.back().keeps_unknown;
  frame.keeps_unknown = schema->preserve_unknown || inherits;
  Value empty = object ? Value::object({}) : Value::array({});
  if (check_type(empty, *schema, PathTrail(FieldPath()))) {
    const FieldPath at = path();
    frame.type_error = check_type(empty, *schema, PathTrail(at));
  }
  if (object) {
    frame.required_seen.resize(schema->required.size());
    if (schema->has_defaults_below && options.apply_defaults)
      frame.property_seen.resize(schema->properties.size());
  }
  frames.push_back(std::move(frame));
  return true;
}

// A member that was there, or that its default brings in.
void StreamValidator::Impl::absent_or_default(const Node& schema, Faults& faults) {
  if (!schema.default_value) return;
  Arena arena;
  Value v = value::deep_copy(schema.default_value->root(), arena);
  apply_defaults(v, schema, arena);
  judge(v, schema, faults);
}

bool StreamValidator::Impl::scalar(const Value& v) {
  if (!skipped.empty()) return skipped.back().index += !skipped.back().object, true;
  bool dropped = false;
  const Node* schema = next_schema(dropped);
  Faults faults;
  if (dropped) {
    note_unknown(path().to_k8s());
    return true;
  }
  if (schema == nullptr) return finish_value(std::move(faults));
  if (v.is_null() && !schema->nullable && !frames.empty()) {
    const bool in_object = frames.back().object;
    const bool takes_default = schema->default_value && options.apply_defaults;
    if (in_object && !takes_default) return true;  // dropped, as if it had not been there
    if (takes_default) {
      absent_or_default(*schema, faults);
      check_element(schema->default_value->root());
      return finish_value(std::move(faults));
    }
  }
  judge(v, *schema, faults);
  check_element(v);
  return finish_value(std::move(faults));
}

// A part that was held is settled and judged as a document of its own.
bool StreamValidator::Impl::take_whole(Value& v, const Node& schema, Arena& arena) {
  std::vector<std::string> dropped;
  prune(v, schema,
        {.resource_root = frames.empty() && options.resource_root,
         .keep_unknown = held_keeps_unknown},
        &dropped);
  if (!dropped.empty()) {
    const std::string prefix = path().to_k8s();
    // Paths below an array begin with an index; a key may look like one.
    const std::string_view join = v.is_array() ? "" : ".";
    for (const std::string& field : dropped)
      note_unknown(prefix.empty() ? field : fmt::format("{}{}{}", prefix, join, field));
  }
  if (options.apply_defaults) {
    prune_nulls(v, schema);
    apply_defaults(v, schema, arena);
  } else {
    drop_nulls(v, schema);
  }
  Faults faults;
  judge(v, schema, faults);
  check_element(v);
  return finish_value(std::move(faults));
}

// Most values are right, and then nobody asks where they stand: the path is made for the others.
void StreamValidator::Impl::judge(const Value& v, const Node& schema, Faults& faults) const {
  if (!validate(v, schema).empty()) append(faults.values, validate(v, schema, path()));
  if (!schema.has_lists_below) return;
  if (!validate_list_types(v, schema).empty())
    append(faults.lists, validate_list_types(v, schema, list_path()));
}

// An element of a set or map, against those before it. Other values pass.
void StreamValidator::Impl::check_element(const Value& item) {
  if (frames.empty() || frames.back().object || !is_unique_list(*frames.back().schema)) return;
  Frame& list = frames.back();
  const auto seen_before = [&](const std::string& identity) {
    // Told once, at the second; what is past the limit is counted.
    std::uint8_t& count = list.seen[print_of(identity)];
    if (count == 2 || ++count != 2) return false;
    if (list.list_faults.size() < options.max_errors) return true;
    return ++total, false;
  };
  if (list.schema->list_type == ListType::kSet) {
    if (seen_before(element_identity(item)))
      list.list_faults.push_back(FieldError::duplicate(list_path(), item));
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
  if (seen_before(element_identity(item, list.schema->map_keys))) {
    Arena arena;
    list.list_faults.push_back(
        FieldError::duplicate(list_path(), key_fields(item, list.schema->map_keys, arena)));
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
bool StreamValidator::Impl::finish_value(Faults&& faults) {
  const bool stop = stop_early(faults);
  if (frames.empty()) {
    result = std::move(faults);
    done = true;
  } else {
    Frame& frame = frames.back();
    ++frame.count;
    if (frame.object) {
      const Node& schema = *frame.schema;
      for (std::size_t i = 0; i < schema.required.size(); ++i) {
        if (schema.required[i] == frame.key) frame.required_seen[i] = true;
      }
      const Node* named = schema.property(frame.key);
      if (!frame.property_seen.empty() && named != nullptr) {
        const auto at = std::lower_bound(
            schema.properties.begin(), schema.properties.end(), frame.key,
            [](const Property& p, const std::string& key) { return p.name < key; });
        frame.property_seen[static_cast<std::size_t>(at - schema.properties.begin())] = true;
      }
      if (named == nullptr && schema.additional == Additional::kFalse &&
          !(frame.keeps_meta && is_type_meta(frame.key))) {
        FieldPath container = path();
        const std::string text = container.to_k8s();
        container.pop();
        faults.values.push_back(FieldError::invalid(container, Value::string(frame.key),
                                                    text + " in body is a forbidden property"));
      }
      if (!faults.empty()) {
        frame.members.push_back({frame.key, named != nullptr, std::move(faults)});
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
    ++frame.count;
    frame.key = schema.properties[i].name;
    frame.named = true;
    frames.push_back(std::move(frame));
    MemberFaults added{frames.back().key, true, {}};
    absent_or_default(*schema.properties[i].node, added.faults);
    frame = std::move(frames.back());
    frames.pop_back();
    if (!added.faults.empty()) frame.members.push_back(std::move(added));
  }
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
    if (named != nullptr && named->default_value) continue;
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
  return finish_value(std::move(faults));
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
  if (in.holding != 0) {
    ++in.holding;
    return in.gave_up || !in.hold(sizeof(Value) * 2) || in.builder.begin_object(at);
  }
  if (!in.begin(true)) return false;
  return in.holding == 0 || in.builder.begin_object(at);
}

bool StreamValidator::begin_array(const Position& at) {
  Impl& in = *impl_;
  if (in.holding != 0) {
    ++in.holding;
    return in.gave_up || !in.hold(sizeof(Value) * 2) || in.builder.begin_array(at);
  }
  if (!in.begin(false)) return false;
  return in.holding == 0 || in.builder.begin_array(at);
}

bool StreamValidator::key(std::string_view name, const Position& at) {
  Impl& in = *impl_;
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
  if (in.holding == 0) return in.scalar(v);
  const std::size_t text = v.is_string() ? v.size() : 0;
  return in.gave_up || !in.hold(text + sizeof(Value)) || in.builder.scalar(v, at);
}

bool StreamValidator::end_object(const Position& at) { return impl_->end_container(at, true); }
bool StreamValidator::end_array(const Position& at) { return impl_->end_container(at, false); }

bool StreamValidator::Impl::end_container(const Position& at, bool object) {
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
  std::sort(in.unknown.begin(), in.unknown.end());
  verdict.unknown = std::move(in.unknown);
  verdict.not_judged = std::move(in.not_judged);
  return verdict;
}

}  // namespace strake::schema
