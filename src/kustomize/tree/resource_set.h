#pragma once
// The resources that a kustomization has gathered, in load order, found by any identity without a
// search. Whoever changes identities tells the set, which then builds its tables anew when asked.
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "kustomize/tree/resource.h"
#include "kustomize/tree/scopes.h"

namespace strake::kustomize {

class ResourceSet {
 public:
  explicit ResourceSet(Scopes& scopes) : scopes_(&scopes) {}

  const std::vector<Resource*>& list() const { return list_; }
  std::size_t size() const { return list_.size(); }
  Scopes& scopes() const { return *scopes_; }

  // Fails with kConflict when the current id is taken.
  Result<> append(Resource* resource);
  Result<> append_all(const std::vector<Resource*>& resources);
  // What a generator made: appended, or merged into the one that is there.
  Result<> absorb(Resource* generated, NodeArena& arena);

  // In load order; those with a current or earlier id that equals this one.
  std::vector<Resource*> with_any_id(const ResourceId& id);

  void drop_gone();
  void replace_list(std::vector<Resource*> list);  // ids are not checked
  void ids_changed() { current_ = any_ = false; }

 private:
  using Table = std::unordered_multimap<std::string, std::uint32_t, TextHash, std::equal_to<>>;
  void index_current();
  void index_any();
  void index_any(std::uint32_t place);
  static std::vector<std::uint32_t> places(const Table& table, const std::string& key);
  std::vector<Resource*> found(const Table& table, const std::string& key) const;

  Scopes* scopes_;
  std::vector<Resource*> list_;
  Table by_current_;
  Table by_any_;
  bool current_ = true;  // the tables are up to date
  bool any_ = true;
};

}  // namespace strake::kustomize
