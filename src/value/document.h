#pragma once
// A parsed document: its root value and everything that keeps it alive. Move-only; fork() makes a
// second document that shares all unchanged parts with the first, so that a copy with a few edits
// costs only the edited paths.
//
//   STRAKE_TRY(Document doc, read_json(text));
//   Document next = doc.fork();
//   STRAKE_CHECK(next.set(FieldPath() / "spec" / "replicas", Value::integer(3)));
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/field_path.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::value {

// A key that stood twice in one object.
struct DuplicateKey {
  FieldPath path;  // of the member
  Position first;
  Position second;
};

class Document {
 public:
  Document();
  Document(Document&&) noexcept = default;
  Document& operator=(Document&&) noexcept = default;

  Value& root() { return root_; }
  const Value& root() const { return root_; }
  Arena& arena() { return storage_->arena; }

  // The file the document came from ("-" for standard input, empty when there is none) and its
  // place among the documents of that file, from 0.
  const std::string& source_name() const { return storage_->source_name; }
  std::size_t index() const { return index_; }
  // Where the document starts; where the value at the path stood, or its nearest ancestor that was
  // there. Only the start is known unless the reader was asked for positions.
  Position start() const { return start_; }
  Position position(const FieldPath& path) const;
  // The key's place rather than the value's, for messages about the member as a whole.
  Position key_position(const FieldPath& path) const;

  // The first thousand met while reading; none when the policy made them an error.
  const std::vector<DuplicateKey>& duplicates() const { return storage_->duplicates; }

  // The value at a path, or null.
  const Value* at(const FieldPath& path) const;

  // A document that shares every part of this one. Neither may be edited in place through Value
  // afterwards; set() and remove() below copy what they change.
  Document fork() const;
  // Sets the value at the path, making objects on the way where nothing stands; an index equal to
  // the length appends. Fails with kInvalid, naming the step, when the path leads through something
  // else.
  Result<> set(const FieldPath& path, Value v);
  // Removes the value at the path; false when there was none.
  bool remove(const FieldPath& path);

 private:
  friend class DocumentBuilder;
  struct Storage {
    Arena arena;
    std::string text;  // adopted source text that strings point into
    std::string source_name;
    std::vector<DuplicateKey> duplicates;
    std::vector<std::shared_ptr<const Storage>> shared;  // what a fork points into
  };
  explicit Document(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}

  std::shared_ptr<Storage> storage_;
  Value root_;
  Position start_;
  std::size_t index_ = 0;
};

}  // namespace strake::value
