#include "schema/loose/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "schema/loose/evaluate.h"
#include "value/json_writer.h"

// JSON Schema over a stream: instead of evaluating a schema by recursion into the value, all
// schemas that apply to a value are evaluated side by side while it passes (a Run each). A keyword
// that applies another schema to the same value (allOf, anyOf, $ref) links its run to that schema's
// run; a keyword that applies one to a part (properties, items) subscribes to the result at that
// part. When a value ends its runs are finished, linked ones first, and the subscribers are told.
//
// Memory is bounded by depth times the number of schemas that meet at a value, not by the size of
// the value. Equal schemas at a value are one run, so that a value costs at most as many runs as
// the schema has nodes; that is also what ends a $ref to itself (Run::open).
//
// uniqueItems and lists of type set and map compare elements by digests (96 bits in DigestTable),
// so that an element need not be kept.

namespace strake::schema::loose {

void Marks::mark(std::uint64_t index) {
  if (all_ || index < upto_) return;
  if (index == upto_) {
    ++upto_;
    return;
  }
  const std::size_t word = index / 64;
  if (word >= bits_.size()) bits_.resize(word + 1);
  bits_[word] |= std::uint64_t{1} << index % 64;
}

bool Marks::has(std::uint64_t index) const {
  if (all_ || index < upto_) return true;
  const std::size_t word = index / 64;
  return word < bits_.size() && (bits_[word] >> index % 64 & 1) != 0;
}

void Marks::merge(const Marks& other) {
  all_ = all_ || other.all_;
  upto_ = std::max(upto_, other.upto_);
  if (bits_.size() < other.bits_.size()) bits_.resize(other.bits_.size());
  for (std::size_t i = 0; i < other.bits_.size(); ++i) bits_[i] |= other.bits_[i];
}

StreamEvaluator::Engine::Engine(const Schema& schema, const LooseNode& root, const Options& options)
    : schema_(schema), root_(root), options_(options), seen_(schema.node_count()) {}

void StreamEvaluator::Engine::reset() {
  live_runs_ = 0;
  live_states_ = 0;
  links_.clear();
  done_.clear();
  open_frames_ = 0;
  found_.clear();
  errors_ = 0;
  held_bytes_ = 0;
  unknown_ = false;
  stopped_ = false;
}

PathPtr StreamEvaluator::Engine::below(PathPtr path, FieldPath::Step step) const {
  auto node = std::make_shared<PathNode>();
  node->up = std::move(path);
  node->step = std::move(step);
  return node;
}

// Paths are put together only when something is to be said.
PathPtr StreamEvaluator::Engine::path_of(Location& location) {
  if (location.path_made) return location.path;
  const auto step_of = [](const Frame& frame) {
    if (!frame.object)
      return FieldPath::Step{
          FieldPath::Kind::kIndex, static_cast<std::size_t>(frame.count - 1), {}};
    return FieldPath::Step{frame.key_named ? FieldPath::Kind::kField : FieldPath::Kind::kKey, 0,
                           frame.key};
  };
  std::size_t from = location.depth;
  while (from > 0 && !frames_[from - 1].location.path_made) --from;
  for (std::size_t i = from; i < location.depth; ++i) {
    Location& outer = frames_[i].location;
    outer.path = i == 0 ? nullptr : below(frames_[i - 1].location.path, step_of(frames_[i - 1]));
    outer.path_made = true;
  }
  if (location.depth > 0) {
    const Frame& holder = frames_[location.depth - 1];
    location.path = below(holder.location.path, step_of(holder));
  }
  location.path_made = true;
  return location.path;
}

void StreamEvaluator::Engine::emit(const PendingIssue& pending) {
  if (pending.severity == Severity::kError) {
    ++errors_;
    if (options_.strategy == Strategy::kFailFast) stopped_ = true;
  }
  found_.add(pending, options_.max_issues);
}

void StreamEvaluator::Engine::record(Run& run, PendingIssue pending) {
  if (run.sure) emit(pending);
  if (run.kept) run.pending.add(std::move(pending), kNestedIssues);
}

void StreamEvaluator::Engine::report_at(Run& run, PathPtr path, IssueCode code,
                                        std::string_view keyword, std::uint64_t first,
                                        std::uint64_t second, std::string_view text) {
  run.failed = true;
  ++run.violations;
  if (!run.sure && !run.kept) return;
  record(run, {code, Severity::kError, run.node, keyword, std::move(path), first, second,
               std::string(text), nullptr});
}

void StreamEvaluator::Engine::report(Run& run, Location& location, IssueCode code,
                                     std::string_view keyword, std::uint64_t first,
                                     std::uint64_t second, std::string_view text) {
  run.failed = true;
  ++run.violations;
  if (!run.sure && !run.kept) return;
  record(run, {code, Severity::kError, run.node, keyword, path_of(location), first, second,
               std::string(text), nullptr});
}

void StreamEvaluator::Engine::start(Location& location) {
  location.depth = static_cast<std::uint32_t>(open_frames_);
  location.first_run = live_runs_;
  location.first_link = static_cast<std::uint32_t>(links_.size());
  location.first_done = static_cast<std::uint32_t>(done_.size());
  location.first_state = live_states_;
  location.path_made = false;
  location.path = nullptr;
  ++location_serial_;
}

void StreamEvaluator::Engine::release(const Location& location) {
  live_runs_ = location.first_run;
  live_states_ = location.first_state;
  links_.resize(location.first_link);
  done_.resize(location.first_done);
}

// Sets up the runs of a value that begins.
void StreamEvaluator::Engine::open(Location& location, const value::Value* scalar, bool object) {
  start(location);
  Frame* frame = top();
  if (frame == nullptr) {
    visit(root_, nullptr, {.sure = true, .wants = options_.unknown == UnknownMode::kStrict},
          location, 0);
  } else {
    ++frame->count;
    frame->key_named = false;
    for (std::uint32_t i = frame->location.first_run; i < frame->location.last_run; ++i) {
      if (frame->object) {
        schedule_member(i, *frame, location, scalar, object);
      } else {
        schedule_element(i, *frame, location);
      }
    }
  }
  location.last_run = live_runs_;
}

Digests StreamEvaluator::Engine::digest_scalars(const value::Value& scalar) const {
  Digests out;
  out.structural = digest_scalar(scalar, EqualMode::kStructural);
  out.canonical = options_.equal == EqualMode::kStructural
                      ? out.structural
                      : digest_scalar(scalar, EqualMode::kCanonicalJson);
  return out;
}

// Finishes the runs of a value that ends, and tells those who wait.
void StreamEvaluator::Engine::close(Location& location, const value::Value* scalar, bool object,
                                    const Digests& digests) {
  Frame* frame = scalar == nullptr ? top() : nullptr;
  const std::size_t done_end = done_.size();
  for (std::size_t i = location.first_done; i < done_end; ++i) {
    Run& run = runs_[done_[i]];
    if (run.node->needs_digest) check_values(run, location, digests.structural, scalar);
    if (frame != nullptr) {
      if (object) {
        check_object_end(run, location, *frame);
      } else {
        check_array_end(run, location, *frame);
      }
    }
    combine(run, location, frame);
  }
  if (frame != nullptr && object && options_.unknown == UnknownMode::kStrict)
    check_unknown(location, *frame);
  if (frame != nullptr) --open_frames_;
  for (std::uint32_t i = location.first_run; i < location.last_run; ++i) deliver(runs_[i]);
  if (Frame* parent = top(); parent != nullptr && parent->child_digests) {
    if (parent->object) {
      parent->structural.add_member(parent->key, digests.structural);
      parent->canonical.add_member(parent->key, digests.canonical);
      if (parent->capture) {
        parent->captured.push_back(
            {parent->key, parent->count - 1,
             options_.equal == EqualMode::kStructural ? digests.structural : digests.canonical,
             scalar == nullptr ? "" : value::to_json(*scalar)});
      }
    } else {
      parent->structural.add_item(digests.structural);
      parent->canonical.add_item(digests.canonical);
      compare_elements(location, frame != nullptr && object, digests);
    }
  }
  release(location);
}

void StreamEvaluator::Engine::deliver(const Run& run) {
  for (const Subscription& subscription : run.subscriptions) {
    Run& parent = runs_[subscription.run];
    switch (subscription.use) {
      case Use::kPart:
        parent.examined += run.examined;
        if (run.failed) take_over(parent, run, true);
        if (run.mistyped && top() != nullptr && top()->capture)
          parent.mistyped_members.push_back(subscription.index);
        break;
      case Use::kContains:
        if (!run.failed) {
          ContainerState& state = state_of(parent);
          ++state.contained;
          if (state.matched.size() < 8) state.matched.push_back(subscription.index);
          const auto& most = parent.node->array->max_contains;
          if (most && state.contained == *most + 1) state.excess_at = subscription.index;
          if (parent.wants) state.marks.mark(subscription.index);
        }
        break;
      case Use::kUnevaluated:
        if (run.failed) {
          HeldPart part{subscription.index, {}, nullptr, run.pending, run.violations};
          hold(parent, std::move(part));
        }
        break;
    }
  }
}

// Elements that must differ from those before: uniqueItems, and lists of type set and map.
void StreamEvaluator::Engine::compare_elements(Location& location, bool object,
                                               const Digests& digests) {
  Frame& list = *top();
  // Of the element that just ended: its frame is the one behind the last open one.
  const Frame* element = object ? &frames_[open_frames_] : nullptr;
  const Digest& listed =
      options_.equal == EqualMode::kStructural ? digests.structural : digests.canonical;
  for (std::uint32_t i = list.location.first_run; i < list.location.last_run; ++i) {
    Run& run = runs_[i];
    const ArrayRules* rules = run.node->array.get();
    if (rules == nullptr || run.state == kNoRun) continue;
    ContainerState& state = state_of(run);
    if (rules->unique) {
      look_for_equal(run, location,
                     {state.unique, state.unique_reported, digests.structural, "uniqueItems", {}});
    }
    if (rules->list_type == ListType::kSet) {
      look_for_equal(run, location,
                     {state.listed, state.listed_reported, listed, "x-kubernetes-list-type", {}});
    }
    if (rules->list_type == ListType::kMap && element != nullptr)
      compare_map_element(i, location, *element);
  }
}

void StreamEvaluator::Engine::look_for_equal(Run& run, Location& location, const Compared& what) {
  const std::uint64_t index = top()->count - 1;
  const std::size_t first = what.seen.add(what.digest, index);
  // Said once, at the second of them.
  if (first != index && what.reported.add(what.digest, index) == index)
    report(run, location, IssueCode::kDuplicateItem, what.keyword, first, index, what.keys);
}

// An element that lacks a key, or has one of a type that the schema does not want, is not compared:
// what is wrong with it is said by other checks.
void StreamEvaluator::Engine::compare_map_element(std::uint32_t list_run, Location& location,
                                                  const Frame& element) {
  Run& run = runs_[list_run];
  DigestBuilder tuple;
  tuple.start(false);
  std::string keys = "{";
  for (const std::string& key : run.node->array->map_keys) {
    const auto it = std::ranges::find(element.captured, key, &CapturedMember::key);
    if (it == element.captured.end() || is_mistyped(list_run, location, it->index)) return;
    tuple.add_item(it->digest);
    if (it->json.empty()) continue;
    if (keys.size() > 1) keys += ',';
    value::write_json_string(key, keys);
    keys += ":" + it->json;
  }
  ContainerState& state = state_of(run);
  look_for_equal(run, location,
                 {state.listed, state.listed_reported, tuple.finish(), "x-kubernetes-list-map-keys",
                  keys + "}"});
}

// By the schema that the list has for the element, and those that surely apply with it.
bool StreamEvaluator::Engine::is_mistyped(std::uint32_t list_run, const Location& element,
                                          std::uint64_t member) const {
  for (std::uint32_t i = element.first_run; i < element.last_run; ++i) {
    const Run& run = runs_[i];
    if (std::ranges::find(run.mistyped_members, member) == run.mistyped_members.end()) continue;
    const auto is_of_list = [&](const Subscription& subscription) {
      return subscription.run == list_run && subscription.use == Use::kPart;
    };
    if (std::ranges::any_of(run.subscriptions, is_of_list)) return true;
  }
  return false;
}

// Under strict: members that no schema which surely applies has looked at.
void StreamEvaluator::Engine::check_unknown(Location& location, const Frame& frame) {
  bool declared = false;
  for (std::uint32_t i = location.first_run; i < location.last_run; ++i) {
    const ObjectRules* rules = runs_[i].node->object.get();
    if (!runs_[i].sure || rules == nullptr) continue;
    if (rules->preserve_unknown) return;
    declared = declared || rules->declares_members;
  }
  if (!declared) return;
  const LooseNode* blamed = nullptr;
  for (std::uint32_t i = location.first_run; i < location.last_run; ++i) {
    const Run& run = runs_[i];
    if (!run.sure) continue;
    // What a branch looked at counts only if it matched; when none did, there is no telling.
    const auto is_choice = [](const InPlace& edge) { return edge.edge > Edge::kAllOf; };
    if (run.failed && std::ranges::any_of(run.node->in_place, is_choice)) return;
    if (blamed == nullptr && run.node->object != nullptr) blamed = run.node;
  }
  for (std::uint64_t m = 0; m < frame.names.size(); ++m) {
    bool known = false;
    for (std::uint32_t i = location.first_run; i < location.last_run && !known; ++i) {
      known = runs_[i].sure && runs_[i].state != kNoRun && state_of(runs_[i]).marks.has(m);
    }
    if (known) continue;
    PathPtr at = below(path_of(location), {FieldPath::Kind::kKey, 0, frame.names[m]});
    emit({IssueCode::kUnknownKey, Severity::kError, blamed, "", std::move(at), 0, 0, frame.names[m],
          nullptr});
  }
}

bool StreamEvaluator::Engine::begin(bool object) {
  if (stopped_) return false;
  const Frame* parent = top();
  const bool parent_digests = parent != nullptr && parent->child_digests;
  const bool parent_maps = parent != nullptr && parent->maps;
  frames_.reach(open_frames_);
  Frame& frame = frames_[open_frames_];
  open(frame.location, nullptr, object);
  if (open_frames_ >= options_.max_depth) {
    emit({IssueCode::kParseError, Severity::kError, nullptr, "", path_of(frame.location),
          options_.max_depth, 0, "", nullptr});
    stopped_ = true;
    return false;
  }
  frame.object = object;
  frame.hashing = parent_digests;
  frame.capture = parent_maps && object;
  frame.child_digests = frame.capture;
  frame.maps = false;
  frame.has_names = false;
  frame.count = 0;
  frame.structural.start(object);
  frame.canonical.start(object);
  frame.captured.clear();
  frame.names.clear();
  for (std::uint32_t i = frame.location.first_run; i < frame.location.last_run; ++i) {
    Run& run = runs_[i];
    const LooseNode& node = *run.node;
    frame.hashing = frame.hashing || node.needs_digest;
    frame.has_names =
        frame.has_names || (object && node.object != nullptr && node.object->names != nullptr);
    if (!object && node.array != nullptr) {
      const bool lists = node.array->unique || node.array->list_type == ListType::kSet ||
                         node.array->list_type == ListType::kMap;
      frame.child_digests = frame.child_digests || lists;
      frame.maps = frame.maps || node.array->list_type == ListType::kMap;
    }
    check_type(run, frame.location, object ? types::kObject : types::kArray,
               object ? "object" : "array");
    const bool embedded = node.embedded_resource && options_.embedded_checks;
    if (run.wants || embedded || node.discriminator != nullptr ||
        (object ? node.object != nullptr : node.array != nullptr)) {
      run.state = live_states_++;
      states_.reach(run.state);
      ContainerState& state = states_[run.state];
      state.seen.assign(object && node.object != nullptr ? node.object->watched.size() : 0, false);
      state.marks.clear();
      state.contained = 0;
      state.excess_at = UINT64_MAX;
      state.matched.clear();
      state.unique.clear();
      state.unique_reported.clear();
      state.listed.clear();
      state.listed_reported.clear();
      state.held.clear();
      state.held_bytes = 0;
      state.gave_up = false;
      state.tag_seen = false;
      state.tag.clear();
      state.embedded = 0;
    }
  }
  frame.child_digests = frame.child_digests || frame.hashing;
  ++open_frames_;
  return !stopped_;
}

bool StreamEvaluator::Engine::key(std::string_view name) {
  if (stopped_) return false;
  Frame& frame = *top();
  frame.key = name;
  if (options_.unknown == UnknownMode::kStrict) frame.names.emplace_back(name);
  check_names(name);
  return !stopped_;
}

// propertyNames: the name is a value of its own, at the member's path.
void StreamEvaluator::Engine::check_names(std::string_view name) {
  Frame& frame = *top();
  if (!frame.has_names) return;
  const Location& holder = frame.location;
  Location location;
  start(location);
  frame.key_named = true;
  for (std::uint32_t i = holder.first_run; i < holder.last_run; ++i) {
    const ObjectRules* rules = runs_[i].node->object.get();
    if (rules != nullptr && rules->names != nullptr)
      schedule(i, *rules->names, Use::kPart, UINT64_MAX, location);  // it is no member's value
  }
  location.last_run = live_runs_;
  const value::Value text = value::Value::string(name);
  const Digests digests = digest_scalars(text);
  for (std::uint32_t i = location.first_run; i < location.last_run; ++i)
    check_scalar(runs_[i], location, text);
  for (std::size_t i = location.first_done; i < done_.size(); ++i) {
    Run& run = runs_[done_[i]];
    if (run.node->needs_digest) check_values(run, location, digests.structural, &text);
    combine(run, location, nullptr);
  }
  for (std::uint32_t i = location.first_run; i < location.last_run; ++i) deliver(runs_[i]);
  release(location);
}

bool StreamEvaluator::Engine::scalar(const value::Value& sent) {
  if (stopped_) return false;
  const value::Value v = options_.numbers == NumberMode::kFloat64 ? as_float64(sent) : sent;
  Location location;
  open(location, &v, false);
  bool digest = top() != nullptr && top()->child_digests;
  for (std::uint32_t i = location.first_run; i < location.last_run; ++i) {
    check_scalar(runs_[i], location, v);
    digest = digest || runs_[i].node->needs_digest;
  }
  close(location, &v, false, digest ? digest_scalars(v) : Digests());
  return !stopped_;
}

bool StreamEvaluator::Engine::end() {
  if (stopped_) return false;
  Frame& frame = *top();
  Digests digests;
  if (frame.child_digests) digests = {frame.structural.finish(), frame.canonical.finish()};
  close(frame.location, nullptr, frame.object, digests);
  return !stopped_;
}

Report StreamEvaluator::Engine::take() {
  Report out;
  out.total = found_.total();
  for (const PendingIssue& pending : found_.sorted(options_.max_issues))
    out.issues.push_back(to_issue(pending));
  if (out.total > options_.max_issues) {
    out.issues.push_back(to_issue({IssueCode::kTruncated, Severity::kWarning, nullptr, "", nullptr,
                                   out.total, 0, "issues", nullptr}));
  }
  out.verdict = errors_ > 0 ? Verdict::kInvalid : (unknown_ ? Verdict::kUnknown : Verdict::kValid);
  reset();
  return out;
}

StreamEvaluator::StreamEvaluator(const Schema& schema, const LooseNode& root,
                                 const Options& options)
    : engine_(std::make_unique<Engine>(schema, root, options)) {}
StreamEvaluator::~StreamEvaluator() = default;
StreamEvaluator::StreamEvaluator(StreamEvaluator&&) noexcept = default;

bool StreamEvaluator::begin_object(const Position&) { return engine_->begin(true); }
bool StreamEvaluator::key(std::string_view name, const Position&) { return engine_->key(name); }
bool StreamEvaluator::end_object(const Position&) { return engine_->end(); }
bool StreamEvaluator::begin_array(const Position&) { return engine_->begin(false); }
bool StreamEvaluator::end_array(const Position&) { return engine_->end(); }
bool StreamEvaluator::scalar(const value::Value& v, const Position&) { return engine_->scalar(v); }
bool StreamEvaluator::end_document(const Position&) { return true; }
Report StreamEvaluator::take() { return engine_->take(); }

Report evaluate(const value::Value& v, const Schema& schema, const LooseNode& root,
                const Options& options) {
  StreamEvaluator evaluator(schema, root, options);
  value::play(v, evaluator);
  return evaluator.take();
}

Report evaluate(const value::Value& v, const Schema& schema, const Options& options) {
  STRAKE_ASSERT(schema.root() != nullptr);
  return evaluate(v, schema, *schema.root(), options);
}

}  // namespace strake::schema::loose
