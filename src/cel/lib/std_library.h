#pragma once
// The parts of the standard library, each declared in a file of its own.
#include "cel/env/function.h"

namespace strake::cel {

void declare_operators(Library& library);
void declare_comparisons(Library& library);
void declare_conversions(Library& library);
void declare_string_functions(Library& library);
void declare_time_functions(Library& library);
void declare_standard_macros(Library& library);

}  // namespace strake::cel
