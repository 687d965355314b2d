#pragma once
// The roles and bindings that are always there, as kube-apiserver 1.36 makes them at its start:
// what is missing is made, rules and subjects that were taken away come back, what was added stays,
// and an object whose annotation rbac.authorization.kubernetes.io/autoupdate says "false" is left
// alone.
#include <string>
#include <string_view>
#include <vector>

#include "api/request/core.h"
#include "async/task.h"
#include "value/document.h"

namespace strake::auth {

struct DefaultObject {
  std::string plural;
  std::string namespace_name;
  std::string name;
  value::Document document;
};

std::string_view default_roles_table();
// Fails with kParse, naming the line.
Result<std::vector<DefaultObject>> read_default_roles(std::string_view table);

// Brings an object that is there up to what it should have at least. False when it has that
// already.
bool reconcile(value::Document& present, const value::Value& wanted);

// All of them. Fails when one can be neither made nor mended.
async::Task<> reconcile_default_roles(api::Core& core);

}  // namespace strake::auth
