#pragma once
// What a recording must not hold: contents of Secrets, and tokens. Each is replaced by "***", so
// that a recording can be attached to a bug report.
#include "api/request/request_info.h"
#include "value/document.h"

namespace strake::recording {

// What the bodies of a request to this place hold, whatever they say of themselves: patches and
// tables do not say it.
enum class Holds : std::uint8_t { kNothing, kSecrets, kTokens };
Holds what_is_held(const api::RequestInfo& request);

// Masks a body, or an event of a watch. An object that says itself that it is a Secret is masked
// wherever it came from.
void mask(value::Document& body, Holds holds);

}  // namespace strake::recording
