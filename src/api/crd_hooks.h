#pragma once
// CustomResourceDefinitions as a resource: decoded, judged and printed like the other built-in
// kinds, with the checks of `crd` and the rules of `rules` behind.
#include "kinds/hooks.h"
#include "value/document.h"

namespace strake::api {

const kinds::Hooks& crd_hooks();

// The last touch before an accepted CRD is stored: defaults of embedded resources in canonical
// form.
void settle_accepted_crd(value::Document& document);

}  // namespace strake::api
