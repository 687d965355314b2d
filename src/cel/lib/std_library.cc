#include "cel/lib/std_library.h"

#include "cel/lib/library.h"

namespace strake::cel {

const Library& standard_library() {
  static const Library* const library = [] {
    auto* out = new Library("standard");
    declare_operators(*out);
    declare_comparisons(*out);
    declare_conversions(*out);
    declare_string_functions(*out);
    declare_time_functions(*out);
    declare_standard_macros(*out);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
