#include "schema/loose/stream_defaults.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "schema/loose/defaults.h"
#include "schema/loose/stream.h"

// Defaults without the document: members that are missing at the end of an object are sent as
// events before its end, and go through the same evaluator as the rest. Only schemas that apply for
// certain ($ref, allOf) can contribute: which branch of a union applies is known when the value has
// passed. Such a branch is reported once, and the verdict becomes unknown (note_choice).

namespace strake::schema::loose {
namespace {

using value::Value;

// Whether a default may be met in what the schema says of a value and of what is in it.
class DefaultSearch {
 public:
  bool leads_to_default(const LooseNode& start) {
    const auto [at, fresh] = known_.try_emplace(&start, false);
    if (!fresh) return at->second;
    return known_[&start] = search(start);
  }

 private:
  static bool search(const LooseNode& start) {
    std::vector<const LooseNode*> met{&start};
    std::unordered_set<const LooseNode*> seen{&start};
    bool found = false;
    for (std::size_t i = 0; i < met.size() && !found; ++i) {
      for_each_below(*met[i], [&](const LooseNode* next) {
        if (next == nullptr) return;
        found = found || next->default_value != nullptr;
        if (seen.insert(next).second) met.push_back(next);
      });
    }
    return found;
  }

  template <typename Body>
  static void for_each_below(const LooseNode& node, Body body) {
    for (const InPlace& edge : node.in_place) body(edge.node);
    if (node.object) {
      for (const KeyRule& rule : node.object->keys) body(rule.property);
      for (const PatternRule& rule : node.object->patterns) body(rule.node);
      body(node.object->additional);
    }
    if (node.array) {
      for (const LooseNode* item : node.array->prefix) body(item);
      body(node.array->items);
    }
  }

  std::unordered_map<const LooseNode*, bool> known_;
};

// What is judged, and a second listener that hears of it when there is one.
class Both final : public value::EventSink {
 public:
  Both(value::EventSink& judge, value::EventSink* other) : judge_(judge), other_(other) {}
  bool begin_object(const Position& at) override {
    return (other_ == nullptr || other_->begin_object(at)) && judge_.begin_object(at);
  }
  bool key(std::string_view name, const Position& at) override {
    return (other_ == nullptr || other_->key(name, at)) && judge_.key(name, at);
  }
  bool end_object(const Position& at) override {
    return (other_ == nullptr || other_->end_object(at)) && judge_.end_object(at);
  }
  bool begin_array(const Position& at) override {
    return (other_ == nullptr || other_->begin_array(at)) && judge_.begin_array(at);
  }
  bool end_array(const Position& at) override {
    return (other_ == nullptr || other_->end_array(at)) && judge_.end_array(at);
  }
  bool scalar(const Value& v, const Position& at) override {
    return (other_ == nullptr || other_->scalar(v, at)) && judge_.scalar(v, at);
  }
  bool end_document(const Position& at) override { return judge_.end_document(at); }

 private:
  value::EventSink& judge_;
  value::EventSink* other_;
};

// A value in the middle of others.
class Inner final : public value::EventSink {
 public:
  explicit Inner(value::EventSink& sink) : sink_(sink) {}
  bool begin_object(const Position& at) override { return sink_.begin_object(at); }
  bool key(std::string_view name, const Position& at) override { return sink_.key(name, at); }
  bool end_object(const Position& at) override { return sink_.end_object(at); }
  bool begin_array(const Position& at) override { return sink_.begin_array(at); }
  bool end_array(const Position& at) override { return sink_.end_array(at); }
  bool scalar(const Value& v, const Position& at) override { return sink_.scalar(v, at); }
  bool end_document(const Position&) override { return true; }

 private:
  value::EventSink& sink_;
};

}  // namespace

class DefaultingEvaluator::Filler {
 public:
  Filler(const Schema& schema, const LooseNode& root, const Options& options, bool fills,
         value::EventSink* filled)
      : schema_(schema),
        root_(root),
        options_(options),
        evaluator_(schema, root, options),
        sink_(evaluator_, filled) {
    fills_ = fills && search_.leads_to_default(root);
  }

  value::EventSink& sink() { return sink_; }
  bool fills() const { return fills_; }

  void begin(bool object) {
    if (passed_over_ > 0) return void(++passed_over_);
    Frame frame{.object = object, .nodes = next_schemas()};
    spread(frame.nodes);
    if (std::ranges::none_of(
            frame.nodes, [&](const LooseNode* node) { return search_.leads_to_default(*node); }))
      return void(++passed_over_);
    if (object) note_wanted(frame);
    frames_.push_back(std::move(frame));
  }

  void key(std::string_view name) {
    if (passed_over_ > 0) return;
    Frame& frame = frames_.back();
    frame.key = name;
    for (Wanted& wanted : frame.wanted) wanted.there = wanted.there || wanted.name == name;
  }

  bool scalar(const Value& v, const Position& at) {
    const Value* instead = passed_over_ == 0 && v.is_null() ? default_for_null() : nullptr;
    const bool goes_on = instead != nullptr ? put(*instead) : sink_.scalar(v, at);
    if (passed_over_ == 0) count_element();
    return goes_on;
  }

  // Before the object's own end.
  bool fill() {
    if (passed_over_ > 0) return true;
    Frame& frame = frames_.back();
    for (std::size_t i = 0; i < frame.wanted.size(); ++i) {
      if (frame.wanted[i].there) continue;
      const Wanted wanted = frame.wanted[i];
      key(wanted.name);
      if (!sink_.key(wanted.name, {}) || !put(*wanted.value)) return false;
    }
    return true;
  }

  void end() {
    if (passed_over_ > 0) {
      if (--passed_over_ == 0) count_element();
      return;
    }
    frames_.pop_back();
    count_element();
  }

