#pragma once
// Conditions of objects, as the tests of controllers compare them.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "api/test_server.h"

namespace strake::api::testing {

// "status reason: message" of a condition; empty when there is none.
inline std::string condition_of(const Answered& object, std::string_view type) {
  const value::Value* list = object.json().get("status").find("conditions");
  if (list == nullptr) return {};
  for (const value::Value& entry : list->items()) {
    if (entry.get("type").as_string() == type) {
      return fmt::format("{} {}: {}", entry.get("status").as_string(),
                         entry.get("reason").as_string(), entry.get("message").as_string());
    }
  }
  return {};
}

}  // namespace strake::api::testing
