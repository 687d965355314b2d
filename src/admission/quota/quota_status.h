#pragma once
// Writing what a quota's namespace uses to its status.
#include "admission/quota/standing.h"
#include "api/request/core.h"

namespace strake::admission {

// Refuses as a conflict when somebody else has changed the quota. `charged`: for requests that were
// let in, and not because it was counted.
api::AnswerTask<> write_status(api::Core& core, const Standing& standing, bool charged);

}  // namespace strake::admission
