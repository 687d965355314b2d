#pragma once
// The same schema over a stream of events: what prune(), prune_nulls(), apply_defaults(),
// validate() and validate_list_types() say of a document, without holding it. Large arrays and maps
// pass in flat memory; only the parts that cannot be judged piecemeal (unions, enumerations of
// objects, elements of sets and maps) are held while they last.
//
// Keys must be unique: put a DuplicateKeyFilter in front. One document each. Rules and embedded
// resources are the matter of a StreamParts, which gets to see the parts that are small enough;
// ratcheting needs the whole object.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "schema/node.h"
#include "value/events.h"
#include "value/field_error.h"

namespace strake::schema {

// What is judged besides the schema, by someone who needs parts of the document whole.
class StreamParts {
 public:
  enum class Need : std::uint8_t {
    kNothing,
    kMeta,   // of an object: apiVersion, kind and metadata
    kWhole,  // all of it
  };
  struct Part {
    const Node& schema;
    const FieldPath& at;  // entries of maps as keys, named members as fields
    bool below;           // what is inside is not asked about on its own
  };

  virtual ~StreamParts() = default;
  virtual Need need(const Node& schema) const = 0;
  // Works in place, on what pruning has left and before defaults are filled in.
  virtual void decode(value::Value& v, const Part& part, Arena& arena) = 0;
  // With defaults. False when something is wrong.
  virtual bool judge(const value::Value& v, const Part& part) = 0;
  // It was too large to be held.
  virtual void left_out(const Part& part) = 0;
  // What the schema says of a value, before the parts that end with it are judged.
  virtual void found(const value::FieldErrors& errors) = 0;
};

struct StreamOptions {
  enum class Strategy : std::uint8_t {
    kBestEffort,  // past a threshold the part is not judged, and the verdict says so
    kFailFast,    // stops at the first fault; past a threshold it stops too
    kFullBuffer,  // holds whatever is needed
  };
  Strategy strategy = Strategy::kBestEffort;
  std::size_t max_buffer = std::size_t{1} << 20;         // bytes held for one part
  std::size_t max_total_buffer = std::size_t{64} << 20;  // bytes held at one time
  std::size_t max_errors = 1000;                         // more are counted, not kept
  bool resource_root = true;   // apiVersion, kind and metadata are never unknown
  bool apply_defaults = true;  // without, nulls are dropped by drop_nulls() instead
  // The metadata of the root is judged elsewhere, and counts as there.
  bool passes_metadata = false;
  // A member of the root that is gone once it has been pruned and decoded; empty for none.
  std::string_view dropped_member = {};
  StreamParts* parts = nullptr;  // must outlive the validator
};

// A field that pruning drops.
struct UnknownField {
  std::string text;  // its path as the server prints it
  FieldPath path;
  std::string_view nearest;  // what the schema has instead, and the object has not; may be empty
};

struct StreamVerdict {
  value::FieldErrors errors;       // as validate() lists them, then as validate_list_types() does
  std::uint64_t total_errors = 0;  // with those past max_errors
  std::vector<UnknownField> unknown;  // sorted by text
  std::vector<FieldPath> not_judged;  // parts that were too large to hold; the first max_errors
  bool certain() const { return not_judged.empty(); }
};

class StreamValidator final : public value::EventSink {
 public:
  // The schema must outlive the validator.
  StreamValidator(const Node& schema, const StreamOptions& options = {});
  ~StreamValidator() override;

  bool begin_object(const Position& at) override;
  bool key(std::string_view name, const Position& at) override;
  bool end_object(const Position& at) override;
  bool begin_array(const Position& at) override;
  bool end_array(const Position& at) override;
  bool scalar(const value::Value& v, const Position& at) override;
  bool end_document(const Position& at) override;

  // After the document's end, or after the validator has stopped its source.
  StreamVerdict take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::schema
