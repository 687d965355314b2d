#pragma once
// Keys and certificates that test servers of one user share, so that each need not make its own:
// one file, which is there whole or not at all, in a folder for that user alone.
#include <string>
#include <vector>

#include "server/data_dir.h"

namespace strake::server {

// What the folder has for these hosts, if all of it is good for a day; else new ones, which are
// kept there. A folder that cannot be written to is no failure; one that others may look into is
// (kForbidden).
Result<Identity> kept_identity(const std::string& folder, const std::vector<std::string>& hosts,
                               const Clock& clock);

}  // namespace strake::server
