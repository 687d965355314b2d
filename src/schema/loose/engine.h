#pragma once
// The machine behind StreamEvaluator. At every value under way ("location") a set of runs, one for
// each schema that applies to it; runs for the same schema are one. When the value ends, runs are
// finished children first, and their results are handed to the runs of the enclosing value that
// asked for them.
//
// Runs, their container states, in-place links and frames live on stacks, since an inner value
// always ends first.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/loose/pending_issue.h"
#include "schema/loose/stream.h"

namespace strake::schema::loose {

// The resources entered on the way here, each once; a $dynamicRef looks from the outermost in.
struct Scope {
  const SchemaResource* resource = nullptr;
  const Scope* up = nullptr;
};

// Which members or elements some keyword has looked at.
class Marks {
 public:
  void clear() { all_ = false, upto_ = 0, bits_.clear(); }
  void mark(std::uint64_t index);
  void mark_all() { all_ = true; }
  bool has(std::uint64_t index) const;
  void merge(const Marks& other);

 private:
  bool all_ = false;
  std::uint64_t upto_ = 0;  // everything below
  std::vector<std::uint64_t> bits_;
};

// How a run of an enclosing value uses the result.
enum class Use : std::uint8_t { kPart, kContains, kUnevaluated };
struct Subscription {
  std::uint32_t run = 0;
  Use use = Use::kPart;
  std::uint64_t index = 0;
};

// A part that only counts if nothing else has looked at it.
struct HeldPart {
  std::uint64_t index = 0;
  std::string key;
  PathPtr path;
  PendingIssues pending;
  std::size_t violations = 0;
};

struct ContainerState {
  std::vector<bool> seen;  // watched keys
  Marks marks;
  std::uint64_t contained = 0;
  std::uint64_t excess_at = UINT64_MAX;  // the first element over maxContains
  std::vector<std::uint64_t> matched;    // the first few
  DigestTable unique;
  DigestTable unique_reported;
  DigestTable listed;
  DigestTable listed_reported;
  std::vector<HeldPart> held;
  std::size_t held_bytes = 0;
  bool gave_up = false;
  bool tag_seen = false;
  std::string tag;
  std::uint8_t embedded = 0;  // bits: apiVersion, kind, metadata as they should be
};

// A stack whose elements stay where they are and are used again, with the memory they hold.
template <typename T>
class SteadyStack {
 public:
  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  void reach(std::size_t i) {
    while (i / kChunk >= chunks_.size()) chunks_.push_back(std::make_unique<T[]>(kChunk));
  }

 private:
  static constexpr std::size_t kChunk = 32;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

constexpr std::uint32_t kNoRun = UINT32_MAX;
constexpr std::size_t kNestedIssues = 32;  // kept for the branch of a union

struct Run {
  const LooseNode* node = nullptr;
  const Scope* scope = nullptr;
  bool sure = false;   // what it finds stands in the report
  bool kept = false;   // what it finds may be asked for
  bool wants = false;  // marks are needed
  bool open = false;   // being set up: meeting it again is a loop
  bool failed = false;
  bool mistyped = false;  // the value is of another type than the schema wants
  // Members of which that is so, by place; kept in elements of lists of type map.
  std::vector<std::uint64_t> mistyped_members;
  std::uint32_t links = 0;  // first of its in-place links
  std::uint32_t state = kNoRun;
  std::uint32_t examined = 0;  // keywords that looked at the value
  std::size_t violations = 0;
  PendingIssues pending;
  std::vector<Subscription> subscriptions;
};

struct Digests {
  Digest structural;
  Digest canonical;
};

struct Location {
  std::uint32_t depth = 0;  // containers around it
  std::uint32_t first_run = 0;
  std::uint32_t last_run = 0;
  std::uint32_t first_link = 0;
  std::uint32_t first_done = 0;
  std::uint32_t first_state = 0;
  bool path_made = false;
  PathPtr path;
};

struct CapturedMember {
  std::string key;
  std::uint64_t index = 0;
  Digest digest;
  std::string json;
};

// An element beside those that came before it in its list.
struct Compared {
  DigestTable& seen;
  DigestTable& reported;
  Digest digest;
  std::string_view keyword;
  std::string keys;  // of a list of type map: their values, as JSON
};

struct Frame {
  Location location;
  bool object = false;
  bool hashing = false;        // its own digest is wanted
  bool child_digests = false;  // those of its parts are
  bool capture = false;        // it is an element of a list of type map
  bool maps = false;           // it is such a list
  bool has_names = false;      // some schema has propertyNames
  bool key_named = false;      // some schema names the member under way
  std::uint64_t count = 0;     // parts begun
  std::string key;
  DigestBuilder structural;
  DigestBuilder canonical;
  std::vector<CapturedMember> captured;
  std::vector<std::string> names;  // of the members, under strict
};

class StreamEvaluator::Engine {
 public:
  Engine(const Schema& schema, const LooseNode& root, const Options& options);

