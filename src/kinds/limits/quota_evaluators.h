#pragma once
// The evaluators there are.
#include "kinds/limits/quota_evaluator.h"

namespace strake::kinds {

const QuotaEvaluator& pod_quota_evaluator();
const QuotaEvaluator& service_quota_evaluator();
const QuotaEvaluator& claim_quota_evaluator();

}  // namespace strake::kinds
