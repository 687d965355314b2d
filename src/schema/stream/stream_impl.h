#pragma once
// The state of a StreamValidator: the open containers, and what is known of each. What begins is in
// stream.cc, what is said of a value when it has ended in stream_close.cc.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/distinct_errors.h"
#include "schema/stream/stream.h"
#include "schema/stream/stream_tee.h"
#include "value/builder.h"

namespace strake::schema {

struct StreamValidator::Impl {
  // What is wrong at and below a place. Lists are a second pass of the whole document, so their
  // faults are kept apart.
  struct Faults {
    // As in memory, a message stands once among the faults of a node.
    DistinctErrors values;
    DistinctErrors lists;
    bool empty() const { return values.empty() && lists.empty(); }
    std::size_t size() const { return values.size() + lists.size(); }
    // Those past the limit too.
    std::uint64_t total() const {
      return size() + values.errors().omitted() + lists.errors().omitted();
    }
    void merge(Faults&& others) {
      values.merge(std::move(others.values));
      lists.merge(std::move(others.lists));
    }
  };
  struct MemberFaults {
    std::string key;
    bool named;
    Faults faults;
  };
  // kube-apiserver 1.36 reports additional members before named ones, each by name.
  static bool comes_first(const MemberFaults& a, const MemberFaults& b) {
    return a.named != b.named ? b.named : a.key < b.key;
  }
  // Hashes of 128 bits stand for the elements that were seen: 16 bytes an element and its place.
  struct Print {
    std::uint64_t low;
    std::uint64_t high;
    friend bool operator==(const Print&, const Print&) = default;
  };
  static Print print_of(std::string_view text);
  struct PrintHash {
    std::size_t operator()(const Print& p) const { return p.low; }
  };
  struct Frame {
    const Node* schema = nullptr;
    bool object = false;
    bool keeps_meta = false;  // apiVersion, kind and metadata are never unknown here
    bool keeps_unknown =
        false;              // x-kubernetes-preserve-unknown-fields, here or on the list around it
    bool unpruned = false;  // in the metadata of a resource: nothing is unknown
    bool named = false;     // the member being read is one that the schema names
    std::size_t property = 0;  // which one
    std::size_t count = 0;     // members or items that stay
    std::string key;           // of the member being read
    std::optional<value::FieldError> type_error;
    std::vector<bool> required_seen;
    std::vector<bool> property_sent;
    std::vector<bool> property_seen;   // and not dropped; only where defaults need it
    std::vector<std::size_t> unknown;  // which of the unknown fields are its members
    std::optional<StreamTee> tee;      // for those who need it whole
    bool inherits_unknown = false;     // keeps_unknown, from the list around it
    std::vector<MemberFaults> members;
    bool sound = true;  // as far as the defaults that it takes
    Faults items;
    value::FieldErrors list_faults;  // of this list's own elements
    bool broken_map = false;         // a list-type map with an element that is no object
    struct Seen {
      std::size_t first = 0;
      bool told = false;
    };
    std::unordered_map<Print, Seen, PrintHash> seen;
  };

  static bool is_unique_list(const Node& schema) {
    return schema.list_type == ListType::kSet || schema.list_type == ListType::kMap;
  }

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
  bool take_whole(value::Value& v, const Node& schema, Arena& arena);
  // Brings a part into the form in which it is judged.
  struct Settling {
    bool root = false;
    bool unpruned = false;
    bool keep_unknown = false;
    std::vector<FieldPath>* dropped = nullptr;
  };
  void settle(value::Value& v, const Node& schema, const Settling& how, Arena& arena);
  bool judge_tee(Frame& frame);
  bool judge_below(const value::Value& v, const Node& schema) const;
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
    if (options.parts == nullptr || faults.empty() || in_dropped_member()) return;
    options.parts->found(faults.values.errors());
    options.parts->found(faults.lists.errors());
  }
  bool scalar(const value::Value& v);
  void keep_first_members(Frame& frame);
  bool absent_or_default(const Node& schema, Faults& faults);
  void judge(const value::Value& v, const Node& schema, Faults& faults) const;
  void check_element(const value::Value& item);
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

}  // namespace strake::schema
