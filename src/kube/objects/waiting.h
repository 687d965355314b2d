#pragma once
// Waiting for an object to be as it should be, until the client's deadline. The server tells when
// it changes.
#include <functional>
#include <string>

#include "kube/objects/objects.h"

namespace strake::kube {

// What is still missing, for people; empty when nothing is. Null when there is no such object. A
// failure ends the wait.
using Missing = std::function<Result<std::string>(const value::Value* object)>;

// Fails as follow(); past the deadline with kTimeout, saying what was missing.
Result<> wait_for_object(Objects& objects, const ObjectRef& object, const Missing& missing);

Result<> wait_until_exists(Objects& objects, const ObjectRef& object);
Result<> wait_until_gone(Objects& objects, const ObjectRef& object);
// All replicas are of the newest template, and available. Fails with kServiceUnavailable when the
// cluster has given up (its progress deadline).
Result<> wait_until_ready(Objects& objects, const std::string& namespace_name,
                          const std::string& deployment);
// The server has taken a CustomResourceDefinition in.
Result<> wait_until_established(Objects& objects, const std::string& definition);

// What is missing for the first and the last of these.
Result<std::string> missing_for_readiness(const value::Value& deployment);
Result<std::string> missing_for_establishment(const value::Value& definition);

}  // namespace strake::kube
