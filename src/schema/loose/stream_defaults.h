#pragma once
// A loose schema over events, with its defaults filled in on the way: what apply_defaults() and
// evaluate() say of a value together, without holding it. Defaults that hang on a choice (a branch
// of a union, a condition) need the whole value: where one might apply the verdict is unknown, and
// a warning says so.
#include <memory>

#include "schema/loose/issue.h"
#include "schema/loose/options.h"
#include "schema/loose/schema.h"
#include "value/events.h"

namespace strake::schema::loose {

class DefaultingEvaluator final : public value::EventSink {
 public:
  // The schema must outlive the evaluator, and so must `filled`, which gets the document with its
  // defaults when it is not null. Without `fills` this is a StreamEvaluator and no more.
  DefaultingEvaluator(const Schema& schema, const LooseNode& root, const Options& options,
                      bool fills, value::EventSink* filled = nullptr);
  ~DefaultingEvaluator() override;

  bool begin_object(const Position& at) override;
  bool key(std::string_view name, const Position& at) override;
  bool end_object(const Position& at) override;
  bool begin_array(const Position& at) override;
  bool end_array(const Position& at) override;
  bool scalar(const value::Value& v, const Position& at) override;
  bool end_document(const Position& at) override;

  // After the document's end, or after the source was stopped. Fails when defaults bring in ever
  // more defaults.
  Result<Report> take();

 private:
  class Filler;
  std::unique_ptr<Filler> filler_;
};

}  // namespace strake::schema::loose
