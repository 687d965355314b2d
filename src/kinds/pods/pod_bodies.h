#pragma once
// What the subresources "binding" and "eviction" of pods take: kinds of their own, of which nothing
// is stored. Bindings are served by themselves too.
#include "kinds/resource.h"

namespace strake::kinds {

const ResourcePtr& binding_resource();
const ResourcePtr& eviction_resource();

}  // namespace strake::kinds
