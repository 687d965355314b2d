#pragma once
// What is wrong with a configuration, all of it: nothing of it is taken when anything is wrong.
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "provider/failure.h"

namespace strake::ops {

class KomProblems {
 public:
  static constexpr std::size_t kMostKept = 100;  // more are counted

  void add(Error error);

  bool empty() const { return errors_.empty(); }
  // In the order in which they were found.
  const std::vector<Error>& errors() const { return errors_; }
  // One line each, with the class of the first. There must be one.
  provider::Failure to_failure() const;

 private:
  std::vector<Error> errors_;
  std::size_t omitted_ = 0;
};

}  // namespace strake::ops
