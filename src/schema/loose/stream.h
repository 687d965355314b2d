#pragma once
// A compiled loose schema run over events. Nothing of the value is kept: every branch of a union,
// every condition and every schema that might apply runs beside the others, and their results are
// combined where the value ends. Memory grows with the nesting of the value and the width of the
// schema, and with 16 bytes for each element of lists that must be unique; a schema that meets the
// same value on two ways is run once, so the work is bounded by events times schemas.
//
//   StreamEvaluator evaluator(*imported.schema, *imported.schema->root(), {});
//   JsonPushParser parser(evaluator, {});
//   ... feed ...
//   Report report = evaluator.take();
#include <memory>

#include "schema/loose/issue.h"
#include "schema/loose/options.h"
#include "schema/loose/schema.h"
#include "value/events.h"

namespace strake::schema::loose {

class StreamEvaluator final : public value::EventSink {
 public:
  // The schema must outlive the evaluator.
  StreamEvaluator(const Schema& schema, const LooseNode& root, const Options& options);
  ~StreamEvaluator() override;
  StreamEvaluator(StreamEvaluator&&) noexcept;

  // False stops the source: at the first error under Strategy::kFailFast, past the depth limit, and
  // past a buffer under kFailFast. take() then has the report.
  bool begin_object(const Position& at) override;
  bool key(std::string_view name, const Position& at) override;
  bool end_object(const Position& at) override;
  bool begin_array(const Position& at) override;
  bool end_array(const Position& at) override;
  bool scalar(const value::Value& v, const Position& at) override;
  bool end_document(const Position& at) override;

  // What was found in the document that ended, or so far when the source was stopped. Leaves the
  // evaluator ready for the next.
  Report take();

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace strake::schema::loose
