#pragma once
// Looks at everything that a component's inputs reach, before any of it is translated.
#include <string_view>

#include "base/result.h"
#include "pulumi/package.h"

namespace strake::pulumi {

// The first defect in sorted order, as Code::kInvalid: a node that is no object, a member of the
// wrong shape, a local reference that names nothing. Branches of unions are not looked at, cycles
// are no defect. With `outputs` what the component gives back is walked too, behind the inputs.
Result<> preflight(const Package& package, std::string_view component, bool outputs);

}  // namespace strake::pulumi
