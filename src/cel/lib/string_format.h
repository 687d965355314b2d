#pragma once
// string.format: %s %d %f %e %b %o %x %X %%, with a precision for %f and %e.
#include <optional>
#include <string>

#include "cel/env/function.h"

namespace strake::cel {

// How values are printed: as the language's specification says, or as the older form of it that
// Kubernetes offers, where %s prints the items of lists and maps as literals, %f groups digits, and
// %e is typeset.
enum class FormatStyle : std::uint8_t { kSpecification, kKubernetes };

// The formatted text, or an error value.
Value format_string(EvalContext& context, std::string_view format, const Value& args,
                    FormatStyle style);

// A clause of a format: a verb of "sdfebxXo" and a precision.
struct FormatClause {
  char verb = 0;
  int precision = 6;
};
// Takes the next clause, passing literal text to `out`. Nothing at the end; an error text when it
// is none.
struct FormatReader {
  std::string_view format;
  std::size_t at = 0;
  std::string error;
  std::optional<FormatClause> next(std::string& out);
};
// What is said when an argument's type does not fit the clause.
std::string describe_misfit(const FormatClause& clause, std::string_view type_name);

}  // namespace strake::cel
