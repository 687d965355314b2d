#pragma once
// What the scaling test measures: pieces of work over inputs in which one element stands n times.
// The probe measures each at growing n; scaling_test.py judges how the work grows.
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace strake::testing {

// How no work may end on a small input: the case is wrong, and would measure nothing.
constexpr int kNotUnderstood = -1;
// The input is larger than the server takes in: nothing was done.
constexpr int kNotTaken = -2;

struct Work {
  // Measured. Returns how it ended: the code of an answer or of a program, or whether the input was
  // understood. Inputs that end differently are different work.
  std::function<int()> run;
  std::function<void()> clean_up = [] {};  // not measured
};

struct ScalingCase {
  std::string name;    // "create ConfigMap: data, distinct"
  bool quick = false;  // part of `make test`; the others of `make soak` only
  std::function<Work(std::size_t n)> prepare;
};
using ScalingCases = std::vector<ScalingCase>;

// Starts the server of the cases below, which takes a while.
void start_server();
// Lets go of what the server keeps of objects that are gone.
void forget_history();
// Requests to a server in this process: every kind, with each list and map of its shape.
void add_built_in_kinds(ScalingCases& cases);
void add_definitions(ScalingCases& cases);
void add_custom_resources(ScalingCases& cases);
// Readers, writers, selectors and patches.
void add_texts(ScalingCases& cases);
// Every command that works offline.
void add_commands(ScalingCases& cases);

// Work that is known to grow: what the test itself is tested with.
void add_planted(ScalingCases& cases);

// `count` texts made from their number, divided by `between`.
std::string repeat(std::size_t count, const std::function<std::string(std::size_t)>& one,
                   std::string_view between = ",");

}  // namespace strake::testing
