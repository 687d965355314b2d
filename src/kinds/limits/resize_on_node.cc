#include "kinds/limits/resize_on_node.h"

#include <fmt/format.h>

#include "kinds/limits/pod_amounts.h"

namespace strake::kinds {
namespace {

using value::Value;

Quantity amount_of(const Amounts& amounts, std::string_view name) {
  const auto found = amounts.find(name);
  return found == amounts.end() ? Quantity() : found->second;
}

}  // namespace

// CPU in thousandths, memory in bytes, as kube-apiserver 1.36 has them.
std::string lacks_on_node(const Value& pod, const Value& node) {
  const Amounts requested = pod_requests(pod, PodAmountsFor::kNodes);
  const Amounts allocatable = read_amounts(node.get("status").get("allocatable"));
  std::string lacking;
  const auto compare = [&](std::string_view name, std::int64_t wanted, std::int64_t has) {
    if (wanted <= has) return;
    lacking += fmt::format("{}{}, requested: {}, allocatable: {}", lacking.empty() ? "" : "; ",
                           name, wanted, has);
  };
  compare("cpu", amount_of(requested, "cpu").milli_value(),
          amount_of(allocatable, "cpu").milli_value());
  compare("memory", amount_of(requested, "memory").value(),
          amount_of(allocatable, "memory").value());
  if (lacking.empty()) return {};
  return "node didn't have enough allocatable resources: " + lacking;
}

}  // namespace strake::kinds
