#pragma once
// Kubeconfigs: one context of one, under a name of its own, and that merged into another. Pure but
// for the files that an entry names, which the caller reads. What these do not know is kept. No
// message holds a secret. Fails with kValidation.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "provider/failure.h"

namespace strake::ops {

enum class KubeconfigFormat : std::uint8_t { kYaml, kJson };
// "yaml" or "json".
provider::Outcome<KubeconfigFormat> parse_kubeconfig_format(std::string_view text);

struct NormalizeKubeconfig {
  std::string context;         // the new name of context, cluster and user; empty: the old one's
  std::string namespace_name;  // empty: as it is
  // Reads a file that an entry names, by the path in it. Null: such entries are refused.
  std::function<Result<std::string>(const std::string& path)> read_file = {};
};
// The current context, or the only one, with its cluster and its user; nothing else. It is current.
// Files that they name are taken in. Normalising it again gives the same bytes.
provider::Outcome<Secret> normalize_kubeconfig(const Secret& kubeconfig,
                                               const NormalizeKubeconfig& how,
                                               KubeconfigFormat format = KubeconfigFormat::kYaml);

struct MergeKubeconfig {
  bool force = false;        // entries of that name are replaced; otherwise a free name is taken
  bool set_current = false;  // else only where nothing is current yet
};
struct MergedKubeconfig {
  Secret text;
  std::string context;   // its name there: "<name>", "<name>-1", ...
  bool current = false;  // whether it is the current one now
  bool changed = false;  // whether the text says something else than before
  // "dry-run: will add/update 3 entry(ies); context=<c> current=<bool>"
  std::string plan() const;
};
// `existing` may be empty. `normalized` is of normalize_kubeconfig(). Its context, cluster and user
// get one name, the first that is free for all three.
provider::Outcome<MergedKubeconfig> merge_kubeconfig(
    const Secret& existing, const Secret& normalized, const MergeKubeconfig& how,
    KubeconfigFormat format = KubeconfigFormat::kYaml);

}  // namespace strake::ops
