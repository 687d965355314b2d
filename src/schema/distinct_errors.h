#pragma once
// Errors in the order in which they were found, each message once. Adding is cheap however many
// there are: a message is rendered when it is first added, and known by its hash from then on, also
// when the errors of a part are taken over by those of the whole. Past the limits of FieldErrors
// they are counted, and no longer told apart.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "value/field_error.h"

namespace strake::schema {

class DistinctErrors {
 public:
  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }
  void add(value::FieldError error);
  void add_all(value::FieldErrors&& errors);
  void merge(DistinctErrors&& others);
  void clear();
  const value::FieldErrors& errors() const { return errors_; }
  value::FieldErrors take() && { return std::move(errors_); }

  // Messages rendered so far, by any of them on this thread; for tests.
  static std::uint64_t rendered();

 private:
  bool knows(const value::FieldError& error, std::uint64_t hash) const;
  void add(value::FieldError error, std::uint64_t hash);

  value::FieldErrors errors_;
  std::vector<std::uint64_t> hashes_;  // of their messages
  // The first error with a hash; null while there are so few that looking at all is faster.
  std::unique_ptr<std::unordered_map<std::uint64_t, std::size_t>> by_hash_;
};

}  // namespace strake::schema
