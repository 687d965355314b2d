#include "kinds/workloads/autoscaler_targets.h"

#include <fmt/format.h>

#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::Value;

// As Go prints an amount that may not be there.
std::string amount_text(const Value& amounts, std::string_view key) {
  const Value* amount = member(amounts, key);
  return amount != nullptr ? std::string(value::text_of(*amount)) : "<nil>";
}

std::string percent_text(const Value& amounts, std::string_view otherwise) {
  const Value* percent = member(amounts, "averageUtilization");
  return percent != nullptr ? fmt::format("{}%", percent->as_int()) : std::string(otherwise);
}

// A metric and its status, which may be missing; both have what is of the metric's type under the
// same name.
struct Pair {
  const Value& source;
  const Value* status;

  const Value& target() const { return source.get("target"); }
  bool has_target(std::string_view key) const { return member(target(), key) != nullptr; }
  std::string current(std::string_view key) const {
    return status != nullptr ? amount_text(status->get("current"), key) : "<unknown>";
  }
};

// Of one object, or of something outside of the cluster.
std::string single_text(const Pair& pair) {
  if (!pair.has_target("averageValue"))
    return fmt::format("{}/{}", pair.current("value"), amount_text(pair.target(), "value"));
  const bool known =
      pair.status != nullptr && member(*pair.status, {"current", "averageValue"}) != nullptr;
  return fmt::format("{}/{} (avg)", known ? pair.current("averageValue") : "<unknown>",
                     amount_text(pair.target(), "averageValue"));
}

std::string resource_text(const Pair& pair) {
  const std::string_view name = text_of(pair.source, "name");
  if (pair.has_target("averageValue")) {
    return fmt::format("{}: {}/{}", name, pair.current("averageValue"),
                       amount_text(pair.target(), "averageValue"));
  }
  const std::string current =
      pair.status != nullptr ? percent_text(pair.status->get("current"), "<unknown>") : "<unknown>";
  return fmt::format("{}: {}/{}", name, current, percent_text(pair.target(), "<auto>"));
}

std::string metric_text(const Value& metric, const Value& status) {
  const auto pair = [&](std::string_view key) {
    return Pair{metric.get(key), member(status, key)};
  };
  const std::string_view type = text_of(metric, "type");
  if (type == "External") return single_text(pair("external"));
  if (type == "Object") return single_text(pair("object"));
  if (type == "Resource") return resource_text(pair("resource"));
  if (type == "ContainerResource") return resource_text(pair("containerResource"));
  if (type != "Pods") return "<unknown type>";
  const Pair pods = pair("pods");
  return fmt::format("{}/{}", pods.current("averageValue"),
                     amount_text(pods.target(), "averageValue"));
}

}  // namespace

std::string autoscaler_targets(const Value& object) {
  constexpr std::size_t kMostShown = 2;
  const auto metrics = items(object.get("spec"), "metrics");
  const auto statuses = items(object.get("status"), "currentMetrics");
  if (metrics.empty()) return "<none>";
  std::string out;
  for (std::size_t i = 0; i < metrics.size() && i < kMostShown; ++i) {
    out += out.empty() ? "" : ", ";
    out += metric_text(metrics[i], i < statuses.size() ? statuses[i] : Value());
  }
  if (metrics.size() > kMostShown) out += fmt::format(" + {} more...", metrics.size() - kMostShown);
  return out;
}

}  // namespace strake::kinds
