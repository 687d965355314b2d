#pragma once
// Questions of an expression about rights: `authorizer.group('').resource('pods').check('get')`.
// Whoever offers the variable `authorizer` brings an Authority, which answers.
#include <string_view>

#include "base/arena.h"
#include "cel/value/value.h"

namespace strake::cel {

// Views, valid during the call.
struct AccessQuestion {
  // Whose rights are asked about: a service account, or without a name whoever makes the request.
  std::string_view account_namespace = {};
  std::string_view account_name = {};
  std::string_view verb = {};
  std::string_view path = {};  // of what is no resource; then all below is empty
  std::string_view group = {};
  std::string_view resource = {};
  std::string_view subresource = {};
  std::string_view namespace_name = {};
  std::string_view name = {};
  std::string_view field_selector = {};
  std::string_view label_selector = {};
};

struct AccessAnswer {
  bool allowed = false;
  std::string_view reason = {};  // in the arena
  std::string_view error = {};   // in the arena; empty when there was none
};

// Asked on the thread that evaluates.
class Authority {
 public:
  virtual ~Authority() = default;
  virtual AccessAnswer decide(const AccessQuestion& question, Arena& arena) const = 0;
  // Why there can be no service account of that name; empty when there can.
  virtual std::string_view account_fault(std::string_view namespace_name,
                                         std::string_view name) const = 0;
};

extern const Type kAuthorizerType;
extern const Type kResourceCheckType;

// The values of `authorizer` and `authorizer.requestResource`. The authority must outlive them, and
// so must what the question names.
Value make_authorizer(const Authority& authority, Arena& arena);
Value make_resource_check(const Authority& authority, const AccessQuestion& question, Arena& arena);

}  // namespace strake::cel
