#include "validate/stream_projector.h"

#include "meta/object_meta.h"
#include "schema/defaults.h"
#include "schema/drop_nulls.h"
#include "schema/prune.h"
#include "validate/presence.h"
#include "value/json_writer.h"

// prune(), prune_nulls() and apply_defaults() as a filter between events and text. A frame per open
// container holds the mode that its parts are in; the modes and their transitions are those of
// schema/prune.cc, and the property tests hold the two to each other.

namespace strake::validate {

using schema::Node;
using value::Value;

void PieceWriter::add(std::string_view text) {
  text_ += text;
  pass_on();
}
void PieceWriter::add(const Value& v) {
  value::write_json(v, text_);
  pass_on();
}
void PieceWriter::add_string(std::string_view text) {
  value::write_json_string(text, text_);
  pass_on();
}
void PieceWriter::pass_on() {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  if (text_.size() >= kPiece) flush();
}
void PieceWriter::flush() {
  if (!text_.empty()) write_(text_);
  text_.clear();
}

void EventWriter::separate() {
  if (needs_comma_) out_.add(",");
}
bool EventWriter::begin(char sign) {
  separate();
  out_.add(std::string_view(&sign, 1));
  needs_comma_ = false;
  return true;
}
bool EventWriter::end(char sign) {
  out_.add(std::string_view(&sign, 1));
  needs_comma_ = true;
  return true;
}
bool EventWriter::key(std::string_view name, const Position&) {
  separate();
  out_.add_string(name);
  out_.add(":");
  needs_comma_ = false;
  return true;
}
bool EventWriter::scalar(const Value& v, const Position&) {
  separate();
  out_.add(v);
  needs_comma_ = true;
  return true;
}

StreamProjector::StreamProjector(const Node& schema, const ProjectOptions& options,
                                 std::function<void(std::string_view)> write)
    : schema_(schema), options_(options), out_(std::move(write)), held_(value::ReadOptions{}) {
  if (options_.preserving) options_.apply_defaults = false;
}

StreamProjector::Place StreamProjector::pruned(const Node* schema) {
  if (schema == nullptr) return {Mode::kEmpty, nullptr};
  return {schema->preserve_unknown ? Mode::kKeep : Mode::kPrune, schema};
}

StreamProjector::Place StreamProjector::kept(const Node* schema) {
  return {schema != nullptr ? Mode::kKeep : Mode::kVerbatim, schema};
}

StreamProjector::Place StreamProjector::member_of(const Frame& frame, std::string_view name) const {
  const Node* schema = frame.place.schema;
  if (frame.place.mode == Mode::kVerbatim) return frame.place;
  if (frame.place.mode == Mode::kEmpty) return {Mode::kDrop, nullptr};
  const bool resource = frame.root && options_.resource;
  if (resource && (name == "metadata" || (options_.drops_status && name == "status")))
    return {Mode::kDrop, schema->member(name)};
  const Node* property = schema->property(name);
  if ((resource || schema->embedded_resource) && schema::is_type_meta(name)) {
    const Node* known = property != nullptr ? property : schema->additional_schema.get();
    return {name == "metadata" ? Mode::kMetadata : Mode::kVerbatim, known};
  }
  if (property != nullptr) return pruned(property);
  if (schema->additional != schema::Additional::kAbsent)
    return pruned(schema->additional_schema.get());
  return {frame.place.mode == Mode::kKeep ? Mode::kVerbatim : Mode::kDrop, nullptr};
}

StreamProjector::Place StreamProjector::next_place() const {
  if (frames_.empty()) return pruned(&schema_);
  const Frame& frame = frames_.back();
  if (frame.object) return frame.next;
  const Place& place = frame.place;
  if (place.mode == Mode::kVerbatim || place.mode == Mode::kEmpty) return place;
  const Node* items = place.schema->items.get();
  return place.mode == Mode::kKeep ? kept(items) : pruned(items);
}

bool StreamProjector::key(std::string_view name, const Position& at) {
  if (dropped_ > 0) return true;
  if (held_depth_ > 0) {
    if (hold(name.size())) held_.key(name, at);
    return true;
  }
  Frame& frame = frames_.back();
  frame.key = name;
  frame.next = member_of(frame, name);
  if (frame.there.empty()) return true;
  const auto& properties = frame.place.schema->properties;
  const Node* property = frame.place.schema->property(name);
  for (std::size_t i = 0; property != nullptr && i < properties.size(); ++i) {
    if (properties[i].name == name) frame.there[i] = true;
  }
  return true;
}

bool StreamProjector::begin(bool object, const Position& at) {
  if (dropped_ > 0) return ++dropped_, true;
  const Place place = next_place();
  if (held_depth_ > 0 || place.mode == Mode::kMetadata) {
    ++held_depth_;
    if (hold(0)) static_cast<void>(object ? held_.begin_object(at) : held_.begin_array(at));
    return true;
  }
  if (place.mode == Mode::kDrop) return ++dropped_, true;
  announce();
  out_.add(object ? "{" : "[");
  Frame frame{.object = object,
              .place = place,
              .root = frames_.empty(),
              .key = {},
              .next = {},
              .there = {}};
  const bool fills = options_.apply_defaults && object && place.schema != nullptr &&
                     place.mode != Mode::kVerbatim && place.schema->has_defaults_below;
  if (fills) frame.there.resize(place.schema->properties.size());
  frames_.push_back(std::move(frame));
  return true;
}

bool StreamProjector::end(bool object, const Position& at) {
  if (dropped_ > 0) return --dropped_, true;
  if (held_depth_ > 0) {
    if (hold(0)) static_cast<void>(object ? held_.end_object(at) : held_.end_array(at));
    if (--held_depth_ > 0) return true;
    if (held_.complete()) put_metadata(held_.take(), next_place().schema);
    held_.reset();
    held_bytes_ = 0;
    return true;
  }
  // Which members did not come, and take their defaults, is known at the end of their object only.
  add_missing(frames_.back());
  // The metadata of a resource is yet to come.
  if (frames_.size() == 1 && options_.resource) return true;
  out_.add(object ? "}" : "]");
  frames_.pop_back();
  return true;
}

bool StreamProjector::drops_null(const Place& place) const {
  if (options_.preserving || place.schema == nullptr || place.schema->nullable) return false;
  return !options_.apply_defaults || !place.schema->default_value;
}

bool StreamProjector::scalar(const Value& v, const Position& at) {
  if (dropped_ > 0) return true;
  if (held_depth_ > 0) {
    if (hold(v.is_string() ? v.size() : 0)) held_.scalar(v, at);
    return true;
  }
  const Place place = next_place();
  const bool member = !frames_.empty() && frames_.back().object;
  if (place.mode == Mode::kDrop) {
    // A null was sent, and is known, even where nothing is kept.
    const bool stays = options_.preserving && v.is_null() && place.schema != nullptr &&
                       frames_.back().key != "metadata";
    if (!stays) return true;
  }
  if (v.is_null() && member && drops_null(place)) return true;
  if (place.mode == Mode::kMetadata) {
    value::Document held;
    held.root() = v;
    put_metadata(std::move(held), place.schema);
    return true;
  }
  announce();
  const bool filled = v.is_null() && options_.apply_defaults && place.schema != nullptr &&
                      !place.schema->nullable && place.schema->default_value;
  if (filled) {
    out_.add(default_of(*place.schema));
  } else {
    out_.add(v);
  }
  return true;
}

void StreamProjector::announce() {
  if (frames_.empty()) return;
  Frame& frame = frames_.back();
  if (!frame.empty) out_.add(",");
  frame.empty = false;
  if (!frame.object) return;
  out_.add_string(frame.key);
  out_.add(":");
}

void StreamProjector::add_missing(const Frame& frame) {
  for (std::size_t i = 0; i < frame.there.size(); ++i) {
    const schema::Property& property = frame.place.schema->properties[i];
    if (frame.there[i] || !property.node->default_value) continue;
    Frame& open = frames_.back();
    open.key = property.name;
    const bool elsewhere = open.root && member_of(open, property.name).mode == Mode::kDrop;
    if (elsewhere) continue;
    announce();
    out_.add(default_of(*property.node));
  }
}

const std::string& StreamProjector::default_of(const Node& schema) {
  const auto [at, fresh] = defaults_.try_emplace(&schema);
  if (!fresh) return at->second;
  Arena arena;
  Value filled = value::deep_copy(schema.default_value->root(), arena);
  schema::apply_defaults(filled, schema, arena);
  value::write_json(filled, at->second);
  return at->second;
}

// Each event costs memory of its own.
bool StreamProjector::hold(std::size_t bytes) {
  constexpr std::size_t kEvent = 32;
  held_bytes_ += bytes + kEvent;
  if (held_bytes_ <= options_.max_buffer) return true;
  held_.reset();
  return complete_ = false;
}

void StreamProjector::put_metadata(value::Document metadata, const Node* schema) {
  value::Document settled;
  settled.root() = value::deep_copy(metadata.root(), settled.arena());
  Value& v = settled.root();
  if (schema != nullptr) {
    schema::prune_nulls(v, *schema);
    if (!options_.apply_defaults) schema::drop_nulls(v, *schema);
  }
  if (options_.resource && !meta::coerce_object_meta(v, settled.arena())) complete_ = false;
  if (schema != nullptr && options_.apply_defaults)
    schema::apply_defaults(v, *schema, settled.arena());
  announce();
  if (!options_.preserving) return out_.add(v);
  Arena arena;
  out_.add(preserved(metadata.root(), v, [](const FieldPath&) { return true; }, arena));
}

bool StreamProjector::finish(const Value* metadata) {
  if (options_.resource && frames_.size() == 1) {
    frames_.back().key = "metadata";
    if (metadata != nullptr) {
      announce();
      out_.add(*metadata);
    }
    out_.add("}");
    frames_.pop_back();
  }
  out_.flush();
  return complete_ && frames_.empty() && dropped_ == 0 && held_depth_ == 0;
}

}  // namespace strake::validate