  Result<Report> take() {
    if (error_) return std::unexpected(*error_);
    Report report = evaluator_.take();
    for (Issue& issue : choices_) report.issues.push_back(std::move(issue));
    report.total += choices_.size();
    if (!choices_.empty() && report.verdict == Verdict::kValid) report.verdict = Verdict::kUnknown;
    return report;
  }

 private:
  struct Wanted {
    std::string_view name;
    const Value* value;
    bool admits_null;
    bool there = false;
  };
  struct Frame {
    bool object;
    std::vector<const LooseNode*> nodes;
    std::vector<Wanted> wanted;  // in the order in which they are asked; the first of a name wins
    std::string key;
    std::size_t index = 0;
  };

  // Of the value that begins now.
  std::vector<const LooseNode*> next_schemas() const {
    if (frames_.empty()) return {&root_};
    const Frame& frame = frames_.back();
    std::vector<const LooseNode*> out;
    for (const LooseNode* node : frame.nodes) {
      if (frame.object && node->object) add_member_schemas(*node->object, frame.key, out);
      if (frame.object || !node->array) continue;
      if (const LooseNode* item = element_schema(*node->array, frame.index)) out.push_back(item);
    }
    return out;
  }

  void spread(std::vector<const LooseNode*>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const InPlace& edge : nodes[i]->in_place) {
        switch (edge.edge) {
          case Edge::kRef:
          case Edge::kDynamicRef:
          case Edge::kAllOf:
            if (std::ranges::find(nodes, edge.node) == nodes.end()) nodes.push_back(edge.node);
            break;
          case Edge::kIf:
          case Edge::kNot: break;
          default: note_choice(*edge.node); break;
        }
      }
    }
  }

  // Said once for each branch.
  void note_choice(const LooseNode& branch) {
    const bool known = std::ranges::any_of(
        choices_, [&](const Issue& issue) { return issue.schema_path == branch.path; });
    if (known || !search_.leads_to_default(branch)) return;
    Issue issue{.code = IssueCode::kBufferExceeded, .severity = Severity::kWarning};
    issue.path = path();
    issue.message = "the defaults of a branch were not filled in: the choice needs the whole value";
    issue.schema_path = branch.path;
    choices_.push_back(std::move(issue));
  }

  FieldPath path() const {
    FieldPath out;
    for (const Frame& frame : frames_) {
      if (frame.object) {
        out.push_field(frame.key);
      } else {
        out.push_index(frame.index);
      }
    }
    return out;
  }

  static void note_wanted(Frame& frame) {
    for (const LooseNode* node : frame.nodes) {
      if (!node->object) continue;
      for (const KeyRule& rule : node->object->keys) {
        const Value* wanted = rule.property != nullptr ? default_of(*rule.property) : nullptr;
        if (wanted != nullptr)
          frame.wanted.push_back({rule.name, wanted, admits_null(*rule.property)});
      }
    }
  }

  const Value* default_for_null() const {
    if (frames_.empty() || !frames_.back().object) return nullptr;
    for (const Wanted& wanted : frames_.back().wanted) {
      if (wanted.name == frames_.back().key && !wanted.admits_null) return wanted.value;
    }
    return nullptr;
  }

  // A default at the place of the value that begins now, with those inside of it.
  bool put(const Value& value) {
    Arena arena;
    Value filled = value::deep_copy(value, arena);
    if (auto done =
            apply_defaults(filled, schema_, next_schemas(), frames_.size(), options_, arena);
        !done) {
      error_ = done.error();
      return false;
    }
    Inner inner(sink_);
    return value::play(filled, inner);
  }

  void count_element() {
    if (!frames_.empty() && !frames_.back().object) ++frames_.back().index;
  }

  const Schema& schema_;
  const LooseNode& root_;
  Options options_;
  StreamEvaluator evaluator_;
  Both sink_;
  DefaultSearch search_;
  bool fills_ = false;
  std::vector<Frame> frames_;
  std::size_t passed_over_ = 0;  // open containers in which there are no defaults
  std::vector<Issue> choices_;
  std::optional<Error> error_;
};

DefaultingEvaluator::DefaultingEvaluator(const Schema& schema, const LooseNode& root,
                                         const Options& options, bool fills,
                                         value::EventSink* filled)
    : filler_(std::make_unique<Filler>(schema, root, options, fills, filled)) {}
DefaultingEvaluator::~DefaultingEvaluator() = default;

bool DefaultingEvaluator::begin_object(const Position& at) {
  if (filler_->fills()) filler_->begin(true);
  return filler_->sink().begin_object(at);
}

bool DefaultingEvaluator::begin_array(const Position& at) {
  if (filler_->fills()) filler_->begin(false);
  return filler_->sink().begin_array(at);
}

bool DefaultingEvaluator::key(std::string_view name, const Position& at) {
  if (filler_->fills()) filler_->key(name);
  return filler_->sink().key(name, at);
}

bool DefaultingEvaluator::end_object(const Position& at) {
  if (filler_->fills()) {
    if (!filler_->fill()) return false;
    filler_->end();
  }
  return filler_->sink().end_object(at);
}

bool DefaultingEvaluator::end_array(const Position& at) {
  if (filler_->fills()) filler_->end();
  return filler_->sink().end_array(at);
}

bool DefaultingEvaluator::scalar(const Value& v, const Position& at) {
  return filler_->fills() ? filler_->scalar(v, at) : filler_->sink().scalar(v, at);
}

bool DefaultingEvaluator::end_document(const Position& at) {
  return filler_->sink().end_document(at);
}

Result<Report> DefaultingEvaluator::take() { return filler_->take(); }

}  // namespace strake::schema::loose
