#pragma once
// What a manager has applied to an object, as the object's managedFields tell: so that nothing is
// sent that would change nothing, and what was there before can be put back.
#include <string_view>

#include "value/document.h"
#include "value/value.h"

namespace strake::kube {

// Applying `wanted` as `manager` would leave `live` as it is: every field of it has that value and
// is the manager's, and the manager has no other. False also where that cannot be told, such as for
// values that servers write in another way (quantities).
bool is_applied(const value::Value& live, const value::Value& wanted, std::string_view manager);

// What the manager applied last: applying it again gives those fields the values they have in
// `live`. Null when it has applied nothing.
value::Document applied_by(const value::Value& live, std::string_view manager);

}  // namespace strake::kube
