#pragma once
// Disks of an app's volumes. Names are checked before anybody is asked (`validate volume name:
// ...`, `validate disk name: ...`); sources pass through untouched.
#include <string>
#include <vector>

#include "ops/cases/session.h"

namespace strake::ops {

// Newest first, then by name.
provider::Outcome<std::vector<provider::Disk>> list_disks(const Session& session,
                                                          const provider::Call& call,
                                                          const provider::App& app,
                                                          const std::string& volume);

struct NewDisk {
  std::string name;    // empty: the driver makes one up
  std::string source;  // empty: a blank disk
  provider::DiskCreateOptions options;
};
provider::Outcome<provider::Disk> create_disk(const Session& session, const provider::Call& call,
                                              const provider::App& app, const std::string& volume,
                                              const NewDisk& wanted);

// That one, and no other of the volume.
provider::Outcome<> assign_disk(const Session& session, const provider::Call& call,
                                const provider::App& app, const std::string& volume,
                                const std::string& name,
                                const provider::VolumeOptions& options = {});

// Success when there is none. An assigned disk is deleted only when it is forced; else it fails
// with kConflict: `disk <n> is assigned; assign another disk first before deletion`.
provider::Outcome<> delete_disk(const Session& session, const provider::Call& call,
                                const provider::App& app, const std::string& volume,
                                const std::string& name,
                                const provider::VolumeOptions& options = {});

struct Bootstrap {
  std::vector<provider::Disk> created;  // in the order of the app's volumes
  std::string skipped;                  // why nothing was done; empty when something was
};
// A first, assigned disk for every volume of the app:
//   no volumes                   skipped, "no volumes defined"
//   one assigned disk everywhere skipped, "already initialized"
//   no assigned disk anywhere    a disk is made and assigned, volume by volume
//   one assigned disk here, no disk at all there: a bootstrap that was broken off, or volumes that
//     are new; the rest is made
//   anything else                fails with kConflict, "bootstrap invalid state: ..."
// Fails with kConflict when somebody else assigns a disk meanwhile. In a dry run `created` is what
// would be.
provider::Outcome<Bootstrap> bootstrap_disks(const Session& session, const provider::Call& call,
                                             const provider::App& app,
                                             const provider::DiskCreateOptions& options = {});

}  // namespace strake::ops