  bool begin(bool object);
  bool key(std::string_view name);
  bool end();
  bool scalar(const value::Value& v);
  Report take();

 private:
  // engine.cc: values begin and end.
  void start(Location& location);
  void release(const Location& location);
  void open(Location& location, const value::Value* scalar, bool object);
  void close(Location& location, const value::Value* scalar, bool object, const Digests& digests);
  void deliver(const Run& run);
  void check_names(std::string_view name);
  void compare_elements(Location& location, bool object, const Digests& digests);
  void compare_map_element(std::uint32_t list_run, Location& location, const Frame& element);
  void look_for_equal(Run& run, Location& location, const Compared& what);
  bool is_mistyped(std::uint32_t list_run, const Location& element, std::uint64_t member) const;
  void check_unknown(Location& location, const Frame& frame);
  Digests digest_scalars(const value::Value& scalar) const;
  void reset();

  // engine_build.cc: the runs of a value.
  struct Wanted {
    bool sure = false;
    bool kept = false;
    bool wants = false;
  };
  std::uint32_t visit(const LooseNode& node, const Scope* scope, Wanted wanted, Location& location,
                      std::size_t depth);
  void raise(std::uint32_t run, Wanted wanted);
  Wanted for_edge(const Run& run, Edge edge) const;
  const Scope* enter(const Scope* scope, const SchemaResource* resource);
  const LooseNode& dynamic_target(const InPlace& edge, const Scope* scope) const;
  void schedule(std::uint32_t parent, const LooseNode& node, Use use, std::uint64_t index,
                Location& location);
  void schedule_member(std::uint32_t parent, Frame& frame, Location& location,
                       const value::Value* scalar, bool object);
  void schedule_element(std::uint32_t parent, Frame& frame, Location& location);
  ContainerState& state_of(Run& run) { return states_[run.state]; }

  // engine_checks.cc: keywords against the value itself.
  void check_scalar(Run& run, Location& location, const value::Value& v);
  void check_type(Run& run, Location& location, std::uint8_t actual, std::string_view name);
  void check_number(Run& run, Location& location, const value::Value& v);
  void check_number_format(Run& run, Location& location, const value::Value& v);
  void check_string(Run& run, Location& location, std::string_view text);
  void check_values(Run& run, Location& location, const Digest& digest, const value::Value* scalar);
  void check_object_end(Run& run, Location& location, const Frame& frame);
  void check_array_end(Run& run, Location& location, const Frame& frame);
  bool formats_enforced(const LooseNode& node) const;

  // engine_combine.cc: results of schemas for the same value.
  void combine(Run& run, Location& location, const Frame* frame);
  void take_over(Run& run, const Run& part, bool already_reported);
  void merge_marks(Run& run, std::uint32_t part);
  void combine_union(Run& run, Location& location, std::size_t from, std::size_t to,
                     const Frame* frame);
  bool combine_discriminated(Run& run, Location& location, std::size_t from, std::size_t to);
  void check_unevaluated(Run& run, Location& location, const Frame& frame);
  void hold(Run& run, HeldPart part);

  void report(Run& run, Location& location, IssueCode code, std::string_view keyword,
              std::uint64_t first = 0, std::uint64_t second = 0, std::string_view text = {});
  void report_at(Run& run, PathPtr path, IssueCode code, std::string_view keyword,
                 std::uint64_t first, std::uint64_t second, std::string_view text);
  void record(Run& run, PendingIssue pending);
  void emit(const PendingIssue& pending);
  PathPtr path_of(Location& location);
  PathPtr below(PathPtr path, FieldPath::Step step) const;
  Frame* top() { return open_frames_ == 0 ? nullptr : &frames_[open_frames_ - 1]; }

  struct Seen {
    std::uint64_t location = 0;
    std::uint32_t run = 0;
  };

  const Schema& schema_;
  const LooseNode& root_;
  Options options_;
  SteadyStack<Run> runs_;
  std::uint32_t live_runs_ = 0;
  SteadyStack<ContainerState> states_;
  std::uint32_t live_states_ = 0;
  std::vector<std::uint32_t>
      links_;  // runs of in-place schemas, in the order of LooseNode::in_place
  std::vector<std::uint32_t> done_;  // runs in the order in which they can be finished
  SteadyStack<Frame> frames_;
  std::size_t open_frames_ = 0;
  std::vector<Seen> seen_;  // by node: its run at the location last set up
  std::uint64_t location_serial_ = 0;
  std::map<std::pair<const Scope*, const SchemaResource*>, Scope> scopes_;
  PendingIssues found_;
  std::size_t errors_ = 0;
  std::size_t held_bytes_ = 0;
  bool unknown_ = false;
  bool stopped_ = false;
};

}  // namespace strake::schema::loose
