#pragma once
// Extension servers beside a main server put their own entry into the file of its
// --service-resolver-file (kube/service_places.h), and leave those of others.
#include <chrono>
#include <optional>
#include <string>

#include "async/task.h"
#include "async/workers.h"
#include "base/deadline.h"
#include "kube/service_places.h"

namespace strake::extension {

// Long enough for the writes of others.
inline constexpr std::chrono::seconds kResolverFileWait{5};

// Changes the entry of NAMESPACE/NAME; no place takes it out. The file is replaced whole, one
// writer at a time, and made when it is not there. Fails with kTimeout when somebody else holds
// FILE.lock until the deadline, with kIo, or as reading does: then the file stays as it is.
async::Task<> set_service_place(async::Workers& workers, std::string file, std::string service,
                                std::optional<kube::ServicePlace> place, Deadline deadline);

}  // namespace strake::extension
