#pragma once
// A document that a judge sees pass: what counts besides its verdict, its size and its duplicate
// keys, is settled here.
#include <cstdint>
#include <memory>

#include "validate/checker.h"
#include "validate/finding.h"
#include "validate/judge.h"
#include "value/duplicate_filter.h"

namespace strake::validate {

class PassingDocument {
 public:
  // The options must outlive it.
  PassingDocument(std::unique_ptr<StreamJudge> judge, const CheckOptions& options);

  // A judge that has seen enough is asked no more, and the rest of the document passes unseen.
  void begin(bool object, const Position& at);
  void end(bool object, const Position& at);
  void key(std::string_view name, const Position& at);
  void scalar(const value::Value& v, const Position& at);

  // What was found, in order, without places; `update` when an object is replaced. Then limit() is
  // due.
  void finish(bool update, DocumentResult& out);
  // Cuts what was found to the number that may be shown. To be called once places are known.
  void limit(DocumentResult& out) const;

 private:
  // The bytes of a document without white space, as it would be sent.
  struct Size {
    std::uint64_t bytes = 0;
    void begin() { bytes += 3; }  // both brackets, and the comma
    void key(std::string_view name) { bytes += name.size() + 3; }
    void scalar(const value::Value& v);
  };

  bool too_large() const { return size_.bytes > options_.max_bytes; }
  void went_on(bool wants_more) { judging_ = judging_ && wants_more && !too_large(); }
  void add(Fault fault, DocumentResult& out);
  void add_uncertain(std::string message, FieldPath path, DocumentResult& out);
  void add_duplicates(DocumentResult& out);

  std::unique_ptr<StreamJudge> judge_;
  const CheckOptions& options_;
  value::DuplicateKeyFilter filter_;
  Size size_;
  bool judging_ = true;
  bool certain_ = true;
  std::uint64_t total_ = 0;
};

}  // namespace strake::validate
