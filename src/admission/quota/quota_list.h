#pragma once
// The ResourceQuotas of the server, by namespace, as admission and the controller read them.
#include <string>
#include <vector>

#include "api/cache/informer.h"
#include "kinds/limits/amounts.h"
#include "kinds/limits/quota_scopes.h"

namespace strake::admission {

using kinds::Amounts;
// Which objects a quota is about: those in all of them. Objects of resources without an evaluator
// (kinds/limits/quota_evaluator.h) are in none.
using Scopes = std::vector<kinds::QuotaScope>;

struct QuotaFacts {
  std::string namespace_name;
  std::string name;
  Amounts limits;       // spec.hard
  Amounts told_limits;  // status.hard
  Amounts told_used;    // status.used
  Scopes scopes;
};

class QuotaInformer final : public api::Informer<QuotaFacts> {
 public:
  explicit QuotaInformer(api::Hub& hub);
  // The index under which they are found by namespace.
  static constexpr std::string_view kByNamespace = "namespace";
};

}  // namespace strake::admission
