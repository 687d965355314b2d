#include "ops/protection.h"

#include "base/quote.h"

namespace strake::ops {

using provider::FailureClass;
using provider::Outcome;
using provider::Protection;

std::string_view to_string(Protection level) {
  switch (level) {
    case Protection::kCannotDelete: return "cannotDelete";
    case Protection::kReadOnly: return "readOnly";
    case Protection::kNone: break;
  }
  return "none";
}

Outcome<Protection> parse_protection(std::string_view text) {
  if (text.empty()) return Protection::kNone;
  for (const Protection one : {Protection::kNone, Protection::kCannotDelete, Protection::kReadOnly})
    if (text == to_string(one)) return one;
  return provider::refuse(FailureClass::kValidation,
                          "protection must be none, cannotDelete or readOnly, got {}", quote(text));
}

Outcome<> check_protection(std::string_view scope, Protection level, ClusterOperation operation) {
  const bool deletes = operation == ClusterOperation::kDelete;
  const bool blocked =
      deletes ? level != Protection::kNone
              : operation == ClusterOperation::kUpdate && level == Protection::kReadOnly;
  if (!blocked) return {};
  return provider::refuse(
      FailureClass::kProtected,
      "cluster operation blocked by protection policy: {} is \"{}\", cannot perform {} operation "
      "(set to {} to unblock)",
      scope, to_string(level), deletes ? "delete" : "update",
      deletes ? "'none'" : "'none' or 'cannotDelete'");
}

}  // namespace strake::ops
