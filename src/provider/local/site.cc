#include "provider/local/site.h"

#include <fmt/format.h>

#include "base/private_folder.h"

namespace strake::provider::local {

std::string Site::folder() const { return fmt::format("{}/{}", settings.root, names.folder()); }

std::string Site::folder(std::string_view kind) const {
  return fmt::format("{}/{}", folder(), kind);
}

std::string Site::path(std::string_view kind, std::string_view name) const {
  return fmt::format("{}/{}/{}", folder(), kind, name);
}

Outcome<bool> Site::is_there(const Call& call) const {
  STRAKE_TRY(const bool found, files.exists(call, settings.root));
  if (!found) return false;
  return external(files.calls(), call, {"open", settings.root}, [&]() -> Outcome<bool> {
    STRAKE_TRY([[maybe_unused]] const PrivateFolder root, PrivateFolder::open(settings.root));
    return true;
  });
}

Outcome<NamedLock> Site::lock(const Call& call, std::string_view name) const {
  STRAKE_TRY(const bool found, is_there(call));
  if (!found) {
    STRAKE_CHECK(external(
        files.calls(), call, {"make folder", settings.root, Effect::kWrite}, [&]() -> Outcome<> {
          STRAKE_TRY([[maybe_unused]] const PrivateFolder root, PrivateFolder::open(settings.root));
          return {};
        }));
  }
  return NamedLock::take(files.calls(), call, folder(kLocks), name);
}

Outcome<> Site::tidy(const Call& call) const {
  for (const std::string& one :
       {folder(kLocks), folder(kClusters), folder(kVolumes), folder(kZones), folder()}) {
    STRAKE_TRY(const bool found, files.exists(call, one));
    if (!found) continue;
    STRAKE_TRY(const auto inside, files.names(call, one));
    if (!inside.empty()) continue;
    if (const Outcome<> removed = files.remove_if_empty(call, one); !removed) {
      if (removed.error().stops_everything()) return removed;
      call.warn("folder was left", {{"path", one}, {"reason", removed.error().message()}});
    }
  }
  return {};
}

}  // namespace strake::provider::local
