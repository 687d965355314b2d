#pragma once
// The ResourceQuotas of the server, by namespace, as admission and the controller read them.
#include <map>
#include <string>

#include "api/cache/informer.h"
#include "base/quantity.h"
#include "value/value.h"

namespace strake::admission {

using Amounts = std::map<std::string, Quantity, std::less<>>;

// A list of amounts of a stored object, such as spec.hard.
Amounts read_amounts(const value::Value& list);

struct QuotaFacts {
  std::string namespace_name;
  std::string name;
  Amounts limits;       // spec.hard
  Amounts told_limits;  // status.hard
  Amounts told_used;    // status.used
  // As in kube-apiserver 1.36 scopes are about pods and volumes: nothing else is ever in one, so a
  // quota with a scope limits no other objects.
  bool scoped = false;
};

class QuotaInformer final : public api::Informer<QuotaFacts> {
 public:
  explicit QuotaInformer(api::Hub& hub);
  // The index under which they are found by namespace.
  static constexpr std::string_view kByNamespace = "namespace";
};

}  // namespace strake::admission
