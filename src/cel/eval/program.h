#pragma once
// An expression ready to run: immutable, shared by threads. Evaluation takes memory from the
// caller's arena only.
#include <cstdint>
#include <memory>
#include <span>

#include "base/arena.h"
#include "cel/value/value.h"

namespace strake::cel {

// Asked every so often whether an evaluation under way should end: its time is up, or nobody waits
// for the result any more.
class Interrupt {
 public:
  virtual ~Interrupt() = default;
  virtual bool is_due() const = 0;
};

// Counts what an evaluation costs and ends it when it costs too much. Each identifier and selection
// costs 1, a call what its overload says, a list 10, a map 30, a struct 40; constants and logic are
// free.
struct CostTracker {
  std::uint64_t total = 0;
  std::uint64_t limit = UINT64_MAX;
  const Interrupt* interrupt = nullptr;  // may be null
  std::uint32_t steps = 0;               // what was charged for, and rounds of loops
  bool interrupted = false;

  static constexpr std::uint32_t kStepsBetweenQuestions = 256;
  // Counts a step. Short evaluations that share the count are asked about as well as long ones.
  void step() {
    if (interrupt != nullptr && ++steps % kStepsBetweenQuestions == 0)
      interrupted = interrupted || interrupt->is_due();
  }
  bool exceeded() const { return total > limit || interrupted; }
};

// Sees the value of every node as it is computed, with the node's id in the tree the program was
// planned from.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_value(std::uint32_t expr_id, const Value& value) = 0;
};

// The message of the error that ends an evaluation past its cost limit. It passes through `||` and
// its kin.
inline constexpr std::string_view kCostLimitExceeded =
    "operation cancelled: actual cost limit exceeded";

// The same for one that was interrupted.
inline constexpr std::string_view kInterrupted = "operation interrupted";

struct Evaluation {
  // In the order of Scope::variables. One that is not known is left out at the end or given as an
  // error value.
  std::span<const Value> variables;
  CostTracker* cost = nullptr;
  Observer* observer = nullptr;  // only for programs planned as observable
};

class Program {
 public:
  struct Plan;
  Program();
  explicit Program(std::shared_ptr<const Plan> plan);
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  Program(const Program&);
  Program& operator=(const Program&);

  // The result, or a value of Kind::kError. It may point into the arena, the variables and the
  // program.
  Value evaluate(const Evaluation& evaluation, Arena& arena) const;
  std::size_t bytes() const;  // held by the plan

 private:
  std::shared_ptr<const Plan> plan_;
};

}  // namespace strake::cel
