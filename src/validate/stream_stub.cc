#include "validate/stream_stub.h"

#include <algorithm>

#include "schema/prune.h"
#include "validate/locate.h"

// The stub is an object of its own, built from the events that matter while all others pass. Its
// type and metadata are built as they come. What stands at a scale path is kept apart with its path
// and put in at the end, because the objects around it are not built.

namespace strake::validate {
namespace {

using schema::Node;
using value::Value;

// ".a.b", a simple path as subresources have them.
FieldPath scale_path(std::string_view text) {
  FieldPath out;
  while (!text.empty()) {
    text.remove_prefix(text.front() == '.' ? 1 : 0);
    const std::size_t end = std::min(text.find('.'), text.size());
    out.push_field(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// Whether pruning leaves what stands there.
bool stays(const Node* schema, const FieldPath& path) {
  for (const FieldPath::Step& step : path.steps()) {
    if (schema == nullptr) return false;
    const Node* next = schema->member(step.name);
    if (next == nullptr) return schema->preserve_unknown;
    schema = next;
  }
  return true;
}

value::ReadOptions stub_options() {
  value::ReadOptions out;
  out.duplicates = value::DuplicatePolicy::kLastWins;
  return out;
}

}  // namespace

StreamStub::StreamStub(const resource::Kind& kind, std::size_t most_bytes)
    : most_bytes_(most_bytes), kind_(kind), builder_(stub_options()) {
  if (!kind.scale) return;
  for (const std::string* text :
       {&kind.scale->spec_replicas, &kind.scale->status_replicas, &kind.scale->label_selector}) {
    if (text->empty()) continue;
    FieldPath path = scale_path(*text);
    if (stays(kind.schema.get(), path)) scale_.push_back(std::move(path));
  }
}

bool StreamStub::kept() const { return !path_.empty() && schema::is_type_meta(path_[0].key); }

bool StreamStub::fits(std::size_t bytes) {
  bytes_ += bytes + sizeof(Value);
  return bytes_ <= most_bytes_;
}

bool StreamStub::begin(bool object, const Position& at) {
  if ((path_.empty() || kept()) && fits(0)) {
    static_cast<void>(object ? builder_.begin_object(at) : builder_.begin_array(at));
  } else if (!odd_) {
    if (auto path = wanted_for_scale(object)) {
      odd_.emplace(schema::StreamParts::Need::kWhole, most_bytes_);
      odd_path_ = *std::move(path);
      odd_depth_ = path_.size();
    }
  }
  if (odd_) odd_->begin(object, at);
  path_.push_back({object, {}});
  return true;
}

bool StreamStub::end(bool object, const Position& at) {
  path_.pop_back();
  if ((path_.empty() || kept()) && bytes_ <= most_bytes_)
    static_cast<void>(object ? builder_.end_object(at) : builder_.end_array(at));
  if (!odd_) return true;
  odd_->end(object, at);
  if (path_.size() != odd_depth_) return true;
  if (auto whole = odd_->take()) keep(std::move(odd_path_), whole->root());
  odd_.reset();
  return true;
}

bool StreamStub::key(std::string_view name, const Position& at) {
  path_.back().key = name;
  if (kept() && fits(name.size())) static_cast<void>(builder_.key(name, at));
  if (odd_) odd_->key(name, at);
  return true;
}

bool StreamStub::scalar(const Value& v, const Position& at) {
  if (path_.empty() || kept()) {
    if (fits(v.is_string() ? v.size() : 0)) static_cast<void>(builder_.scalar(v, at));
  } else if (odd_) {
    odd_->scalar(v, at);
  } else if (auto path = wanted_for_scale(false)) {
    keep(*std::move(path), v);
  }
  return true;
}

std::optional<FieldPath> StreamStub::wanted_for_scale(bool inner) const {
  for (const FieldPath& path : scale_) {
    const auto& steps = path.steps();
    if (steps.size() < path_.size() || (inner && steps.size() > path_.size())) continue;
    const bool here = std::equal(path_.begin(), path_.end(), steps.begin(),
                                 [](const Open& open, const FieldPath::Step& step) {
                                   return open.object && step.name == open.key;
                                 });
    if (!here) continue;
    FieldPath out;
    for (const Open& open : path_) out.push_field(open.key);
    return out;
  }
  return std::nullopt;
}

void StreamStub::keep(FieldPath path, const Value& v) {
  value::Document kept;
  kept.root() = value::deep_copy(v, kept.arena());
  if (const Node* schema = schema_at(*kind_.schema, path)) {
    schema::prune(kept.root(), *schema, {.resource_root = false});
    schema::prune_nulls(kept.root(), *schema);
  }
  found_.emplace_back(std::move(path), std::move(kept));
}

std::optional<value::Document> StreamStub::take() {
  if (bytes_ > most_bytes_ || !builder_.complete()) return std::nullopt;
  value::Document out = builder_.take();
  for (const auto& [path, document] : found_)
    static_cast<void>(out.set(path, value::deep_copy(document.root(), out.arena())));
  return out;
}

}  // namespace strake::validate
