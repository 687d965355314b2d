#pragma once
// Server-side apply of objects of any kind: where they go is found by discovery, what has no
// namespace goes to one.
#include <string>
#include <vector>

#include "kube/resource_paths.h"
#include "value/value.h"

namespace strake::kube {

struct ApplyOptions {
  std::string field_manager = "strake";
  bool force = false;  // takes fields over from other managers
  std::string namespace_name = "default";
};

class Applier {
 public:
  // The client must outlive it.
  Applier(const Client& cluster, ApplyOptions options)
      : cluster_(cluster), paths_(cluster), options_(std::move(options)) {}

  // The object as the cluster has it now. Fails with kInvalid when it does not say what it is, and
  // with what the cluster said.
  Result<std::string> apply(const value::Value& object);
  // Where it goes. Fails with kInvalid likewise, and with kNotFound when the cluster has no such
  // kind.
  Result<std::string> path_of(const value::Value& object);

 private:
  const Client& cluster_;
  ResourcePaths paths_;
  const ApplyOptions options_;
};

// The objects of documents in the order in which they can be applied: what others need first
// (definitions of kinds, then namespaces), all else as it stands. Lists are taken apart.
std::vector<const value::Value*> in_apply_order(const std::vector<const value::Value*>& documents);

// The objects of a document: itself, or the items of a list.
void take_apart(const value::Value& document, std::vector<const value::Value*>& out);

// "Deployment web", "Deployment default/web": for messages.
std::string object_title(const value::Value& object);

}  // namespace strake::kube
