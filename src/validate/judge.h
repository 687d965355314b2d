#pragma once
// Who judges objects of one kind. A custom resource is judged by its CRD, a CRD by the rules for
// CRDs, and built-in kinds by whoever reads OpenAPI documents; the checker does not tell them
// apart.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "schema/stream/stream.h"
#include "validate/finding.h"
#include "value/events.h"
#include "value/value.h"

namespace strake::validate {

struct Subject {
  // Brought into the form that the server would store, in place.
  value::Value& object;
  Arena& arena;
  // The object as it was sent, for finding paths in it. May be `object` itself when only the fact
  // counts that there are faults, not where.
  const value::Value& as_sent;
  // The object that is replaced, as it was sent; null for a new one.
  const value::Value* old = nullptr;
};

// Where an object that passes is written to, in pieces of JSON.
struct Projection {
  bool preserving = false;  // as it was sent, without what is pruned; else as it would be stored
  std::function<void(std::string_view)> write;
};

// How much of a large object may be held at a time.
struct StreamLimits {
  schema::StreamOptions::Strategy strategy = schema::StreamOptions::Strategy::kBestEffort;
  std::size_t max_buffer = std::size_t{1} << 20;         // for one part
  std::size_t max_total_buffer = std::size_t{64} << 20;  // at one time
  std::size_t hold = std::size_t{3} << 20;               // documents up to this size are held whole
  std::size_t max_issues = 1000;                         // more are counted, not kept
  std::size_t max_depth = 10'000;
  bool stop_at_error = false;              // the rest of the input is not read
  const Projection* projection = nullptr;  // must outlive the check
};

struct StreamFindings {
  std::vector<Fault> faults;
  std::uint64_t total = 0;  // with those that were not kept
  bool certain = true;      // everything was looked at
  bool projected = false;   // and all of what is left of it was written
};

// Judges one object as it passes. Keys must be unique.
class StreamJudge : public value::EventSink {
 public:
  // After the end, or after it has stopped its source.
  virtual StreamFindings take() = 0;
};

class Judge {
 public:
  virtual ~Judge() = default;
  // May be called from many threads. Faults have paths in the object; duplicate keys are not its
  // matter.
  virtual std::vector<Fault> judge(const Subject& subject) const = 0;
  // The defaults of the schema, filled in whatever the options say.
  virtual void fill_defaults(value::Value& object, Arena& arena) const {
    static_cast<void>(object), static_cast<void>(arena);
  }
  // Whether the schema knows what stands at the path.
  virtual bool knows(const FieldPath& path) const { return static_cast<void>(path), false; }
  // The structural schema, for those who change objects; null when there is none.
  virtual const schema::Node* schema() const { return nullptr; }
  // Whether numbers may be the text of their digits.
  virtual bool takes_literals() const { return false; }
  // For an object that is too large to be held; null when this judge needs it whole.
  virtual std::unique_ptr<StreamJudge> stream(const StreamLimits& limits) const {
    return static_cast<void>(limits), nullptr;
  }
};

// Who else has a say about objects: admission policies.
class Reviewer {
 public:
  virtual ~Reviewer() = default;
  // What those who change objects make of this one, whether or not it is valid: they may add what
  // it lacks. May be called from many threads.
  struct Change {
    std::optional<value::Value> object = {};  // in the arena of the subject; nothing when unchanged
    std::string by = {};                      // who changed it, for messages
    std::vector<Fault> faults = {};           // who could not
  };
  virtual Change change(const Subject& subject, const schema::Node* schema) const {
    static_cast<void>(subject), static_cast<void>(schema);
    return {};
  }
  // Of an object in which its judge has found no errors.
  // The object is as it would be stored. May be called from many threads.
  virtual std::vector<Fault> review(const Subject& subject) const = 0;
};

}  // namespace strake::validate
