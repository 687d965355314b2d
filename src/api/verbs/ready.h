#pragma once
// Objects in the versions that are asked for, where that has to be waited for: a schema is
// compiled, a converter is asked, a large object is converted by a worker. What needs no wait is
// rendered by the endpoint and comes by here only to be told so. Waits end when the call is
// cancelled.
#include <algorithm>
#include <span>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "value/document.h"

namespace strake::api {

// Whether one of them cannot be rendered at once in the version that the call asks for.
inline bool any_must_wait(const Call& call, std::span<const ObjectPtr> objects) {
  return std::ranges::any_of(
      objects, [&](const ObjectPtr& one) { return call.endpoint->must_wait(*one, *call.version); });
}
// Replaces those by objects that can be, which are the reader's own. Objects of one stored version
// are converted together.
AnswerTask<> make_ready(Core& core, const Call& call, const kinds::ServedVersion& version,
                        std::span<ObjectPtr> objects);

// The text of an object that could not be rendered at once.
AnswerTask<Bytes> render_later(Core& core, const Call& call, ObjectPtr object,
                               const kinds::ServedVersion& version);

// Whether convert() has to wait.
bool must_wait_to_convert(const Call& call, const kinds::ServedVersion& from,
                          const kinds::ServedVersion& to);
// Turns an object that is settled in one version into another, in place.
AnswerTask<> convert(Core& core, const Call& call, value::Document& document,
                     const kinds::ServedVersion& from, const kinds::ServedVersion& to,
                     bool fill_defaults, bool settle = true);

// The schema of a version, compiled by a worker. Refuses when that fails.
AnswerTask<> compile(Core& core, const Call& call, const kinds::ServedVersion& version);

}  // namespace strake::api
