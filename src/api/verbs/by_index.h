#pragma once
// Selectors that ask for the value of a field (spec.color=blue) find their objects by an index of
// that field, which the first of them makes. A list then costs what it finds, not what there is.
#include <memory>
#include <optional>
#include <string_view>

#include "api/request/call.h"
#include "api/request/core.h"
#include "api/verbs/verbs.h"

namespace strake::api {

// All that can match, and more; nothing where only a look at every object can tell: when there are
// few, when no field is asked for, or when some are stored in another version than the call's.
AnswerTask<std::optional<ResourceCache::Taken>> take_by_index(Core& core,
                                                              std::shared_ptr<const Call> call,
                                                              const Selection& selection,
                                                              std::string_view key_prefix,
                                                              std::string_view start);

}  // namespace strake::api
