#pragma once
// What the roles of one driver share: whose it is, where its files are, and through what they are
// reached. Immutable, so any thread may use it.
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "provider/local/files.h"
#include "provider/local/lock.h"
#include "provider/local/names.h"
#include "provider/local/settings.h"

namespace strake::provider::local {

struct Site {
  Names names;
  ProviderSettings settings;
  Files files;
  std::map<std::string, std::string, std::less<>> variables;  // of this process

  std::string folder() const;                       // of the provider
  std::string folder(std::string_view kind) const;  // kClusters, kVolumes, kZones
  std::string path(std::string_view kind, std::string_view name) const;

  // Whether there is a root, that of this user alone: it holds keys and data. Fails with kAuth when
  // it is not; see base/private_folder.h.
  Outcome<bool> is_there(const Call& call) const;
  // Makes the root when it is not there. Whoever changes something calls this, and has the lock.
  Outcome<NamedLock> lock(const Call& call, std::string_view name) const;
  // Folders that have become empty go. Called when something was removed, with no lock held; what
  // cannot be removed is a warning.
  Outcome<> tidy(const Call& call) const;
};

using SharedSite = std::shared_ptr<const Site>;

}  // namespace strake::provider::local
