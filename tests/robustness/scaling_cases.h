#pragma once
// What the scaling test measures: pieces of work over inputs in which one element stands n times.
// The probe counts the instructions of each at n, 2n and 4n; scaling_test.py judges how they grow.
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace strake::testing {

struct Work {
  std::function<void()> run;               // measured
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
// Requests to a server in this process: every kind, with each list and map of its shape.
void add_built_in_kinds(ScalingCases& cases);
void add_definitions(ScalingCases& cases);
void add_custom_resources(ScalingCases& cases);
// Readers, writers, selectors and patches.
void add_texts(ScalingCases& cases);
// Every command that works offline.
void add_commands(ScalingCases& cases);

// `count` texts made from their number, divided by `between`.
std::string repeat(std::size_t count, const std::function<std::string(std::size_t)>& one,
                   std::string_view between = ",");

}  // namespace strake::testing
