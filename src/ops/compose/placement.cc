#include "ops/compose/placement.h"

#include "meta/names.h"
#include "provider/model/node_pool.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

constexpr std::string_view kDefaultPool = "user";

Outcome<> select(std::string_view field, std::string_view label, const std::string& one,
                 const std::vector<std::string>& several, Placement& out) {
  if (!one.empty() && !several.empty())
    return refuse(FailureClass::kValidation,
                  "deployment.{0} and deployment.{0}s cannot be specified together", field);
  const auto check = [&](const std::string& text) -> Outcome<> {
    const meta::Messages faults = meta::check_label_value(text);
    if (text.empty() || !faults.empty())
      return refuse(FailureClass::kValidation, "deployment.{} \"{}\" is no value of a label: {}",
                    field, text, text.empty() ? "it is empty" : meta::join(faults));
    return {};
  };
  if (!several.empty()) {
    for (const std::string& text : several) STRAKE_CHECK(check(text));
    out.required_affinity.push_back({std::string(label), "In", several});
  } else if (!one.empty()) {
    STRAKE_CHECK(check(one));
    out.node_selector.emplace(label, one);
  }
  return {};
}

}  // namespace

Outcome<Placement> place(const provider::AppDeployment& deployment) {
  Placement out;
  const bool unset = deployment.pool.empty() && deployment.pools.empty();
  STRAKE_CHECK(select("pool", provider::kNodePoolLabel,
                      unset ? std::string(kDefaultPool) : deployment.pool, deployment.pools, out));
  STRAKE_CHECK(select("zone", provider::kNodeZoneLabel, deployment.zone, deployment.zones, out));
  return out;
}

}  // namespace strake::ops::compose
