#pragma once
// Namespaces and service accounts, made so. Each fails with what the cluster said.
#include <map>
#include <string>

#include "kube/objects/ensured.h"
#include "kube/objects/objects.h"

namespace strake::kube {

struct NamespaceSpec {
  std::string name;
  std::map<std::string, std::string> labels = {};
  bool keep_labels = false;  // of one that is there already, as they are
  bool dry_run = false;      // tells what would be done, and does not do it
};
// One that is being deleted is waited for, and then made anew.
Result<Ensured> ensure_namespace(Objects& objects, const NamespaceSpec& spec);
// False when it is not there. It goes later: wait_until_namespace_gone.
Result<bool> delete_namespace(Objects& objects, const std::string& name);
Result<> wait_until_namespace_gone(Objects& objects, const std::string& name);

struct ServiceAccountSpec {
  std::string namespace_name;
  std::string name;
  std::map<std::string, std::string> annotations;  // others are left as they are
  std::map<std::string, std::string> labels = {};
  bool dry_run = false;
};
// Without tokens for the pods that have it (automountServiceAccountToken is false), unless those
// ask for one.
Result<Ensured> ensure_service_account(Objects& objects, const ServiceAccountSpec& spec);

}  // namespace strake::kube
