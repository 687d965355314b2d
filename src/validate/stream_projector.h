#pragma once
// Writes an object that passes by as it would be stored, or as it was sent without what is pruned:
// what settling the whole object would leave, in memory that does not grow with it. Members keep
// the order in which they come; defaults stand behind them, and the metadata of a resource at the
// end, since it is known last.
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/node.h"
#include "value/builder.h"
#include "value/events.h"

namespace strake::validate {

// JSON text, handed on in pieces.
class PieceWriter {
 public:
  explicit PieceWriter(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  void add(std::string_view text);
  void add(const value::Value& v);
  void add_string(std::string_view text);
  void flush();

 private:
  void pass_on();

  std::function<void(std::string_view)> write_;
  std::string text_;
};

// The events of a value as JSON, as they come.
class EventWriter final : public value::EventSink {
 public:
  explicit EventWriter(PieceWriter& out) : out_(out) {}
  bool begin_object(const Position&) override { return begin('{'); }
  bool key(std::string_view name, const Position& at) override;
  bool end_object(const Position&) override { return end('}'); }
  bool begin_array(const Position&) override { return begin('['); }
  bool end_array(const Position&) override { return end(']'); }
  bool scalar(const value::Value& v, const Position& at) override;
  bool end_document(const Position&) override { return true; }

 private:
  bool begin(char sign);
  bool end(char sign);
  void separate();

  PieceWriter& out_;
  bool needs_comma_ = false;
};

struct ProjectOptions {
  bool preserving = false;      // nulls stay, and nothing is filled in
  bool apply_defaults = false;  // unless preserving
  bool resource =
      false;  // apiVersion, kind and metadata are known, and finish() gives the metadata
  bool drops_status = false;   // of a resource
  std::size_t max_buffer = 0;  // for the metadata of an embedded resource
};

class StreamProjector final : public value::EventSink {
 public:
  // The schema must outlive it. Keys must be unique.
  StreamProjector(const schema::Node& schema, const ProjectOptions& options,
                  std::function<void(std::string_view)> write);

  bool begin_object(const Position& at) override { return begin(true, at); }
  bool key(std::string_view name, const Position& at) override;
  bool end_object(const Position& at) override { return end(true, at); }
  bool begin_array(const Position& at) override { return begin(false, at); }
  bool end_array(const Position& at) override { return end(false, at); }
  bool scalar(const value::Value& v, const Position& at) override;
  bool end_document(const Position&) override { return true; }

  // After the end of the document: the metadata of a resource, null when it has none. False when
  // not everything could be written.
  bool finish(const value::Value* metadata);

 private:
  // What becomes of a value, as by schema::prune().
  enum class Mode : std::uint8_t {
    kPrune,     // by the schema
    kKeep,      // below x-kubernetes-preserve-unknown-fields: only what the schema names is pruned
    kVerbatim,  // no schema has a say
    kEmpty,     // without a schema: objects lose their members, lists keep their elements
    kMetadata,  // of an embedded resource: held, and read as a server does
    kDrop,
  };
  struct Place {
    Mode mode = Mode::kVerbatim;
    const schema::Node* schema = nullptr;
  };
  struct Frame {
    bool object;
    Place place;
    bool root;
    bool empty = true;        // nothing was written in it yet
    std::string key;          // of the member that comes next
    Place next;               // and its place
    std::vector<bool> there;  // by property; only where there are defaults
  };

  static Place pruned(const schema::Node* schema);
  static Place kept(const schema::Node* schema);
  Place member_of(const Frame& frame, std::string_view name) const;
  Place next_place() const;
  bool begin(bool object, const Position& at);
  bool end(bool object, const Position& at);
  bool drops_null(const Place& place) const;
  // The comma and the key of the value that is written now.
  void announce();
  void add_missing(const Frame& frame);
  const std::string& default_of(const schema::Node& schema);
  bool hold(std::size_t bytes);
  void put_metadata(value::Document metadata, const schema::Node* schema);

  const schema::Node& schema_;
  ProjectOptions options_;
  PieceWriter out_;
  std::vector<Frame> frames_;
  std::size_t dropped_ = 0;  // open containers that are not written
  value::DocumentBuilder held_;
  std::size_t held_depth_ = 0;
  std::size_t held_bytes_ = 0;
  bool complete_ = true;
  std::unordered_map<const schema::Node*, std::string> defaults_;
};

}  // namespace strake::validate
