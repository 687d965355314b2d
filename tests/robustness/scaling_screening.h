#pragma once
// The first look at a case of the scaling test: how the processor time of its work grows. Takes
// milliseconds where counting instructions takes seconds, so that it can look at far larger inputs,
// at which work that is quadratic in part is quadratic nearly in whole. What it clears grows no
// faster than its input; about everything else it says nothing.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "robustness/scaling_cases.h"

namespace strake::testing {

// The least of several measurements at one size.
struct Point {
  std::size_t n = 0;
  double seconds = 0;  // of the processor, all threads together
  int outcome = 0;     // as Work::run
};

enum class Verdict {
  kLinear,   // grows no faster than its input
  kFlat,     // nearly the same at any size
  kBounded,  // inputs are refused before they are large enough to take a time worth judging
  kUnclear,
};
std::string_view name_of(Verdict verdict);

struct Screened {
  Verdict verdict = Verdict::kUnclear;
  std::vector<Point> points;  // each at four times the size of the one before
  double growth = 0;          // of the last step over the step before it: 4 is linear, 16 quadratic
  std::size_t n = 0;  // the size at which to look closer: 4n was the largest input that was unclear
};

// Before the first thread is started.
void prepare_screening();
Screened screen(const ScalingCase& one);

}  // namespace strake::testing
