#pragma once
// The libraries that come with CEL. Each is made once and lives as long as the process.
#include <span>

#include "cel/env/function.h"

namespace strake::cel {

const Library&
standard_library();  // operators, conversions, size, strings, times; macros has, all, exists, ...
const Library& optionals_library();       // optional.of, orValue, optMap, first, last, unwrap
const Library& strings_library();         // charAt, split, format, ... as Kubernetes offers them
const Library& latest_strings_library();  // instead of it: format as specified, and reverse
const Library& lists_library();     // slice, flatten, sort, sortBy, reverse, distinct, lists.range
const Library& sets_library();      // sets.contains, sets.equivalent, sets.intersects
const Library& math_library();      // math.greatest, math.ceil, math.bitAnd, ...
const Library& encoders_library();  // base64.encode, base64.decode
const Library& bindings_library();  // cel.bind
const Library& block_library();     // cel.block, cel.index, cel.iterVar, cel.accuVar
const Library& two_variable_library();  // all(i, v, p), transformList, transformMap, ...

}  // namespace strake::cel
