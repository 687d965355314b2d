#pragma once
// Snapshots of an app's volumes, as disk_cases.h.
#include <string>
#include <vector>

#include "ops/cases/session.h"

namespace strake::ops {

provider::Outcome<std::vector<provider::Snapshot>> list_snapshots(const Session& session,
                                                                  const provider::Call& call,
                                                                  const provider::App& app,
                                                                  const std::string& volume);

struct NewSnapshot {
  std::string name;    // empty: the driver makes one up
  std::string source;  // empty: the assigned disk
  provider::VolumeOptions options;
};
provider::Outcome<provider::Snapshot> create_snapshot(const Session& session,
                                                      const provider::Call& call,
                                                      const provider::App& app,
                                                      const std::string& volume,
                                                      const NewSnapshot& wanted);

// Success when there is none.
provider::Outcome<> delete_snapshot(const Session& session, const provider::Call& call,
                                    const provider::App& app, const std::string& volume,
                                    const std::string& name,
                                    const provider::VolumeOptions& options = {});

}  // namespace strake::ops
