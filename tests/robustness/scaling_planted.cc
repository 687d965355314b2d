// Cases whose growth is known: the scaling test is worth something as long as it finds these.
#include <thread>

#include "robustness/scaling_cases.h"

namespace strake::testing {
namespace {

void spin(std::size_t steps) {
  for (volatile std::size_t i = 0; i < steps; i = i + 1) continue;
}

// As in a server, the work is done by another thread.
void add(ScalingCases& cases, std::string name, std::size_t per_element, double per_pair) {
  cases.push_back({std::move(name), true, [=](std::size_t n) {
                     return Work{.run = [=] {
                       std::thread([=] {
                         for (std::size_t i = 0; i < n; ++i) {
                           spin(per_element +
                                static_cast<std::size_t>(per_pair * static_cast<double>(n)));
                         }
                       }).join();
                       return 0;
                     }};
                   }});
}

}  // namespace

void add_planted(ScalingCases& cases) {
  add(cases, "planted: linear", 900, 0);
  // A tenth of the work on 400 elements.
  add(cases, "planted: a tenth quadratic", 810, 90.0 / 400);
  add(cases, "planted: quadratic", 0, 0.4);
}

}  // namespace strake::testing
