#pragma once
// Numbers as kube-apiserver 1.36 compares them: Go's conversions, rounding and tolerance included.
#include <cstdint>
#include <string>

#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

// Whether a double counts as an integer: within ±(2^53-1), and whole to nine digits.
bool is_json_integer(double d);

// Whether the number fits the schema's type and numeric format (int32, int64, float); true when
// there is none.
bool fits_format(const value::Value& v, const Node& schema);

// A bound as an integer, as Go converts it.
std::int64_t truncate(double bound);

// `whole` compares as integers, with the bound truncated; otherwise as doubles.
bool above(const value::Value& v, double minimum, bool exclusive, bool whole);
bool below(const value::Value& v, double maximum, bool exclusive, bool whole);
bool is_multiple(double v, double factor);
std::string bound_text(double bound, bool whole);

// Whether a value equals an allowed one after Go's conversion to the allowed one's type.
bool matches_enum(const value::Value& v, const value::Value& allowed);

}  // namespace strake::schema
