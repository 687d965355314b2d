#pragma once
// The one interface through which documents flow: JSON text, YAML text and documents in memory all
// become this stream, and what consumes it (the document builder, validators, writers) is written
// once.
#include <string_view>

#include "base/position.h"
#include "value/value.h"

namespace strake::value {

// Every call returns true to go on, or false to stop the source; a source that was stopped reports
// Code::kCancelled, and the sink knows why. Text is valid only during the call. Events are well
// nested; between begin_object and end_object each value is preceded by its key.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual bool begin_object(const Position& at) = 0;
  virtual bool key(std::string_view name, const Position& at) = 0;
  virtual bool end_object(const Position& at) = 0;
  virtual bool begin_array(const Position& at) = 0;
  virtual bool end_array(const Position& at) = 0;
  virtual bool scalar(const Value& v, const Position& at) = 0;  // null, bool, number or string
  virtual bool end_document(const Position& at) = 0;            // after each top-level value
};

// Plays a value into a sink, with its positions where it has them. False when the sink stopped it.
// Uses no native stack for nesting.
bool play(const Value& v, EventSink& sink);

}  // namespace strake::value
